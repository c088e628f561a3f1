// What is found along a dimension: `top_{E,J}`, `argmax_J`; its inverse, `one_hot_E`; and what is added up at such places,
// `scatter_V`.
#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "interpreter/check/contraction.h"
#include "interpreter/check/selection/selection.h"

namespace shard {

namespace {

// `iota_E`
ast::Expr places_along(const ast::Identifier& name) {
  const std::string text = std::string(kIotaPrefix) + name.text;
  return {.node = ast::ArrayRef{.name = ast::Identifier{text, name.at}, .at = name.at},
          .at = name.at};
}

// Whether something says how long the dimension is that a function makes.
bool check_length(const ast::Identifier& name, CheckContext& context) {
  if (is_iota(places_along(name), context.scope)) return true;
  std::vector<std::string> known;
  for (const auto& [key, dimension] : context.scope.names.dimension_names)
    known.push_back(context.scope.store.dimensions[dimension].name);
  const auto near = nearest_name(name.text, known);
  report(context, DiagnosticKind::UnknownDimension, name.at.span,
         fmt::format("nothing says how long `{}` is", name.text),
         {near ? fmt::format("did you mean `{}`?", *near)
               : fmt::format("give it a size before: {} = 8", name.text)});
  return false;
}

class ScatterChecker {
 public:
  ScatterChecker(const ast::Call& call, Span span, const TargetHint& target, CheckContext& context)
      : call_(call), span_(span), target_(target), context_(context), scope_(context.scope) {}

  std::optional<checked::Operation> check() {
    if (call_.subscript.empty() || call_.arguments.size() != call_.subscript.size() + 1) {
      std::vector<std::string> help = {"S[V, D] = scatter_V(Tok[T], A[T, D])",
                                       "S[E, J, D] = scatter_{E,J}(Pick[T], Slot[T], A[T, D])"};
      for (const MeshAxis& axis : scope_.mesh().axes) {
        if (!call_.subscript.empty() && call_.subscript.front().text == axis.name)
          help.insert(help.begin(), fmt::format("over an axis it is ReduceScatter_{}", axis.name));
      }
      fail(DiagnosticKind::BadArgument, span_,
           "`scatter` takes an array of indices for each dimension that it makes, and behind them "
           "what is added up",
           std::move(help));
      return std::nullopt;
    }
    auto value = check_operation(*call_.arguments.back(), {}, context_);
    if (!value) return std::nullopt;
    checked::Selection scatter{
        .kind = SelectionKind::Scatter, .operands = {}, .along = {}, .position = {}};
    scatter.operands.push_back(*std::move(value));
    if (!check_value(scatter.operands.front())) return std::nullopt;
    for (std::size_t i = 0; i < call_.subscript.size(); ++i) {
      if (!add_index(call_.subscript[i], *call_.arguments[i], scatter)) return std::nullopt;
    }
    std::vector<DimensionId> labels = labels_left(scatter);
    if (!check_element_count(labels, span_, context_)) return std::nullopt;
    const DType dtype = scatter.operands.front().dtype;
    return selection_of(std::move(scatter), in_target_order(std::move(labels), target_), dtype,
                        span_, scope_);
  }

 private:
  bool fail(DiagnosticKind kind, Span span, std::string message, std::vector<std::string> help) {
    report(context_, kind, span, std::move(message), std::move(help));
    return false;
  }

  // Sums of partial sums are partial sums; of the largest or smallest ones they are nothing.
  bool check_value(const checked::Operation& value) {
    if (!value.layout || value.layout->combination == Combination::Sum) return true;
    return check_reduced(value, "the sum of its parts is not that of the whole", context_);
  }

  // The next dimension that is made, and the indices into it.
  bool add_index(const ast::Identifier& name, const ast::Expr& written,
                 checked::Selection& scatter) {
    const checked::Operation& value = scatter.operands.front();
    if (!check_length(name, context_)) return false;
    const DimensionId along = scope_.intern_dimension(name.text);
    if (contains(value.labels, along)) {
      return fail(
          DiagnosticKind::DimensionReused, name.at.span,
          fmt::format("`{}` has the dimension `{}` already", describe(value, scope_), name.text),
          {"a dimension that `scatter` makes takes the place of those that its indices "
           "have: scatter_V(Tok[T], A[T, D])"});
    }
    if (contains(scatter.along, along)) {
      return fail(DiagnosticKind::DimensionReused, name.at.span,
                  fmt::format("`{}` stands twice in the subscript", name.text), {"name it once"});
    }
    auto index = check_operation(written, {}, context_);
    if (!index || !check_index_array(*index, along, context_) ||
        !check_reduced(*index, "indices have to be whole", context_))
      return false;
    for (const DimensionId label : index->labels) {
      if (contains(value.labels, label)) continue;
      const std::string own = scope_.store.dimensions[label].name;
      return fail(DiagnosticKind::BadArgument, written.at.span,
                  fmt::format("the indices have the dimension `{}`, and `{}`, which is added up, "
                              "has not",
                              own, describe(value, scope_)),
                  {fmt::format("each index belongs to elements of its own: give what is added up "
                               "the dimension `{}`, as A + 0 ⊙ iota_{} has it",
                               own, own)});
    }
    scatter.along.push_back(along);
    scatter.operands.push_back(*std::move(index));
    return true;
  }

  // What the indices have is summed away unless the target has it; the first of it makes room for what is made.
  std::vector<DimensionId> labels_left(const checked::Selection& scatter) const {
    std::vector<DimensionId> labels;
    const auto is_of_index = [&](DimensionId label) {
      return std::any_of(
          scatter.operands.begin() + 1, scatter.operands.end(),
          [&](const checked::Operation& index) { return contains(index.labels, label); });
    };
    bool made = false;
    for (const DimensionId label : scatter.operands.front().labels) {
      const bool kept =
          !is_of_index(label) || (target_.brackets && contains(target_.brackets->labels, label));
      if (kept) {
        labels.push_back(label);
      } else if (!made) {
        labels.insert(labels.end(), scatter.along.begin(), scatter.along.end());
        made = true;
      }
    }
    if (!made) labels.insert(labels.end(), scatter.along.begin(), scatter.along.end());
    return labels;
  }

  const ast::Call& call_;
  Span span_;
  const TargetHint& target_;
  CheckContext& context_;
  Scope& scope_;
};

}  // namespace

std::optional<checked::Operation> check_scatter(const ast::Call& call, Span span,
                                                const TargetHint& target, CheckContext& context) {
  return ScatterChecker(call, span, target, context).check();
}

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
           lacks_dimension(*operand, call.subscript[0].text, scope),
           {own_dimensions(operand->labels, scope)});
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
  if (!check_length(name, context)) return std::nullopt;
  const ast::Expr places = places_along(name);
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
