// Trees over the links of a torus by which one place sends to all others, each carrying its part of the data; no two
// share a link in one direction. There are as many as the narrowest cut has links, so no schedule sends more at a time
// (Edmonds, "Edge-disjoint branchings", 1973): those of the place with the fewest, or of the end of a single line next to
// rings of two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/network/torus.h"

namespace shard {

// A place receives its part from a neighbour.
struct TreeHop {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::size_t axis = 0;
  bool up = false;
  std::size_t round = 0;  // the number of hops before it
};

// The hops of a tree, those closer to the root first.
using SpanningTree = std::vector<TreeHop>;

// From `root` to all places that differ from it only on `axes`. nullopt if links of these have failed or are slow, or
// if no axis is longer than 1.
std::optional<std::vector<SpanningTree>> spanning_trees(const Torus& torus,
                                                        const std::vector<std::size_t>& axes,
                                                        std::int64_t root);

}  // namespace shard
