#include "grammar/tree/walk_expression.h"

#include "grammar/tree/names.h"

namespace shard {

void for_each_operand(ast::Expr& expr, const std::function<void(ast::Expr&)>& visit) {
  match(
      expr.node, [](ast::Number&) {}, [](ast::ArrayRef&) {},
      [&](ast::Product& product) {
        visit(*product.left);
        visit(*product.right);
      },
      [&](ast::Binary& binary) {
        visit(*binary.left);
        visit(*binary.right);
      },
      [&](ast::Unary& unary) { visit(*unary.operand); },
      [&](ast::Collective& collective) { visit(*collective.operand); },
      [&](ast::Call& call) {
        for (auto& argument : call.arguments) visit(*argument);
      },
      [&](ast::Shaped& shaped) { visit(*shaped.value); },
      [&](ast::Indexed& indexed) {
        visit(*indexed.value);
        for (ast::Index& index : indexed.indices) visit(*index.value);
      },
      [](ast::Text&) {}, [&](ast::Member& member) { visit(*member.object); }, [](ast::SizeOf&) {},
      [](ast::BlockExpr&) {}, [](ast::Question&) {});
}

void for_each_operand(const ast::Expr& expr, const std::function<void(const ast::Expr&)>& visit) {
  // Visiting changes nothing here.
  for_each_operand(const_cast<ast::Expr&>(expr),  // NOLINT(cppcoreguidelines-pro-type-const-cast)
                   [&](ast::Expr& operand) { visit(operand); });
}

bool any_inside(const ast::Expr& expr, const std::function<bool(const ast::Expr&)>& condition) {
  bool found = condition(expr);
  for_each_operand(
      expr, [&](const ast::Expr& operand) { found = found || any_inside(operand, condition); });
  return found;
}

bool mentions(const ast::Expr& expr, const std::string& name) {
  return any_inside(expr, [&](const ast::Expr& inner) {
    const auto* array = std::get_if<ast::ArrayRef>(&inner.node);
    return array != nullptr && array->name && !array->bracketed &&
           name_key(array->name->text) == name_key(name);
  });
}

}  // namespace shard
