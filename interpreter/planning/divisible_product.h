// Products that can be cut into parts, which then overlap with the hops of a collective.
#pragma once

#include <vector>

#include "interpreter/planning/term_plan.h"

namespace shard::planning {

// Whether some product of this way sits next to a collective over exactly these axes and can be cut along it. The
// collective is an AllGather of one dimension of an operand, or a reduction of the result.
bool has_beside(const Term& term, const Made& made, const std::vector<AxisId>& axes,
                const Mesh& mesh);

}  // namespace shard::planning
