#include "interpreter/statements/wanted_array.h"

#include <algorithm>
#include <utility>

#include "base/function.h"
#include "grammar/print/printer.h"
#include "interpreter/check/flow.h"
#include "interpreter/check/operation.h"
#include "interpreter/check/selection/places.h"
#include "interpreter/statements/flow.h"
#include "interpreter/statements/functions/call.h"
#include "interpreter/statements/print.h"

namespace shard {

namespace {

bool is_free(const StatementRecord& made, const Program& program) {
  for (std::size_t i = made.first_step; i < made.end_step; ++i) {
    if (bound_of(*program.steps[i].cost) != Bound::Nothing) return false;
  }
  return true;
}

}  // namespace

bool asks_for_array(const ast::Expr& expr, const Scope& scope) {
  if (const auto* ref = std::get_if<ast::ArrayRef>(&expr.node)) {
    const bool is_bare = !ref->bracketed && ref->indices.empty();
    return ref->name && scope.names.find_array(ref->name->text) &&
           !(is_bare && (scope.find_binding(ref->name->text) != nullptr ||
                         scope.names.find_dimension(ref->name->text)));
  }
  const auto either = [&](const auto& node) {
    return asks_for_array(*node.left, scope) || asks_for_array(*node.right, scope);
  };
  if (const auto* product = std::get_if<ast::Product>(&expr.node)) return either(*product);
  if (const auto* binary = std::get_if<ast::Binary>(&expr.node)) return either(*binary);
  if (const auto* unary = std::get_if<ast::Unary>(&expr.node))
    return asks_for_array(*unary->operand, scope);
  if (std::holds_alternative<ast::Collective>(expr.node)) return true;
  if (std::holds_alternative<ast::Indexed>(expr.node)) return !calls_function(expr, scope);
  if (const auto* shaped = std::get_if<ast::Shaped>(&expr.node))
    return !places_behind(*shaped, scope).empty() && !calls_function(expr, scope);
  const auto* call = std::get_if<ast::Call>(&expr.node);
  const FunctionInfo* function = call == nullptr ? nullptr : find_function(call->function.text);
  return function != nullptr && computes_array(*function) && !calls_function(expr, scope) &&
         std::any_of(call->arguments.begin(), call->arguments.end(),
                     [&](const auto& argument) { return is_array_expression(*argument, scope); });
}

std::optional<CopyId> wanted_array(const ast::Expr& written, const ast::Statement& statement,
                                   RunContext& context, Unnamed unnamed) {
  const ast::Expr expr = with_places(written, context.check);
  const auto* ref = std::get_if<ast::ArrayRef>(&expr.node);
  if (ref != nullptr && !changes_elements(*ref)) return requested_copy(expr, context);
  auto flow = check_evaluate(expr, statement.at.span, context.check);
  const bool is_fine = flow.has_value();
  if (is_fine && unnamed == Unnamed::LastValue)
    plan_unnamed(*std::move(flow), statement, context);
  else
    plan_flow(std::move(flow), statement, context);
  if (!is_fine) return std::nullopt;
  const Program& program = growing_program(context);
  const StatementRecord& made = program.statements.back();
  // What costs nothing, as an element that is read in place, has no row of its own in the report.
  auto& entries = context.state.entries;
  if (is_free(made, program) && std::holds_alternative<PlannedEntry>(entries.back()))
    entries.pop_back();
  return made.result.valid() ? std::optional(made.result) : std::nullopt;
}

bool asks_for_elements(const ast::Expr& expr, RunContext& context) {
  const ast::Expr element = with_places(expr, context.check);
  const auto* ref = std::get_if<ast::ArrayRef>(&element.node);
  return ref != nullptr && ref->name && changes_elements(*ref) &&
         context.scope.names.find_array(ref->name->text);
}

}  // namespace shard
