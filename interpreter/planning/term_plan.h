// The cheapest layouts to compute each part of a term in; for products by the documents' four cases.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "interpreter/planning/route_search.h"
#include "interpreter/planning/term.h"
#include "runtime/machine/machine.h"

namespace shard::planning {

// How a term gets to a layout: start from a source, compute locally, move.
struct Made;
using MadePtr = std::shared_ptr<const Made>;
struct MadeFrom {
  std::vector<MadePtr> operands;  // of a product left and right
};
struct Made {
  std::variant<std::size_t, MadeFrom> origin;  // index of a source's layout, or a local computation
  Layout start;                                // the layout of the origin
  std::vector<Move> moves;                     // from there
  Layout layout;                               // and where they lead
  Weight weight;                               // of all of it
  Cost cost;
  Formula time;  // Σ of the steps' times
};

// The ways that were weighed, lightest first; never empty unless the target is unreduced over an axis that nothing
// leaves so. `target`: the layout to end in, or nullopt for whichever is cheapest with nothing left unreduced. Only the
// lightest way to each layout of an intermediate result is kept. REQUIRES: no source. With `beside` a collective over
// these axes and no others is wanted next to a product, an AllGather of an operand or a reduction of the result: if the
// lightest way has none, the ways that have one are given, if any.
std::vector<MadePtr> plan_term(const Term& term, const std::optional<Layout>& target,
                               const Machine& machine, const std::vector<AxisId>& beside = {});

// The ways to bring what is in one of `sources` into `target`: the cheapest one, and from the same source others that
// begin with another move. None if it cannot be reached. `as_new`: another array is made, whose dimensions may stand in
// another order, which is transposed once on the way; what no move leads to is written anew as well. `target` is in the
// order of the sources' dimensions; a way's moves after the transpose are in the other.
std::vector<MadePtr> plan_moves(const std::vector<Layout>& sources, const Layout& target,
                                const Shape& shape, const Machine& machine,
                                const std::optional<Transpose>& as_new = {});

}  // namespace shard::planning
