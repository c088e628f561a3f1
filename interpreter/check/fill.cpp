// Arrays of one number: `A[I_X, J] = 0.5` of what is declared.
#include "interpreter/check/array.h"
#include "interpreter/check/operation.h"

namespace shard {

bool is_fill(const ast::Expr& value, const ast::ArrayRef& target, const Scope& scope) {
  if (!target.bracketed || !target.name || !target.indices.empty()) return false;
  const auto array = scope.names.find_declared(target.name->text);
  return array && scope.store.arrays[*array].declared && is_number(value, scope);
}

std::optional<checked::Operation> check_fill(const ast::Expr& value, const ast::ArrayRef& target,
                                             const TargetHint& hint, CheckContext& context) {
  if (!hint.brackets) return std::nullopt;
  const Scope& scope = context.scope;
  const std::vector<DimensionId>& labels = hint.brackets->labels;
  const auto number = plain_number(value, context);
  if (!number || !check_element_count(labels, value.at.span, context)) return std::nullopt;
  checked::Elementwise elements;
  elements.program.push_back({.op = ElementOp::Constant, .constant = *number});
  checked::Operation result{.node = std::move(elements), .labels = labels};
  result.dtype = scope.store.arrays[*scope.names.find_declared(target.name->text)].dtype;
  result.layout = replicated(labels.size());
  result.span = value.at.span;
  return result;
}

}  // namespace shard
