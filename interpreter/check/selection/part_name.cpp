#include "interpreter/check/selection/part_name.h"

#include "interpreter/check/selection/places.h"

namespace shard {

namespace {

const ast::Identifier* bare_name(const ast::Expr& expr) {
  const auto* name = std::get_if<ast::ArrayRef>(&expr.node);
  return name == nullptr || name->bracketed || !name->name ? nullptr : &*name->name;
}

// `2*K`, `K + K`: where a part that begins at K is K long whatever K is. `t:t + 4` is so for one t, which says nothing.
bool is_twice(const ast::Expr& end, const std::string& name) {
  const auto is_name = [&](const ast::Expr& expr) {
    const ast::Identifier* own = bare_name(expr);
    return own != nullptr && own->text == name;
  };
  const auto is_two = [](const ast::Expr& expr) {
    const auto* number = std::get_if<ast::Number>(&expr.node);
    return number != nullptr && number->value == Rational(2);
  };
  const auto of_both = [&](const ast::Expr& left, const ast::Expr& right) {
    return (is_two(left) && is_name(right)) || (is_name(left) && is_two(right));
  };
  if (const auto* product = std::get_if<ast::Product>(&end.node))
    return of_both(*product->left, *product->right);
  const auto* binary = std::get_if<ast::Binary>(&end.node);
  if (binary == nullptr) return false;
  return binary->op == ast::BinaryOp::Add ? is_name(*binary->left) && is_name(*binary->right)
                                          : of_both(*binary->left, *binary->right);
}

// The K of `-K`.
const ast::Identifier* negated_name(const ast::Expr& expr) {
  const auto* unary = std::get_if<ast::Unary>(&expr.node);
  return unary == nullptr ? nullptr : bare_name(*unary->operand);
}

}  // namespace

std::optional<DimensionId> name_of_part(const ast::Slice& slice, const Formula& begin, bool is_last,
                                        Scope& scope) {
  const auto& named = begin.is_zero() ? slice.end : slice.begin;
  const ast::Identifier* name = named ? bare_name(**named) : nullptr;
  if (name == nullptr && named && is_last) name = negated_name(**named);
  if (name == nullptr) return std::nullopt;
  if (!begin.is_zero() && !is_last && !is_twice(**slice.end, name->text)) return std::nullopt;
  const BindingInfo* binding = scope.find_binding(name->text);
  if (binding != nullptr && binding->counts) return std::nullopt;
  if (!is_size_like(name->text) && !scope.names.find_dimension(name->text)) return std::nullopt;
  return scope.intern_dimension(name->text);
}

}  // namespace shard
