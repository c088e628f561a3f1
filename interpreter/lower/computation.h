// Products, elements, reductions and selections: planning decides in which layouts, and the steps of the cheapest way
// are written.
#pragma once

#include <optional>

#include "grammar/diagnostics/diagnostic.h"
#include "interpreter/lower/written.h"

namespace shard {

// Computes the value of a flow; nullopt after a report (ResultUnreduced). The ways that were weighed go into `record`.
// REQUIRES: a computation, no use and no collective.
std::optional<CopyId> lower_computation(const checked::Flow& flow, const ResultNames& results,
                                        StepWriter& writer, StatementRecord& record,
                                        DiagnosticSink& sink);

}  // namespace shard
