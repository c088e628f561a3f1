// Expectations of arrays' elements: `equal(A, B)`, `A[2] = 4`, `sum_I(A) ≈ 12`, `A >= 0`. They are judged when the run is over.
#include <fmt/format.h>

#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/check/operation.h"
#include "interpreter/evaluate/compare.h"
#include "interpreter/ir/chip_constant.h"
#include "interpreter/statements/flow.h"
#include "interpreter/statements/statement.h"
#include "interpreter/statements/wanted_array.h"

namespace shard {

namespace {

using Op = ast::BinaryOp;

bool report_shapes(const Copy& left, const Copy& right, Span span, CheckContext& context) {
  const Mesh& mesh = context.scope.mesh();
  report(context, DiagnosticKind::SizeMismatch, span,
         fmt::format("`{}{}` and `{}{}` have different shapes", left.name,
                     to_string(left.layout, left.dimensions, mesh), right.name,
                     to_string(right.layout, right.dimensions, mesh)),
         {"arrays are compared element by element, in the order of their dimensions"});
  return false;
}

// A side of `equal`: an array that is there, or what is computed for it.
std::optional<CopyId> side_of_equal(const ast::Expr& side, const ast::Statement& statement,
                                    RunContext& run) {
  const bool is_plain =
      std::holds_alternative<ast::ArrayRef>(side.node) && !asks_for_elements(side, run);
  return !is_plain && asks_for_array(side, run.scope) ? wanted_array(side, statement, run)
                                                      : requested_copy(side, run);
}

// Two copies to compare, by `equal`.
std::optional<ArrayRequest> check_equal(const ast::Call& call, const ast::Statement& statement,
                                        Span span, RunContext& run) {
  CheckContext& context = run.check;
  const auto& arguments = call.arguments;
  if (arguments.size() != 2 && arguments.size() != 3) {
    report(context, DiagnosticKind::BadArgument, call.function.at.span,
           fmt::format("`equal` takes two arrays and a tolerance, and {} are written",
                       arguments.size()),
           {"expect equal(A, B), expect equal(A, B, 1e-3)"});
    return std::nullopt;
  }
  ArrayRequest request{.copy = {}, .other = std::nullopt, .span = span};
  if (arguments.size() == 3) {
    const auto tolerance = plain_number(*arguments[2], context);
    if (!tolerance) return std::nullopt;
    const auto number = tolerance->constant();
    if (!number || *number < Rational(0)) {
      report(context, DiagnosticKind::BadArgument, arguments[2]->at.span,
             "a tolerance is a number from 0 on", {"expect equal(A, B, 1e-3)"});
      return std::nullopt;
    }
    request.allowed = request.allowed_part = number->to_double();
  }
  const auto left = side_of_equal(*arguments[0], statement, run);
  const bool same = *arguments[0] == *arguments[1];
  if (!left && same) return std::nullopt;
  const auto right = side_of_equal(*arguments[1], statement, run);
  if (!left || !right) return std::nullopt;
  const Program& program = growing_program(run);
  const Copy& a = program.plan.copies[*left];
  const Copy& b = program.plan.copies[*right];
  if (a.shape != b.shape && !report_shapes(a, b, span, context)) return std::nullopt;
  request.copy = *left;
  request.other = *right;
  return request;
}

// A bare name that is a figure of the chip, too, has two readings, which the evaluation of numbers says.
bool is_compared_as_array(const ast::Expr& side, const Scope& scope) {
  if (!asks_for_array(side, scope)) return false;
  const auto* ref = std::get_if<ast::ArrayRef>(&side.node);
  const bool is_bare = ref != nullptr && !ref->bracketed && ref->indices.empty();
  return !is_bare || !chip_constant(ref->name->text, scope.hardware().chip);
}

const ast::Binary* comparison_of_arrays(const ast::Expr& condition, const Scope& scope) {
  const auto* binary = std::get_if<ast::Binary>(&condition.node);
  if (binary == nullptr || binary->op < Op::Less || binary->op > Op::Approx) return nullptr;
  const bool any =
      is_compared_as_array(*binary->left, scope) || is_compared_as_array(*binary->right, scope);
  return any ? binary : nullptr;
}

Op turned(Op op) {
  switch (op) {
    case Op::Less:
      return Op::Greater;
    case Op::LessEqual:
      return Op::GreaterEqual;
    case Op::Greater:
      return Op::Less;
    case Op::GreaterEqual:
      return Op::LessEqual;
    default:
      return op;
  }
}

// What each element is compared with where that is a number.
std::optional<double> number_beside(const ast::Expr& expr, CheckContext& context) {
  const auto value = plain_number(expr, context);
  const auto number = value ? value->constant() : std::nullopt;
  if (value && !number)
    report(context, DiagnosticKind::BadArgument, expr.at.span,
           fmt::format("elements are compared with numbers, and {} has no size",
                       join_words(value->symbols())));
  return number ? std::optional(number->to_double()) : std::nullopt;
}

// The array stands on the left of the request.
std::optional<ArrayRequest> check_comparison(const ast::Binary& comparison,
                                             const ast::Statement& statement, RunContext& run) {
  CheckContext& context = run.check;
  ArrayRequest request{
      .copy = {}, .other = std::nullopt, .relation = comparison.op, .span = statement.at.span};
  if (comparison.op == Op::Approx)
    request.allowed_part =
        comparison.tolerance ? comparison.tolerance->value.to_double() : kDefaultTolerance;
  const bool left = is_compared_as_array(*comparison.left, context.scope);
  const bool right = is_compared_as_array(*comparison.right, context.scope);
  const ast::Expr& array = left ? *comparison.left : *comparison.right;
  if (left != right) {
    request.number = number_beside(left ? *comparison.right : *comparison.left, context);
    if (!request.number) return std::nullopt;
    request.relation = left ? comparison.op : turned(comparison.op);
    request.is_number_first = right;
  }
  const auto copy = wanted_array(array, statement, run);
  if (!copy) return std::nullopt;
  request.copy = *copy;
  if (!left || !right) return request;
  request.other = wanted_array(*comparison.right, statement, run);
  if (!request.other) return std::nullopt;
  const Program& program = growing_program(run);
  const Copy& a = program.plan.copies[*copy];
  const Copy& b = program.plan.copies[*request.other];
  if (a.shape != b.shape && !report_shapes(a, b, statement.at.span, context)) return std::nullopt;
  return request;
}

}  // namespace

bool run_expect_arrays(const ast::Expect& expect, const ast::Statement& statement,
                       RunContext& context) {
  RunnerState& state = context.state;
  const ast::Expr& condition = expect.condition;
  const auto* call = std::get_if<ast::Call>(&condition.node);
  const bool is_equal =
      call != nullptr && call->function.text == "equal" && call->subscript.empty();
  const ast::Binary* comparison = comparison_of_arrays(condition, state.scope);
  if (state.scope.supposition || (!is_equal && comparison == nullptr)) return false;
  auto request = is_equal ? check_equal(*call, statement, condition.at.span, context)
                          : check_comparison(*comparison, statement, context);
  if (!request) return true;
  request->entry = state.entries.size();
  request->span = condition.at.span;
  growing_program(context).requests.push_back(*request);
  ExpectedEntry entry{.text = one_line(print(condition, Spelling::Unicode))};
  entry.pending = true;
  entry.program = state.programs.size() - 1;
  state.entries.push_back(std::move(entry));
  return true;
}

}  // namespace shard
