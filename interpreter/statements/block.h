// `if`, and braces that group statements.
#pragma once

#include "interpreter/statements/context.h"

namespace shard {

// The statements of the branch stand here as if there were no `if`. Reports BadArgument and Undecidable.
void run_if(const ast::If& node, const StatementRunner& runner);
// Names of a block are its own; inputs that it is the first to use are the script's.
void run_group(const ast::Group& group, const StatementRunner& runner);

}  // namespace shard
