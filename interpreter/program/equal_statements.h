// Statements of which a report shows one, with their number.
#pragma once

#include "interpreter/program/program.h"

namespace shard {

// Whether a report shows the same for both, but for numbers such as the index of a pass. An equivalence.
bool are_equal(const Program& program, const StatementRecord& a, const StatementRecord& b);

}  // namespace shard
