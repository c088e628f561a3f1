// Walks over expressions.
#pragma once

#include <functional>
#include <string>

#include "grammar/tree/ast.h"

namespace shard {

// Calls `visit` for each operand of the expression, left to right; blocks and questions are not operands.
void for_each_operand(ast::Expr& expr, const std::function<void(ast::Expr&)>& visit);
void for_each_operand(const ast::Expr& expr, const std::function<void(const ast::Expr&)>& visit);

// Whether the expression, or one inside it, satisfies the condition. Blocks and questions are not searched.
bool any_inside(const ast::Expr& expr, const std::function<bool(const ast::Expr&)>& condition);
// Whether it contains a bare name of that spelling.
bool mentions(const ast::Expr& expr, const std::string& name);

}  // namespace shard
