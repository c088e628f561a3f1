// The cheapest sequence of primitives between layouts, and whether that is proven.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "interpreter/planning/search/hop.h"
#include "interpreter/planning/search/relayout.h"
#include "interpreter/planning/search/weight.h"

namespace shard::planning {

struct FoundRoute {
  std::size_t source = 0;
  std::vector<Move> moves;
  // Set if the budget was used up before a cheaper route was ruled out: none takes less than these seconds.
  std::optional<double> bound = {};
  std::size_t weighed = 0;  // moves
};

// A* over all layouts that the primitives lead to (neighbours.h), from the sources on, under a bound (distance_bound.h).
// The least time; among times within a billionth of each other the fewest bytes moved, then the fewest steps (a slice over two axes
// being two), then the
// fewest permutes, then the transpose as late as can be, then the earlier source, then a fixed order of the layouts. nullopt if
// the target cannot be reached, or if there are more axes than the search looks at. Throws Cancelled.
std::optional<FoundRoute> find_route(const Relayout& problem);

// A layout that the search came to, and what it took.
struct Stop {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  Places places;
  Weight weight;
  std::size_t source = 0;
  std::uint32_t before = kNone;  // number of the stop from which one hop leads here
  HopKind by = HopKind::Start;
  AxisMask axes = 0;
};
struct Spread {
  std::vector<Stop> stops;   // the quickest first
  std::size_t weighed = 0;   // moves
  bool is_complete = false;  // nothing was left out for the sake of the budget
};
// The hops to a stop as moves. REQUIRES: the problem's ground has all axes at no place.
std::vector<Move> moves_to(const std::vector<Stop>& stops, std::uint32_t stop,
                           const Relayout& problem, const Ground& ground);
// The cheapest way to each layout that can be reached in the problem's `most_seconds`. REQUIRES: `everywhere`. Throws Cancelled.
Spread spread_from(const Relayout& problem, const Ground& ground);

}  // namespace shard::planning
