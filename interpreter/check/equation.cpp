// `A · B = C`, which states and makes nothing; the axes behind `overlap`.
#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "grammar/print/printer.h"
#include "interpreter/check/flow.h"
#include "interpreter/check/operation.h"

namespace shard {

void check_equation(const ast::Equation& equation, Span span, CheckContext& context) {
  if (!is_array_expression(equation.left, context.scope) &&
      !is_array_expression(equation.right, context.scope)) {
    return report(context, DiagnosticKind::NotNotation, span,
                  "numbers on both sides of `=` state nothing about arrays",
                  {fmt::format("`expect {} = {}`", print(equation.left, Spelling::Unicode),
                               print(equation.right, Spelling::Unicode))});
  }
  const auto left = check_operation(equation.left, {}, context);
  const auto right = check_operation(equation.right, {}, context);
  if (!left || !right) return;
  const bool same_labels =
      left->labels.size() == right->labels.size() &&
      std::is_permutation(left->labels.begin(), left->labels.end(), right->labels.begin());
  const bool same_layout = left->labels != right->labels || !left->layout || !right->layout ||
                           *left->layout == *right->layout;
  if (same_labels && same_layout) return;
  report(context, DiagnosticKind::TargetMismatch, span,
         fmt::format("the two sides differ: `{}` and `{}`", describe(*left, context.scope),
                     describe(*right, context.scope)),
         {"an equation states that both sides are the same array in the same layout"});
}

bool check_overlap(const std::vector<ast::Identifier>& axes, checked::Flow& flow,
                   CheckContext& context) {
  flow.overlap_span = cover(axes.front().at.span, axes.back().at.span);
  for (const ast::Identifier& name : axes) {
    const auto called = check_axes_called(name, context);
    if (!called) return false;
    for (const AxisId axis : *called) {
      if (contains(flow.overlap, axis)) {
        report(context, DiagnosticKind::AxisReused, name.at.span,
               fmt::format("axis `{}` stands twice after `overlap`", name.text));
        return false;
      }
      if (context.scope.mesh().axes[axis].length() != 1) flow.overlap.push_back(axis);
    }
  }
  return true;
}

}  // namespace shard
