// What a permute of blocks does, whichever dimensions it does it to, and what it takes at least.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/planning/search/relayout.h"

namespace shard::planning {

// The subscripts that change, without the axes that both begin or end with: along these nothing moves. Equal patterns cost the
// same for blocks of the same size.
struct BlockPattern {
  using Axes = std::string;                 // numbers of axes
  std::vector<std::pair<Axes, Axes>> dims;  // before and after; sorted

  BlockPattern(const Places& from, const Places& to, const Ground& ground);
  std::string key() const;
};

// Lower bounds for a permute, counted from where every block goes.
struct BlockWays {
  double busiest = 0;  // blocks on the busiest link of the torus
  double hops = 0;     // of the longest way
};

// Every block takes a shortest way, so the links of an axis carry together what all blocks travel along it, and the busiest one
// no less than the mean. Zero if there are too many devices to enumerate.
BlockWays least_ways(const BlockPattern& pattern, const Ground& ground);

}  // namespace shard::planning
