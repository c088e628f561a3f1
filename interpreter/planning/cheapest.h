// The cheapest way to compute a term, over all layouts of its operands and all ways to finish the result (`plan cheapest`).
#pragma once

#include <cstddef>
#include <optional>

#include "interpreter/planning/layout_table.h"
#include "interpreter/planning/term_plan.h"
#include "runtime/machine/machine.h"

namespace shard::planning {

// How much a search may do, and what is of use.
struct CheapestLimits {
  std::size_t most_moves =
      Relayout::kMostMoves;  // moves between layouts, and pairs of layouts that meet
  Usefulness useful = {};    // ways that take more need not be found
  bool associates = true;    // chains otherwise than written as well
};

inline constexpr std::size_t kMostFactors = 24;

struct CheapestWay {
  MadePtr made;  // null: there is none of any use, or the term is not searched
  bool is_searched = false;
  bool is_complete = false;  // nothing was left out for the sake of the budget
  std::size_t weighed = 0;   // moves and pairs
};

// Seconds that no way to make the term undercuts: its operations spread over all devices, chains in the association that has the
// fewest.
double least_seconds(const Term& term, const Machine& machine);

// For each part of the term, from the leaves on, a table of all layouts that it can be had in, each with the lightest way to
// it: the tables of the operands meet where the splits of the labels that they share are equal, and what is computed there
// spreads to all layouts that moves lead to. The last table is not made: a search goes from there to the target, or
// without one to the cheapest layout that leaves nothing unreduced.
// The objective is the aim's: the time, the bytes moved, or as `Timeline` the time where operands of one operation are made side by
// side, each as if it had all links to itself; no timeline ends before. `Memory` is not searched for: it is a limit of the aim's, under
// which the least time is.
// A chain of up to kMostFactors factors is associated otherwise than written where that is lighter: a table for each part between
// two factors, from all places where it can be cut.
// Parts of a term that select by position are planned by `Planner`, and so are terms that read placed arrays.
// Arrays that both operands of a product read are counted for each. Ties as in `lighter`, then in the order of the tables.
CheapestWay cheapest_way(const Term& term, const std::optional<Layout>& target,
                         const Machine& machine, const CheapestLimits& limits);

}  // namespace shard::planning
