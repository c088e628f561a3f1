// The copy of an array that is wanted when the run is over.
#pragma once

#include <optional>

#include "interpreter/check/brackets.h"
#include "interpreter/program/program.h"

namespace shard {

// The one that the array stands for where it is read; an input appears in the plan. Reports NotArray, and what `check_use`
// reports.
std::optional<CopyId> requested_copy(const ast::Expr& array, Program& program,
                                     CheckContext& context);

}  // namespace shard
