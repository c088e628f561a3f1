// `expect equal(A, B)`: judged when the run is over.

#include <fmt/format.h>

#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/check/operation.h"
#include "interpreter/statements/flow.h"
#include "interpreter/statements/statement.h"

namespace shard {

namespace {

// Two copies to compare.
std::optional<ArrayRequest> check_equal(const ast::Call& call, Span span, const Program& program,
                                        RunContext& run) {
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
    request.tolerance = number->to_double();
  }
  const auto left = requested_copy(*arguments[0], run);
  const bool same = *arguments[0] == *arguments[1];
  if (!left && same) return std::nullopt;
  const auto right = requested_copy(*arguments[1], run);
  if (!left || !right) return std::nullopt;
  const Copy& a = program.plan.copies[*left];
  const Copy& b = program.plan.copies[*right];
  if (a.shape != b.shape) {
    report(context, DiagnosticKind::SizeMismatch, span,
           fmt::format("`{}{}` and `{}{}` have different shapes", a.name,
                       to_string(a.layout, a.dimensions, context.scope.mesh()), b.name,
                       to_string(b.layout, b.dimensions, context.scope.mesh())),
           {"arrays are compared element by element, in the order of their dimensions"});
    return std::nullopt;
  }
  request.copy = *left;
  request.other = *right;
  return request;
}

}  // namespace

bool run_expect_equal(const ast::Expect& expect, RunContext& context) {
  RunnerState& state = context.state;
  const auto* call = std::get_if<ast::Call>(&expect.condition.node);
  if (call == nullptr || call->function.text != "equal" || !call->subscript.empty()) return false;
  if (state.scope.supposition) return false;
  Program& target = growing_program(context);
  auto request = check_equal(*call, expect.condition.at.span, target, context);
  if (!request) return true;
  request->entry = state.entries.size();
  target.requests.push_back(*request);
  ExpectedEntry entry{.text = one_line(print(expect.condition, Spelling::Unicode))};
  entry.pending = true;
  entry.program = state.programs.size() - 1;
  state.entries.push_back(std::move(entry));
  return true;
}

}  // namespace shard
