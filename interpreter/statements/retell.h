// Mistakes of a statement that has been run, said with what the script's names mean.
#pragma once

#include <cstddef>

#include "interpreter/statements/run_context.h"

namespace shard {

// Looks at what was reported of the statement, all that is in `sink`, as names in each other's place, misspelt axes and figures,
// and a line of another language; with RunnerOptions::try_help each line that help offers is run first. `before`: the scope in
// which the statement was run.
void retell(const ast::Statement& statement, const Scope& before, RunContext& context,
            DiagnosticSink& sink);

// Where making an input would not help: what was said of unknown arrays from `first` on offers those that are there, without `inputs`
// those that were computed. `what` these are: "computed so far".
void offer_arrays(std::size_t first, const char* what, bool inputs, RunContext& context);

}  // namespace shard
