// Values that are shown: by `print`, and by a statement that is nothing but an expression.
#pragma once

#include "interpreter/statements/run_context.h"

namespace shard {

// What a session at a terminal calls its last value, which `_` stands for there.
inline constexpr const char* kLastValue = "ans";

// `c.steps`: the list of them. False if it is something else.
bool say_steps(const ast::Expr& expr, RunContext& context);
// A value that a statement of its own asks for.
void say(const ast::Expr& expr, const Value& value, RunContext& context);
// Says of an array its type and its copies.
void say(ArrayId array, RunContext& context);

}  // namespace shard
