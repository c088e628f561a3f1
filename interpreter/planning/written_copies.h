// The copies that the script wrote, without those that were inferred on the way of earlier statements.
#pragma once

#include "interpreter/planning/term.h"

namespace shard::planning {

// The term, computed from these alone. Which others there are depends on the chip and the cost model, and what a script may say
// does not. Their places in each source stay the same.
Term from_written(Term term);

}  // namespace shard::planning
