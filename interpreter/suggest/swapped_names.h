// Dimensions that stand where an axis belongs, and axes where a dimension does.
#pragma once

#include "grammar/diagnostics/diagnostic.h"
#include "grammar/tree/ast.h"
#include "interpreter/ir/symbols.h"

namespace shard {

// Puts one diagnostic, with the edits that mend the statement, in the place of those about such names. Leaves them as they
// are where nothing shows which axis or dimension is meant.
void retell_swapped(const ast::Statement& statement, const Scope& scope, DiagnosticSink& sink);

}  // namespace shard
