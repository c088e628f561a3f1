// What a script wants of the contents of arrays, carried out when the run is over: `save`, `expect equal(A, B)`.
#pragma once

#include <functional>
#include <vector>

#include "interpreter/check/run_files.h"
#include "interpreter/execute/execution.h"
#include "interpreter/statements/entries.h"

namespace shard {

// Fills in expectations from `first_entry` on, and writes files.
// Where `cancelled` says so, nothing more is written, and the execution was cancelled. Reports ExpectFailed and
// ExecutionFailed.
void settle_requests(const Program& program, Execution& execution, std::size_t first_entry,
                     const std::function<bool()>& cancelled, RunFiles& files,
                     std::vector<Entry>& entries, DiagnosticSink& sink);

}  // namespace shard
