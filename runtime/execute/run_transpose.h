// Permuting the dimensions of an array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/array/device_array.h"
#include "runtime/platform/executor.h"

namespace shard {

// Fills `result`, an outline whose dimension d is the operand's `order[d]`; both are split over the same axes
// (SHARD_CHECK). Returns how many elements were clamped. Throws std::bad_alloc.
std::uint64_t transpose(const DeviceArray& operand, const std::vector<std::size_t>& order,
                        const Executor& executor, DeviceArray& result);

}  // namespace shard
