// Collectives that add nothing, and slices: blocks move from the devices that hold an array in one layout to those that
// hold it in another. Both are data moves determined by the two layouts alone.
//
// In this folder:
//   redistribute.h                              collectives that add nothing, and slices
//   reduce.h                                    sums over devices
//   collective_by_hops.h, permute_by_routes.h   all of these hop by hop
//   run_hops.h, run_routes.h                    executing the hops
#pragma once

#include <cstdint>
#include <vector>

#include "base/collective.h"
#include "runtime/array/device_array.h"
#include "runtime/platform/executor.h"

namespace shard {

// Fills `result`, an outline of the same array in another layout, with blocks from `operand`.
// - A shard is assembled from the parts of the operand's blocks that overlap it.
// - A device that already holds its result keeps its buffer.
// `axes` are those along which devices exchange: a result device must find what it needs among the devices that agree
// with it on all other axes (SHARD_CHECK), so a slice passes none. Returns how many elements were clamped. Throws
// std::bad_alloc. REQUIRES: both are unreduced over the same axes; reduce.h takes sums.
std::uint64_t redistribute(const DeviceArray& operand, const std::vector<AxisId>& axes,
                           const Mesh& mesh, const Executor& executor, DeviceArray& result);

// In `result`, an outline with the operand's layout, each device gets the block that a collective of this kind, which makes another
// array, moves to its place along the axes (network/block_moves.h). Throws std::bad_alloc.
void move_blocks(CollectiveKind kind, const DeviceArray& operand, const std::vector<AxisId>& axes,
                 int step, const Mesh& mesh, const Executor& executor, DeviceArray& result);

}  // namespace shard
