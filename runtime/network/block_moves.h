// Which blocks of an array change device when they move whole between two layouts, or when a collective makes another array.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/collective.h"
#include "runtime/plan/layout.h"

namespace shard {

// A block that goes from one device to another. Devices are numbered by their coordinates on the axes concerned, the
// first being major.
struct BlockMove {
  std::int64_t from;
  std::int64_t to;
};

// The axes of the dimensions that the two layouts split differently, and those on which only one of them is placed, or
// they are at different coordinates; sorted.
std::vector<AxisId> axes_concerned(const Layout& now, const Layout& then);

// Whether whole blocks lead from one layout to the other, one to each device at most: every dimension is cut into equally
// many blocks, as many devices hold each, and both are unreduced alike. nullopt if that depends on sizes that are symbols.
std::optional<bool> moves_whole_blocks(const Layout& now, const Layout& then, const Mesh& mesh);

// What each device has to receive to turn `now` into `then`, given the lengths of `axes_concerned`, by the number of the
// receiver. Who holds the right block already receives none. Every other holder of a block sends it to one device: the first
// to the first that lacks it, and so on. nullopt if blocks do not move whole (moves_whole_blocks).
std::optional<std::vector<BlockMove>> reordered_blocks(const Layout& now, const Layout& then,
                                                       const std::vector<AxisId>& axes,
                                                       const std::vector<std::int64_t>& lengths);

// Where the block at a place goes, of those along the axes of a collective that makes another array. Several axes count as one,
// the first being major. Shift: `step` places up, cyclically.
std::int64_t place_after(CollectiveKind kind, std::int64_t place, std::int64_t places, int step);
// All blocks that change place, given the lengths of the axes.
std::vector<BlockMove> moved_blocks(CollectiveKind kind, const std::vector<std::int64_t>& lengths,
                                    int step);

}  // namespace shard
