// What is found along a dimension: `top_{E,J}`, `argmax_J`; and its inverse, `one_hot_E`.
#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "interpreter/check/contraction.h"
#include "interpreter/check/selection.h"

namespace shard {

std::optional<checked::Operation> check_top(const ast::Call& call, Span span,
                                            const TargetHint& target, CheckContext& context) {
  Scope& scope = context.scope;
  if (call.subscript.size() != 2 || call.arguments.size() != 1) {
    report(context, DiagnosticKind::BadArgument, span,
           "`top` takes two dimensions, the one to look along and one for what it finds",
           {"R[B, J] = top_{E,J}(A[B, E]) finds the |J| largest along E"});
    return std::nullopt;
  }
  auto operand = check_operation(*call.arguments.front(), {}, context);
  if (!operand) return std::nullopt;
  const auto along = scope.names.find_dimension(call.subscript[0].text);
  if (!along || !contains(operand->labels, *along)) {
    report(context, DiagnosticKind::UnknownDimension, call.subscript[0].at.span,
           fmt::format("`{}` has no dimension `{}`", describe(*operand, scope),
                       call.subscript[0].text),
           {fmt::format("its dimensions are {}", quoted_names(operand->labels, scope))});
    return std::nullopt;
  }
  const DimensionId found = scope.intern_dimension(call.subscript[1].text);
  if (contains(operand->labels, found)) {
    report(context, DiagnosticKind::DimensionReused, call.subscript[1].at.span,
           fmt::format("`{}` has the dimension `{}` already", describe(*operand, scope),
                       call.subscript[1].text),
           {"give what is found a dimension of its own: top_{E,J}, J = 2"});
    return std::nullopt;
  }
  const auto most = scope.size_of(*along).constant();
  const auto wanted = scope.size_of(found).constant();
  if (most && wanted && *most < *wanted) {
    report(context, DiagnosticKind::SizeMismatch, call.subscript[1].at.span,
           fmt::format("`{}` is {} long, and along `{}` there are only {}", call.subscript[1].text,
                       wanted->to_string(), call.subscript[0].text, most->to_string()));
    return std::nullopt;
  }
  if (!check_reduced(*operand, "the largest of its parts need not be the largest", context))
    return std::nullopt;
  std::vector<DimensionId> labels = operand->labels;
  std::replace(labels.begin(), labels.end(), *along, found);
  checked::Selection top{
      .kind = SelectionKind::Top, .operands = {}, .along = {*along}, .position = {}};
  top.operands.push_back(*std::move(operand));
  return selection_of(std::move(top), in_target_order(std::move(labels), target), DType::Int32,
                      span, scope);
}

std::optional<checked::Operation> check_one_hot(const ast::Call& call, Span span,
                                                const TargetHint& target, CheckContext& context) {
  const ast::Identifier& name = call.subscript.front();
  if (call.subscript.size() != 1 || call.arguments.size() != 1) {
    report(context, DiagnosticKind::BadArgument, span,
           "`one_hot` takes the dimension that it makes, and one array of indices into it",
           {"H[T, E] = one_hot_E(Pick[T])"});
    return std::nullopt;
  }
  const auto picked = check_operation(*call.arguments.front(), target.inside(), context);
  if (!picked) return std::nullopt;
  const ast::Expr places{
      .node = ast::ArrayRef{.name = ast::Identifier{"iota_" + name.text, name.at}, .at = name.at},
      .at = name.at};
  if (!is_iota(places, context.scope)) {
    std::vector<std::string> known;
    for (const auto& [key, dimension] : context.scope.names.dimension_names)
      known.push_back(context.scope.store.dimensions[dimension].name);
    const auto near = nearest_name(name.text, known);
    report(context, DiagnosticKind::UnknownDimension, name.at.span,
           fmt::format("nothing says how long `{}` is", name.text),
           {near ? fmt::format("did you mean `{}`?", *near)
                 : fmt::format("give it a size before: {} = 8", name.text)});
    return std::nullopt;
  }
  const DimensionId label = context.scope.intern_dimension(name.text);
  if (contains(picked->labels, label)) {
    report(context, DiagnosticKind::DimensionReused, name.at.span,
           fmt::format("`{}` has the dimension `{}` already", describe(*picked, context.scope),
                       name.text),
           {"what `one_hot` makes has a dimension more than its indices: one_hot_E(Pick[T])"});
    return std::nullopt;
  }
  const ast::Binary equals{.op = ast::BinaryOp::Equal,
                           .left = places,
                           .right = *call.arguments.front(),
                           .tolerance = {},
                           .sign = call.function.at};
  return check_elements({.node = equals, .at = {span}}, target, context);
}

}  // namespace shard
