// What ways are judged by under each objective (docs/language.md, "The cheapest plan").
#pragma once

#include <limits>

#include "interpreter/planning/term_plan.h"

namespace shard::planning {

// That of the rule; of `Cases` it is the time.
Objective objective_of(PlanRule rule);

// What the objective counts, then what decides between equals: the time, the bytes moved, the number of steps.
struct Rank {
  double figure = std::numeric_limits<double>::infinity();
  Weight weight;
};
bool is_better(const Rank& a, const Rank& b);

// Of a way to make the term. Where times are no numbers, the timeline is their sum.
Rank rank_of(const Term& term, const Made& made, const Machine& machine, Objective objective);

// The most bytes that a step on the way reads and writes on a device.
double most_held(const Term& term, const Made& made, const Machine& machine);
// Of moves alone.
double most_held(const std::vector<Move>& moves, const Shape& shape, const Machine& machine);

}  // namespace shard::planning
