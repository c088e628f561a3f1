// The sizes that the axes of a mesh can have together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/machine/chip.h"
#include "runtime/machine/topology.h"

namespace shard {

// What one axis takes: the lengths multiply to its size, and none is size 1.
using AxisLengths = std::vector<std::int64_t>;
// Of each axis.
using MeshSplit = std::vector<AxisLengths>;

// Without axes of length 1, which nothing runs over: 2x2x1 is 2x2.
AxisLengths longer_than_one(AxisLengths lengths);

// Whether the axes of a mesh take whole axes of this slice. Without a torus any division of the node will do.
bool is_torus(const Chip& chip, const Slice& slice);

// Every way to give each axis of a torus to one of `count` axes of a mesh; ways that differ in nothing are one. Longer first axes
// come first.
std::vector<MeshSplit> torus_splits(const AxisLengths& torus, std::size_t count);
// Every way to write the number of devices as a product of `count` sizes. Shorter first axes come first.
std::vector<MeshSplit> divisor_splits(std::int64_t devices, std::size_t count);

}  // namespace shard
