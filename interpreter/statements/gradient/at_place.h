// Statements that were not written: all of one stands at the place of what asked for it.
#pragma once

#include "grammar/tree/ast.h"

namespace shard {

// REQUIRES: a flow, an assignment, a declaration of one array or a binding, without blocks.
void put_at(ast::Statement& statement, ast::Location place);

}  // namespace shard
