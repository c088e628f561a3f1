// Statements that could not be read.
#pragma once

#include "grammar/tree/ast.h"
#include "interpreter/ir/symbols.h"

namespace shard {

// What a statement with a reported mistake would have made is unknown: using it is no second mistake.
void skip(const ast::Statement& statement, Scope& scope);

}  // namespace shard
