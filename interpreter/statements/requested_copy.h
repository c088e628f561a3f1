// The copy of an array that is wanted when the run is over.
#pragma once

#include <optional>

#include "interpreter/statements/run_context.h"

namespace shard {

// The one that the array stands for where it is read; an input appears in the plan. Reports NotArray, and what `check_use`
// reports.
std::optional<CopyId> requested_copy(const ast::Expr& array, RunContext& context);

}  // namespace shard
