// Sums, means and maxima over dimensions, on devices: each distinct result shard from the operand's.
#pragma once

#include <cstdint>

#include "runtime/array/device_array.h"
#include "runtime/plan/plan.h"
#include "runtime/platform/executor.h"

namespace shard {

// Fills `result`, an outline in the layout that follows from the operand's, with a sum, mean or maximum over the labels
// that the result lacks. Terms are added in row-major order in the accumulation type, by blocks, as a single running
// sum would stop growing; the sums of the blocks are then added, and the total is rounded once. Which terms form a
// block depends on the shape of a shard alone. A mean is divided by the global number of elements, so that partial
// means add up. Returns how many elements were clamped. Throws std::bad_alloc.
std::uint64_t reduce_elements(const DeviceArray& operand, const ReductionStep& step,
                              const Mesh& mesh, const Executor& executor, DeviceArray& result);

}  // namespace shard
