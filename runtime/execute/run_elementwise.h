// Elementwise steps on devices: each distinct result shard from the operands' shards.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/array/device_array.h"
#include "runtime/element/element_program.h"
#include "runtime/plan/plan.h"
#include "runtime/platform/executor.h"

namespace shard {

// Fills `result`, an outline in the layout that follows from the operands': it splits each label as they do
// (SHARD_CHECK); operands are broadcast along labels they lack. A chain of operations is computed in fp32 (in fp64 if
// an operand or the result is fp64 or integer) and rounded once, into the result. Returns how many elements were
// clamped. Throws std::bad_alloc. REQUIRES: constants are numbers.
std::uint64_t compute_elements(const std::vector<const DeviceArray*>& operands,
                               const ElementwiseStep& step, const Mesh& mesh,
                               const Executor& executor, DeviceArray& result);

}  // namespace shard
