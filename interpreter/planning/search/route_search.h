// The cheapest way from one of several layouts of an array to another layout.
//
// In this folder:
//   route_search.h                  the cheapest route, under either rule
//   relayout_search.h               the search: A* over layouts, and when it ends
//   node_table.h                    the layouts that it has reached
//   symmetry.h                      those of them that differ in names alone
//   runners_up.h                    what `why` lists besides
//   relayout.h, places.h            the problem, in names and in numbers; layouts as keys
//   moves.h                         primitive moves; those of the documents' cases
//   hop.h, neighbours.h             primitives in numbers; all that lead from a layout
//   hop_lists.h                     the same, kept for later searches
//   prices.h, block_pattern.h       what they cost; what a permute costs at least
//   distance_bound.h                what is still to be paid at least
//   weight.h                        comparable costs
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "interpreter/planning/search/moves.h"
#include "interpreter/planning/search/relayout.h"
#include "interpreter/planning/search/relayout_search.h"
#include "interpreter/planning/search/weight.h"
#include "runtime/machine/machine.h"

namespace shard::planning {

struct Route {
  std::size_t source = 0;   // index of the layout it starts from
  std::vector<Move> moves;  // empty: that layout is the target
  Weight weight;
  // Set if the search used up its budget: a route of fewer seconds than these is ruled out, one between them is not.
  std::optional<double> bound = {};
  std::size_t weighed = 0;  // moves, by the search
};

// Seconds that another route could save at most.
double unproven(const Route& route);

// The lightest sequence of moves from any source to the target, by relayout_search.h. Moves follow `rule`, or the next wider
// rule if that leads nowhere. nullopt if the target cannot be reached, which happens only if it is unreduced over axes that no
// source is unreduced over. Layouts must not hold axes of size 1.
//
// With `transpose` one of the moves is that transpose, placed where the sequence is lightest and among equals as late
// as possible. All layouts, including those after the transpose, are in the order of the sources' dimensions. With
// `whole`, a collective over any of these axes runs over exactly these. `most_moves`: the budget. REQUIRES: an aim other than
// time is one for any move.
std::optional<Route> cheapest_route(const std::vector<Layout>& sources, const Layout& target,
                                    const Shape& shape, const Machine& machine,
                                    MoveRule rule = MoveRule::Any,
                                    const std::optional<Transpose>& transpose = {},
                                    const std::vector<AxisId>& whole = {},
                                    std::size_t most_moves = Relayout::kMostMoves,
                                    const Aim& aim = {});

// With its weight from exact costs.
Route weighed(FoundRoute found, const Shape& shape, const Machine& machine);

// Whether the move is over exactly these axes, in any order.
bool is_over(const Move& move, const std::vector<AxisId>& axes);

// How many other routes `why` lists.
inline constexpr std::size_t kMostOthers = 3;
// The cheapest routes that begin otherwise than the one taken from the source, the cheapest first: what `why` lists for a
// re-layout (runners_up.h).
std::vector<Route> other_routes(const Layout& source, const Layout& target, const Shape& shape,
                                const Machine& machine, const std::vector<Move>& taken,
                                const std::optional<Transpose>& transpose = {});

// The route from `source` with a transpose inserted where it is lightest.
Route transposed(Route route, const Layout& source, const Shape& shape, const Machine& machine,
                 const Transpose& transpose);

Cost cost_of(const Route& route, const Shape& shape, const Machine& machine);

}  // namespace shard::planning
