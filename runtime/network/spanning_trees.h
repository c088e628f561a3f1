// Trees over the links of a torus by which one place sends to all others, no two of which share a link in one direction:
// each carries its part of what is sent. There are as many as the place with fewest links has, so no schedule sends more at a
// time (Edmonds, "Edge-disjoint branchings", 1973: as many as the narrowest cut has links).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/network/torus.h"

namespace shard {

// A place gets its part from a neighbour.
struct TreeHop {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::size_t axis = 0;
  bool up = false;
  std::size_t round = 0;  // how many hops are before it
};

// The hops of a tree, those nearer to the root first.
using SpanningTree = std::vector<TreeHop>;

// From `root` to all places that differ from it on some of `axes`. Nothing if links of them have failed or are slow, if no
// axis is longer than 1, or if a ring of two stands beside a line.
std::optional<std::vector<SpanningTree>> spanning_trees(const Torus& torus,
                                                        const std::vector<std::size_t>& axes,
                                                        std::int64_t root);

}  // namespace shard
