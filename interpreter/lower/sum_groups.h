// Sums of partial sums: what is unreduced over the same axes is added before it is reduced, so that it is reduced once.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "interpreter/ir/checked.h"
#include "interpreter/planning/term_plan.h"

namespace shard {

// A value whose sums are bracketed otherwise than written, and the term that stands for it in planning.
struct GroupedSums {
  checked::Operation value;
  planning::Term term;
  // The leaves of the term (planning::Source), from left to right, by their places in the term as it was written.
  std::vector<std::size_t> leaves;
};

// `x + P + Q` as `x + (P + Q)`, where the way makes P and Q as partial sums over the same axes: with brackets they can be added
// unreduced. So is each linear combination in the value, and each that something else is computed of. nullopt if nothing is to
// be bracketed; what is linear in partial sums over the same axes as a whole is left to planning. `way`: one for the term.
std::optional<GroupedSums> with_grouped_sums(const checked::Operation& value,
                                             const planning::Term& term, const planning::Made& way);

}  // namespace shard
