// The layout of a result that the script leaves open.
#pragma once

#include <optional>
#include <vector>

#include "interpreter/planning/term.h"

namespace shard::planning {

// The layout in which the cheapest way leaves a term, by the book's formulas at the reference figures and from the
// copies that the script itself wrote. What later lines may say about the result depends on these alone, not on the
// chip, the cost model or earlier inference. nullopt if the term cannot be computed. `beside`: as in plan_term.
// REQUIRES: not a source.
std::optional<Layout> open_layout(const Term& term, const Mesh& mesh,
                                  const std::vector<AxisId>& beside);

}  // namespace shard::planning
