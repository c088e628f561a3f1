// The cheapest way to compute a term, over all layouts of its operands and all ways to finish the result (`plan cheapest`).
#pragma once

#include <cstddef>
#include <optional>

#include "interpreter/planning/term_plan.h"
#include "runtime/machine/machine.h"

namespace shard::planning {

// How much a search may do, and what is of use.
struct CheapestLimits {
  std::size_t most_moves =
      Relayout::kMostMoves;        // moves between layouts, and pairs of layouts that meet
  double most_seconds = HUGE_VAL;  // ways that take longer need not be found
};

struct CheapestWay {
  MadePtr made;  // null: there is none in these seconds, or the term is not searched
  bool is_searched = false;
  bool is_complete = false;  // nothing was left out for the sake of the budget
};

// For each part of the term, from the leaves on, a table of all layouts that it can be had in, each with the lightest way to
// it: the tables of the operands meet where the splits of the labels that they share are equal, and what is computed there
// spreads to all layouts that moves lead to. The last table is not made: a search goes from there to the target, or
// without one to the cheapest layout that leaves nothing unreduced.
// Parts of a term that select by position are planned by `Planner`, and so are terms that read placed arrays.
// Arrays that both operands of a product read are counted for each. Ties as in `lighter`, then in the order of the tables.
CheapestWay cheapest_way(const Term& term, const std::optional<Layout>& target,
                         const Machine& machine, const CheapestLimits& limits);

}  // namespace shard::planning
