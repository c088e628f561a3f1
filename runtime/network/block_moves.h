// Which blocks of an array change device when the axes of its dimensions are reordered, or when a collective makes another array.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/collective.h"
#include "runtime/plan/layout.h"

namespace shard {

// A block that goes from one device to another. Devices are numbered by their coordinates on the axes concerned, the
// first being major.
struct Move {
  std::int64_t from;
  std::int64_t to;
};

// The axes of the dimensions that the two layouts split differently, and those on which `then` is placed elsewhere,
// sorted.
std::vector<AxisId> axes_concerned(const Layout& now, const Layout& then);

// What each device has to receive to turn `now` into `then`, given the lengths of `axes_concerned`. If several devices
// hold a block, it comes from the one with most coordinates in common. nullopt if some dimension is split into
// different numbers of blocks, so that blocks do not move whole.
std::optional<std::vector<Move>> reordered_blocks(const Layout& now, const Layout& then,
                                                  const std::vector<AxisId>& axes,
                                                  const std::vector<std::int64_t>& lengths);

// Where the block at a place goes, of those along the axes of a collective that makes another array. Several axes count as one,
// the first being major. Shift: `step` places up, cyclically.
std::int64_t place_after(CollectiveKind kind, std::int64_t place, std::int64_t places, int step);
// All blocks that change place, given the lengths of the axes.
std::vector<Move> moved_blocks(CollectiveKind kind, const std::vector<std::int64_t>& lengths,
                               int step);

}  // namespace shard
