// The axes of a written collective that names none.
#pragma once

#include <vector>

#include "runtime/plan/plan.h"

namespace shard {

// The axes over which the collective turns `from` into `to` (design: language, "Collectives"), in the order in which the
// target has them. Without a target, null, what `from` alone shows; none if nothing shows them. REQUIRES: equal ranks.
std::vector<AxisId> inferred_axes(CollectiveKind kind, const Layout& from, const Layout* to);

}  // namespace shard
