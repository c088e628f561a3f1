// Statements about arrays: flows, assignments, equations, declarations.
#pragma once

#include <optional>

#include "interpreter/check/operation.h"

namespace shard {

// `E → T` or `T = E`. The target becomes known even if something is wrong, so that one mistake stays one error.
std::optional<checked::Flow> check_flow(const ast::Expr& value, const ast::ArrayRef& target,
                                        Span span, CheckContext& context);
// The same with a target whose brackets were looked up already, perhaps where its names mean something else.
std::optional<checked::Flow> check_flow(const ast::Expr& value, const ast::ArrayRef& target,
                                        const TargetHint& hint, Span span, CheckContext& context);
// The axes behind `overlap`. False if something is wrong with them.
bool check_overlap(const std::vector<ast::Identifier>& axes, checked::Flow& flow,
                   CheckContext& context);
// The target's brackets, or what its declaration says. `value` is what flows into it. Reports what is wrong in brackets, and
// TargetMismatch where they contradict a declaration.
TargetHint look_up_target(const ast::ArrayRef& target, const ast::Expr& value,
                          CheckContext& context);
// A lone expression of arrays: its result has no name and is not kept. nullopt for a lone array, which is only named.
std::optional<checked::Flow> check_evaluate(const ast::Expr& value, Span span,
                                            CheckContext& context);
// Operations on both sides: both are checked, and they must leave the same dimensions and layout.
void check_equation(const ast::Equation& equation, Span span, CheckContext& context);

}  // namespace shard
