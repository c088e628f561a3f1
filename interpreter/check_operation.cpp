#include "interpreter/check_operation.h"

#include <fmt/format.h>

#include "base/text.h"
#include "grammar/names.h"
#include "grammar/printer.h"
#include "interpreter/planning/relayout.h"

namespace shard {

namespace {

// What the names of an expression without brackets and numbers say.
struct NameCount {
  bool names_only = true;
  bool has_brackets = false;
  bool known_array = false;
  bool all_scalar = true;
};

bool is_known_scalar(const std::string& name, const Scope& scope) {
  return scope.find_binding(name) != nullptr || scope.find_dimension(name) || scope.find_axis(name);
}

void count_names(const ast::Expr& expr, const Scope& scope, NameCount& count) {
  match(
      expr.node,
      [&](const ast::ArrayRef& array) {
        if (array.bracketed) {
          count.has_brackets = true;
        } else if (array.name) {
          const bool scalar = is_known_scalar(array.name->text, scope);
          count.known_array = count.known_array || scope.find_array(array.name->text).has_value();
          count.all_scalar = count.all_scalar && scalar;
        }
      },
      [&](const ast::Product& product) {
        count_names(*product.left, scope, count);
        count_names(*product.right, scope, count);
      },
      [&](const ast::Collective&) { count.has_brackets = true; },
      [&](const ast::Binary& binary) {
        NameCount inner;
        count_names(*binary.left, scope, inner);
        count_names(*binary.right, scope, inner);
        count.has_brackets = count.has_brackets || inner.has_brackets;
        count.names_only = false;
      },
      [&](const ast::Unary&) { count.names_only = false; },
      [&](const ast::Number&) { count.names_only = false; },
      [&](const ast::Call&) { count.names_only = false; },
      [&](const ast::Shaped&) { count.has_brackets = true; },
      [&](const ast::Text&) { count.names_only = false; },
      [&](const ast::Member&) { count.names_only = false; },
      [&](const ast::SizeOf&) { count.names_only = false; },
      [&](const ast::BlockExpr&) { count.names_only = false; });
}

std::optional<checked::Operation> not_an_array(const ast::Expr& expr, CheckContext& context) {
  report(context, DiagnosticKind::NotArray, expr.at.span,
         fmt::format("`{}` is not an array", print(expr, Spelling::Unicode)),
         {"a product of arrays takes names, brackets and collectives"});
  return std::nullopt;
}

std::optional<checked::Operation> not_yet(const ast::Expr& expr, CheckContext& context) {
  report(
      context, DiagnosticKind::NotYet, expr.at.span,
      fmt::format("this version does not compute `{}` on arrays", print(expr, Spelling::Unicode)),
      {"products and collectives are what it runs"});
  return std::nullopt;
}

}  // namespace

bool is_array_expression(const ast::Expr& expr, const Scope& scope) {
  NameCount count;
  count_names(expr, scope, count);
  if (count.has_brackets) return true;
  return count.names_only && count.known_array && !count.all_scalar;
}

std::optional<checked::Operation> check_operation(const ast::Expr& expr, const TargetHint& target,
                                                  CheckContext& context) {
  return match(
      expr.node, [&](const ast::ArrayRef& array) { return check_use(array, context); },
      [&](const ast::Product& product) {
        return check_product(product, expr.at.span, target, context);
      },
      [&](const ast::Collective& collective) {
        return check_collective(collective, expr.at.span, target, context);
      },
      [&](const ast::Binary&) { return not_yet(expr, context); },
      [&](const ast::Unary&) { return not_yet(expr, context); },
      [&](const ast::Number&) { return not_an_array(expr, context); },
      [&](const ast::Call&) { return not_yet(expr, context); },
      [&](const ast::Shaped&) { return not_yet(expr, context); },
      [&](const ast::Text&) { return not_an_array(expr, context); },
      [&](const ast::Member&) { return not_an_array(expr, context); },
      [&](const ast::SizeOf&) { return not_an_array(expr, context); },
      [&](const ast::BlockExpr&) { return not_an_array(expr, context); });
}

std::string bracket_text(const std::vector<DimensionId>& labels, const Layout& layout,
                         const Scope& scope) {
  return to_string(layout, scope.names_of(labels), scope.mesh());
}

std::string describe(const checked::Operation& operation, const Scope& scope) {
  const std::string name = match(
      operation.node, [&](const checked::Use& use) { return scope.arrays[use.array].name; },
      [](const checked::Product&) { return std::string(); },
      [&](const checked::Collective& collective) {
        const std::string operand = describe(*collective.operand, scope);
        return operand.substr(0, operand.find('['));
      });
  return name + (operation.layout
                     ? bracket_text(operation.labels, *operation.layout, scope)
                     : bracket_text(operation.labels, replicated(operation.labels.size()), scope));
}

std::string way_between(const checked::Operation& operand, const Layout& target,
                        const Scope& scope) {
  const Layout from = without_trivial_axes(*operand.layout, scope.mesh());
  const Layout to = without_trivial_axes(target, scope.mesh());
  const planning::Shape shape{.lengths = scope.shape_of(operand.labels), .dtype = operand.dtype};
  const auto route = planning::cheapest_route({from}, to, shape, scope.hardware());
  if (!route)
    return "no collective leads from there to the target: it is unreduced over an axis that the "
           "operand is not";
  std::vector<std::string> names;
  for (const planning::Move& move : route->moves) {
    names.push_back(planning::name_of(move, scope.names_of(operand.labels), scope.mesh()));
  }
  return names.empty() ? "the operand has the target's layout already"
                       : join_words(names, "then") + " would lead to the target";
}

}  // namespace shard
