// Sums over devices: of what each of them holds, in one order, whatever the links between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/array/device_array.h"
#include "runtime/plan/plan.h"
#include "runtime/platform/executor.h"

namespace shard {

// What is added to what if an array is reduced over some axes.
class DeviceSums {
 public:
  // Uses only the outlines. REQUIRES: `operand` is unreduced over the axes, `result` is not.
  DeviceSums(const DeviceArray& operand, const std::vector<AxisId>& axes, const Mesh& mesh,
             const DeviceArray& result);

  // The shards of devices that differ on the axes alone.
  struct Group {
    std::vector<std::size_t>
        parts;  // of the operand, in the order of the devices: added in this order
    std::vector<std::size_t> results;  // the sum, or blocks of it
  };
  const std::vector<Group>& groups() const { return groups_; }
  // By shard of the result: where its block begins in the sum, in elements.
  std::int64_t offset(std::size_t shard) const { return offsets_[shard]; }

 private:
  std::vector<Group> groups_;
  std::vector<std::int64_t> offsets_;
};

// Fills `result`, an outline, with the sums of `operand`'s partial sums over the axes of the step, added in the order of
// the devices and rounded once; devices that hold the same share a block. Returns how many elements were clamped. Throws
// std::bad_alloc. REQUIRES: a ReduceScatter or AllReduce over axes longer than 1.
std::uint64_t reduce(const DeviceArray& operand, const CollectiveStep& step, const Mesh& mesh,
                     const Executor& executor, DeviceArray& result);

}  // namespace shard
