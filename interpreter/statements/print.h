// Values that are shown: by `print`, and by a statement that is nothing but an expression.
#pragma once

#include <optional>

#include "interpreter/ir/checked.h"
#include "interpreter/statements/run_context.h"

namespace shard {

class Functions;

// What a session at a terminal calls its last value, which `_` stands for there.
inline constexpr const char* kLastValue = "ans";

// `c.steps`: the list of them. False if it is something else.
bool say_steps(const ast::Expr& expr, RunContext& context);
// A value that a statement of its own asks for.
void say(const ast::Expr& expr, const Value& value, RunContext& context);
// Plans what an expression of arrays gives that stands alone, and says what it holds if that is little, or which copies there are
// of an array that is only named. `value` is what `written` becomes once functions have been called.
void say_result(const ast::Expr& value, const ast::Expr& written, const ast::Statement& statement,
                RunContext& context);

// Calls a function that ends with `return` of one value, and says what that is: of an array what it holds, or only if that is
// little. False where it is not to be the last value.
enum class Says { Elements, FewElements };
bool say_returned(const ast::Call& call, const ast::Expr& written, Says says, Functions& calls,
                  RunContext& context);

// Whether what a statement shows here is what `_` means from here on.
bool is_last_value(const RunContext& context);
// Plans an expression without a target, which is the last value then where there is one. nullopt after a mistake.
std::optional<CopyId> plan_unnamed(checked::Flow flow, const ast::Statement& statement,
                                   RunContext& context);

}  // namespace shard
