// Products, elements, reductions and selections: planning decides in which layouts, and the steps of the cheapest way
// are written.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "interpreter/lower/written.h"
#include "interpreter/planning/term_plan.h"

namespace shard {

// Computes the value of a flow; nullopt after a report (ResultUnreduced). The ways that were weighed go into `record`. The value may
// be bracketed otherwise (sum_groups.h); not where `value`, that of the flow, is null. REQUIRES: a computation, no use and no
// collective.
std::optional<CopyId> lower_computation(const checked::Flow& flow, checked::Operation* value,
                                        const ResultNames& results, StepWriter& writer,
                                        StatementRecord& record, DiagnosticSink& sink);

// Writes the steps of a way that was weighed for it, whichever was taken. Returns the first of them: what was written out in the
// statement comes before.
std::size_t carry_out(const planning::Made& way, const checked::Flow& flow,
                      const ResultNames& results, StepWriter& writer);

// A factor of a chain of products, and its number in the value (checked::OnTheWay).
struct ChainFactor {
  const checked::Operation* operation;
  int number;
};
// From left to right. `number`: that of the chain.
std::vector<ChainFactor> factors_of(const checked::Operation& chain, int number = 0);

// Says so if the search for the cheapest moves of a way ended before it was done.
void note_budget(const planning::Made& way, const checked::Flow& flow, DiagnosticSink& sink);
// Says so if `plan cheapest` would do a statement in less time.
void note_cheaper(const StatementRecord& record, DiagnosticSink& sink);

}  // namespace shard
