// Operands of a product that is to do without communication.
#pragma once

#include <vector>

#include "interpreter/check/operation.h"
#include "interpreter/planning/local_layout.h"

namespace shard {

// A line in front of the statement that brings one of the two operands to the layout that fits the other, and the statement
// with that. Empty if neither is an array alone. `begin` is where the statement begins.
std::vector<Edit> local_edits(const checked::Operation& left, const checked::Operation& right,
                              const planning::Misfit& misfit, const Layout& target,
                              const Span& begin, const Scope& scope);

}  // namespace shard
