// `require`: what a function asks of its arguments. A call that does not fulfil it ends there, with the mistake shown at the call.
#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "grammar/print/printer.h"
#include "interpreter/evaluate/failed_comparison.h"
#include "interpreter/statements/functions/call.h"
#include "interpreter/statements/statement.h"

namespace shard {

namespace {

// Those that `and` joins are asked one by one, so that what is shown is the one that does not hold.
void add_conditions(const ast::Expr& condition, std::vector<const ast::Expr*>& conditions) {
  const auto* binary = std::get_if<ast::Binary>(&condition.node);
  if (binary == nullptr || binary->op != ast::BinaryOp::And)
    return conditions.push_back(&condition);
  add_conditions(*binary->left, conditions);
  add_conditions(*binary->right, conditions);
}

void report_unfulfilled(const ast::Expr& condition, RunContext& context) {
  const CallFrame& frame = context.state.calls.back();
  EvaluationContext evaluation{context.check, context};
  const auto* binary = std::get_if<ast::Binary>(&condition.node);
  const bool is_comparison = binary != nullptr && binary->op != ast::BinaryOp::Or;
  const SideTexts sides = is_comparison ? sides_of(condition, evaluation) : SideTexts();
  std::vector<std::string> help;
  if (!sides.left.empty() && !sides.right.empty())
    help.push_back(fmt::format("it is {} on the left, {} on the right", sides.left, sides.right));
  report(context.check, DiagnosticKind::ArgumentMismatch, frame.span,
         fmt::format("`{}` requires `{}`", frame.function->name.text,
                     one_line(print(condition, Spelling::Unicode))),
         std::move(help), {{condition.at.span, "required here"}});
}

// Formulas that differ may be equal for some sizes.
bool is_open(const ast::Expr& expr, RunContext& context) {
  const auto value = value_of(expr, context);
  const auto* quantity = value ? std::get_if<Quantity>(&*value) : nullptr;
  return quantity != nullptr && !quantity->value.constant();
}

bool compares_open_sizes(const ast::Expr& condition, RunContext& context) {
  const auto* binary = std::get_if<ast::Binary>(&condition.node);
  return binary != nullptr &&
         (binary->op == ast::BinaryOp::Equal || binary->op == ast::BinaryOp::NotEqual) &&
         (is_open(*binary->left, context) || is_open(*binary->right, context));
}

// Whether the call may go on; if not, why is said. Where sizes are open nobody can say yet.
bool is_fulfilled(const ast::Expr& condition, RunContext& context) {
  const std::size_t reported = context.check.sink.all().size();
  const auto value = value_of(condition, context);
  // What follows in the function would say the same of the argument.
  if (!value) return context.check.sink.all().size() == reported;
  const auto* truth = std::get_if<Truth>(&*value);
  if (truth == nullptr) {
    report(context.check, DiagnosticKind::BadArgument, condition.at.span,
           fmt::format("`require` takes a comparison, and this is {}", to_text(*value)),
           {"require N = |X|"});
    return true;
  }
  // What a mistake left out may be what it asks about, as the axes of a mesh.
  if (truth->holds.value_or(true) || context.scope.lacks_machine()) return true;
  if (compares_open_sizes(condition, context)) return true;
  report_unfulfilled(condition, context);
  return false;
}

}  // namespace

void run(const ast::Require& require, const ast::Statement& statement, RunContext& context) {
  auto& calls = context.state.calls;
  if (calls.empty()) {
    return report(context.check, DiagnosticKind::MisplacedStatement, statement.at.span,
                  "`require` stands outside of functions",
                  {"expect " + one_line(print(require.condition, Spelling::Unicode))});
  }
  std::vector<const ast::Expr*> conditions;
  add_conditions(require.condition, conditions);
  for (const ast::Expr* condition : conditions) {
    if (is_fulfilled(*condition, context)) continue;
    calls.back().failed = true;
    calls.back().returned = true;
    return;
  }
}

}  // namespace shard
