// Lines run on a copy of the tables, to see what would be said of them.
#pragma once

#include "interpreter/statements/runner.h"
#include "interpreter/suggest/tried_lines.h"

namespace shard {

// Runs lines where `scope` is in force; nothing of what they do stays. `state` has the calls that run. The function holds both
// by reference.
TryLine line_trial(const Scope& scope, const RunnerState& state, const RunnerOptions& options);

}  // namespace shard
