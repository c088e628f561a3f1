// Sums over devices, added in the order in which the hops of a collective bring the parts (cost model, "Sums and
// roundings").
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "runtime/array/device_array.h"
#include "runtime/collective/block_sum.h"
#include "runtime/collective/reduction_order.h"
#include "runtime/machine/machine.h"
#include "runtime/plan/plan.h"
#include "runtime/platform/executor.h"

namespace shard {

// The first dimension of a device's block that is longer than 1, else the last one. Its rows are contiguous.
std::size_t leading_dimension(const DeviceArray& array);
inline std::int64_t leading_extent(const DeviceArray& array) {
  return array.local_shape.empty() ? 1 : array.local_shape[leading_dimension(array)];
}
// The dimension along which the result's blocks are parts of the operand's; nullopt if they are whole.
std::optional<std::size_t> scattered_dimension(const DeviceArray& operand,
                                               const DeviceArray& result);

// A reduction that computes its sums all at once, or for some rows of all blocks at a time, on threads that take
// different rows. Each call returns how many elements were clamped and may throw std::bad_alloc.
class SumInOrder {
 public:
  // Uses only the outline of `operand`; `result`, an outline, gets blocks. Arrays, machine and plans must outlive it.
  // REQUIRES: has_schedule(step), a ReduceScatter or AllReduce.
  SumInOrder(const DeviceArray& operand, const CollectiveStep& step, const Machine& machine,
             ReducePlans& plans, DeviceArray& result);

  // By group: the operand's shards that are summed with one another, in the order of their places. All groups are of
  // one size.
  const std::vector<std::vector<std::size_t>>& groups() const { return groups_; }

  // Elements of a result shard that are summed in the same order.
  struct Alike {
    std::size_t shard;
    std::size_t group;
    const Variant* variant;
    Segment segment;
    std::int64_t offset;  // where the shard's block begins in its device's block
  };
  std::vector<Alike> all_alike() const;

  // Sums everything that the operand's shards hold.
  std::uint64_t add(const Executor& executor);
  // Sums the rows from `begin` to `end` of the leading dimension of a group's blocks; `data`: these rows, by shard of
  // the operand.
  // REQUIRES: no dimension is scattered, or the leading one is.
  std::uint64_t add_rows(std::size_t group, const std::vector<const std::byte*>& data,
                         std::int64_t begin, std::int64_t end) const;
  // As `add_rows`, if another dimension is scattered: `data` has the rows of the first result block, then those of the
  // second…
  std::uint64_t add_sorted_rows(std::size_t group, const std::vector<const std::byte*>& data,
                                std::int64_t begin, std::int64_t end) const;

 private:
  // The operand shard in which the first place holds its part of a result shard.
  std::size_t first_beside(std::size_t shard) const {
    return static_cast<std::size_t>(beside_[shard]) -
           shards_[static_cast<std::size_t>(places_[shard])];
  }
  void find_groups();

  // Elements of a result block, and the offset of its first element relative to the data.
  struct Part {
    std::int64_t begin;
    std::int64_t end;
    std::int64_t offset;
  };

  std::int64_t bytes_of_sum() const;  // read for each element
  std::uint64_t add_parts(const std::vector<const std::byte*>& data, const Rows& rows,
                          const std::vector<Part>& parts, const Executor* executor) const;

  const DeviceArray& operand_;
  DeviceArray& result_;
  std::int64_t number_of_places_;
  std::int64_t elements_;                                         // in a result block
  std::vector<std::size_t> shards_;                               // ReducePlan::shards
  std::map<std::int64_t, const std::vector<Variant>*> variants_;  // by place
  // By result shard: the place it is summed for, the operand's shard on its device, and where its block begins in that
  // shard.
  std::vector<std::int64_t> places_;
  std::vector<std::int64_t> beside_;
  std::vector<std::int64_t> offsets_;
  std::vector<std::size_t> group_of_;
  std::vector<std::vector<std::size_t>> groups_;
};

// Fills `result`, an outline, with the sums of `operand`'s partial sums: all at once, with the same bits as
// `exchange_by_hops`, and a single block for all devices that hold the same. Returns how many elements were clamped.
// Throws std::bad_alloc. `plans` caches what depends on the axes. REQUIRES: has_schedule(step), a ReduceScatter or
// AllReduce.
std::uint64_t reduce_in_order(const DeviceArray& operand, const CollectiveStep& step,
                              const Machine& machine, const Executor& executor, ReducePlans& plans,
                              DeviceArray& result);

}  // namespace shard
