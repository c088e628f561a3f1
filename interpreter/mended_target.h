// Dimensions that an operand or the target of a statement lacks.
#pragma once

#include "grammar/ast.h"
#include "grammar/diagnostic.h"
#include "interpreter/scope.h"

namespace shard {

// Of brackets with too few or too many dimensions was told: the line gets those that the operands have, in their layout.
void mend_dimensions(const ast::Statement& statement, const Scope& scope, DiagnosticSink& sink);

}  // namespace shard
