// The cheapest layouts to compute each part of a term in; for products by the documents' four cases.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "interpreter/planning/relayout.h"
#include "interpreter/planning/term.h"

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
// lightest way to each layout of an intermediate result is kept. REQUIRES: no source.
std::vector<MadePtr> plan_term(const Term& term, const std::optional<Layout>& target,
                               const Machine& machine);

}  // namespace shard::planning
