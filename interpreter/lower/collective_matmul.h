// Products alongside the hops of their collectives: collective matmul.
#pragma once

#include "grammar/diagnostics/diagnostic.h"
#include "interpreter/lower/step_writer.h"
#include "interpreter/program/program.h"

namespace shard {

// Rewrites the steps of a statement, which are the program's last ones: an AllGather of an operand over the axes behind
// `overlap`, or a ReduceScatter or AllReduce of a result, and the product alongside it become |axes| parts of the product,
// with a hop of one block alongside each (language, "Statements"). Reports NothingToOverlap if there is none, and returns
// false.
bool write_overlapped(const checked::Flow& flow, StepWriter& writer, StatementRecord& record,
                      DiagnosticSink& sink);

}  // namespace shard
