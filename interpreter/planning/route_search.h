// The cheapest way from one of several layouts of an array to another.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "interpreter/planning/moves.h"
#include "interpreter/planning/weight.h"
#include "runtime/machine/machine.h"

namespace shard::planning {

struct Route {
  std::size_t source = 0;   // index of the layout it starts from
  std::vector<Move> moves;  // empty: that layout is the target
  Weight weight;
};

// The lightest sequence of moves from any source to the target (ties: the earlier source, then the
// fewer moves), by `rule` or, where that leads nowhere, by the next wider one; gathering and slicing off again is weighed in any
// case; nullopt if the target cannot be reached, which is so only if it is unreduced over axes that no source is unreduced over.
// Layouts must not hold axes of size 1. With `transpose` one of the moves is that, wherever it makes the sequence
// lightest, and equally light as late as can be. All layouts are in the order of the sources' dimensions, also those
// after the transpose. With `whole` a collective over some of these axes is over them and no others.
std::optional<Route> cheapest_route(const std::vector<Layout>& sources, const Layout& target,
                                    const Shape& shape, const Machine& machine,
                                    MoveRule rule = MoveRule::Direct,
                                    const std::optional<Transpose>& transpose = {},
                                    const std::vector<AxisId>& whole = {});

// Whether the axes of the move are these, in any order.
bool is_over(const Move& move, const std::vector<AxisId>& axes);

// The same from one layout, with every different first step kept: what `why` lists for a re-layout.
std::vector<Route> routes_weighed(const Layout& source, const Layout& target, const Shape& shape,
                                  const Machine& machine,
                                  const std::optional<Transpose>& transpose = {});

// The route from `source` with a transpose put where it is lightest.
Route transposed(Route route, const Layout& source, const Shape& shape, const Machine& machine,
                 const Transpose& transpose);

Cost cost_of(const Route& route, const Shape& shape, const Machine& machine);

}  // namespace shard::planning
