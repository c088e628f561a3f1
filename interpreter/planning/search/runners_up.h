// The other routes of a re-layout, by their first moves: what `why` lists.
#pragma once

#include <cstddef>
#include <vector>

#include "interpreter/planning/search/relayout_search.h"

namespace shard::planning {

// The cheapest routes that begin with another collective, or over other axes, than those taken: at most so many, of each
// beginning the cheapest, the cheapest first. Slices are one beginning, and so are permutes. REQUIRES: the problem has one
// source; there are moves.
std::vector<FoundRoute> runners_up(const Relayout& problem, const std::vector<Move>& taken,
                                   std::size_t most);

}  // namespace shard::planning
