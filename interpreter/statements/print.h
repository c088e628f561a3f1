// Values that are shown: by `print`, and by a statement that is nothing but an expression.
#pragma once

#include "interpreter/statements/run_context.h"

namespace shard {

// A value that a statement of its own asks for.
void say(const ast::Expr& expr, const Value& value, RunContext& context);
// The same of an array: its type and its copies.
void say(ArrayId array, RunContext& context);

}  // namespace shard
