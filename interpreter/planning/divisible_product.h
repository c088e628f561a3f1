// Products that can be cut into parts, which run beside the hops of a collective.
#pragma once

#include <vector>

#include "interpreter/planning/term_plan.h"

namespace shard::planning {

// Whether a product of the way has a collective over these axes, and no others, next to it, and can be cut along it: an
// AllGather of one dimension of an operand, or a reduction of the result.
bool has_beside(const Term& term, const Made& made, const std::vector<AxisId>& axes,
                const Mesh& mesh);

}  // namespace shard::planning
