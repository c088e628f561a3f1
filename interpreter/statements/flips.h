// At which sizes a statement would be done in another way.
#pragma once

#include "interpreter/statements/run_context.h"

namespace shard {

// For each size of the statement that has a number: the nearest smaller and the nearest larger one at which planning, with everything
// else as it is, would choose otherwise; none within a factor of 4096. Empty where lengths are parts of the statement, as in indices.
std::vector<WayFlip> flips_of(const StatementRecord& record, const Program& program,
                              const Scope& scope);

}  // namespace shard
