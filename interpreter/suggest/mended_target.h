// Dimensions that an operand or the target of a statement lacks.
#pragma once

#include "grammar/diagnostics/diagnostic.h"
#include "grammar/tree/ast.h"
#include "interpreter/ir/symbols.h"

namespace shard {

// Of brackets with too few or too many dimensions was reported: the line gets those that the operands have, in their layout.
void mend_dimensions(const ast::Statement& statement, const Scope& scope, DiagnosticSink& sink);

}  // namespace shard
