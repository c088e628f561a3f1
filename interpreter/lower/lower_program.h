// A whole checked program becomes plans.
#pragma once

#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "interpreter/ir/checked_program.h"
#include "interpreter/program/program.h"

namespace shard {

// The programs, one for each machine and for each pass that stands for itself, in the order in which they begin. What `lower`
// reports goes into `sink`.
std::vector<Program> lower_all(const checked::Program& program, DiagnosticSink& sink);

}  // namespace shard
