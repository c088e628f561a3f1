// The copies that the script wrote, without those inferred for earlier statements.
#pragma once

#include "interpreter/planning/term.h"

namespace shard::planning {

// The term, computed only from these. Which other copies exist depends on the chip and the cost model; what a script
// may say must not. Written copies keep their positions in each source.
Term from_written(Term term);

}  // namespace shard::planning
