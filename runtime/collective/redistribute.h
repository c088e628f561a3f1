// Collectives that add nothing, and slices: blocks move from the devices that hold an array in one layout to
// those that hold it in another. Both are data moves that follow from the two layouts alone.
//
// In this folder:
//   redistribute.h                              collectives that add nothing, and slices
//   reduce.h                                    sums over devices
//   reduction_order.h, ring_sum.h, block_sum.h  in which order they are added, along one axis, and block by block
//   collective_by_hops.h, permute_by_routes.h   the same hop by hop
//   run_hops.h, run_routes.h                    what carries the hops out
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/array/device_array.h"
#include "runtime/platform/executor.h"

namespace shard {

// Gives `result`, an outline of the same array in another layout, its blocks out of `operand`'s.
// - A shard is put together from the parts of the operand's blocks that overlap it.
// - A device that holds its result already keeps its buffer.
// `axes` are those along which devices exchange: a result device must find what it needs among the
// devices that agree with it on all other axes (SHARD_CHECK), so a slice passes none. Returns how
// many elements were clamped. Throws std::bad_alloc. REQUIRES: both are unreduced over the
// same axes; sums are taken by reduce.h.
std::uint64_t redistribute(const DeviceArray& operand, const std::vector<AxisId>& axes,
                           const Mesh& mesh, const Executor& executor, DeviceArray& result);

// Shift: `result`, an outline with operand's layout, gets at each device the block of the device
// `shift` places down the axes (the first is the major one), wrapping around. Throws
// std::bad_alloc.
void shift_blocks(const DeviceArray& operand, const std::vector<AxisId>& axes, std::int64_t shift,
                  const Mesh& mesh, const Executor& executor, DeviceArray& result);

}  // namespace shard
