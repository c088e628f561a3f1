// Elements picked or put by their place: indices, Reshape, top (design: language, "Arrays, layouts and copies").
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "grammar/printer.h"
#include "interpreter/check_index.h"
#include "interpreter/check_operation.h"
#include "interpreter/coordinate.h"
#include "interpreter/planning/selection.h"

namespace shard {

namespace {

planning::Labels numbered(const std::vector<DimensionId>& ids) {
  planning::Labels numbers;
  for (const DimensionId id : ids) numbers.push_back(id.value);
  return numbers;
}

bool contains(const std::vector<DimensionId>& labels, DimensionId label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

// What one pair of brackets behind an array says: a number, or an array of them.
struct CheckedIndex {
  DimensionId along;
  std::optional<checked::Operation> array;
  Formula position;
};

class IndexChecker {
 public:
  explicit IndexChecker(CheckContext& context) : context_(context), scope_(context.scope) {}

  std::optional<CheckedIndex> check(const ast::Index& index, const checked::Operation& operand) {
    const auto along = dimension_of(index, operand);
    if (!along) return std::nullopt;
    CheckedIndex result{.along = *along, .array = std::nullopt, .position = {}};
    ast::Expr value = *index.value;
    if (!name_coordinates(value, context_)) return std::nullopt;
    if (!is_number(value, scope_)) {
      result.array = check_operation(value, {}, context_);
      if (!result.array || !check_array(*result.array, operand, *along)) return std::nullopt;
      return result;
    }
    const auto number = plain_number(value, context_);
    if (!number || !check_number(*number, value, *along)) return std::nullopt;
    result.position = *number;
    return result;
  }

 private:
  std::nullopt_t fail(DiagnosticKind kind, Span span, std::string message,
                      std::vector<std::string> help = {}) {
    report(context_, kind, span, std::move(message), std::move(help));
    return std::nullopt;
  }

  std::optional<DimensionId> dimension_of(const ast::Index& index,
                                          const checked::Operation& operand) {
    if (operand.labels.empty()) {
      return fail(DiagnosticKind::UnknownDimension, index.value->at.span,
                  fmt::format("`{}` has no dimension left to index", describe(operand, scope_)));
    }
    if (!index.dimension) return operand.labels.front();
    const auto label = scope_.find_dimension(index.dimension->text);
    if (label && contains(operand.labels, *label)) return label;
    const auto near = nearest_name(index.dimension->text, scope_.names_of(operand.labels));
    return fail(
        DiagnosticKind::UnknownDimension, index.dimension->at.span,
        fmt::format("`{}` has no dimension `{}`", describe(operand, scope_), index.dimension->text),
        {near ? fmt::format("did you mean `{}`?", *near)
              : fmt::format("its dimensions are {}", quoted_names(operand.labels, scope_))});
  }

  bool check_number(const Formula& number, const ast::Expr& expr, DimensionId along) {
    const auto constant = number.constant();
    const auto length = scope_.size_of(along).constant();
    if (!constant) return true;
    const bool whole = constant->to_int64().has_value();
    const bool inside = !length || (*constant < *length && !(*constant < -*length));
    if (whole && inside) return true;
    fail(DiagnosticKind::BadIndex, expr.at.span,
         whole ? fmt::format("{} is outside of dimension `{}`, which is {} long",
                             constant->to_string(), scope_.dimensions[along].name,
                             length->to_string())
               : fmt::format("{} is no index: it is no whole number", constant->to_string()),
         {"indices run from 0 to the length less 1; -1 is the last one"});
    return false;
  }

  bool check_array(const checked::Operation& index, const checked::Operation& operand,
                   DimensionId along) {
    if (!is_integer(index.dtype)) {
      fail(DiagnosticKind::BadIndex, index.span,
           fmt::format("`{}` is {}, and indices are integers", describe(index, scope_),
                       name_of(index.dtype)),
           {"declare it so: Tok: int32[B]"});
      return false;
    }
    if (contains(index.labels, along)) {
      const std::string name = scope_.dimensions[along].name;
      fail(DiagnosticKind::BadIndex, index.span,
           fmt::format("the index has the dimension `{}` that it is to pick from", name),
           {fmt::format("rename it: P[{0}] → Q[{0}2] first", name)});
      return false;
    }
    (void)operand;
    return true;
  }

  CheckContext& context_;
  Scope& scope_;
};

// Sums what the devices along an axis picked, each by its own coordinate.
checked::Operation summed_over_coordinates(checked::Operation picked, const Scope& scope) {
  std::vector<DimensionId> labels;
  for (const DimensionId label : picked.labels) {
    if (!scope.dimensions[label].coordinate) labels.push_back(label);
  }
  if (labels.size() == picked.labels.size()) return picked;
  checked::Operation result{
      .node = checked::Use{}, .labels = labels, .dtype = picked.dtype, .span = picked.span};
  if (picked.layout) {
    const auto left = planning::local_reduction(ReductionKind::Sum, numbered(picked.labels),
                                                *picked.layout, numbered(labels));
    if (const auto* layout = std::get_if<Layout>(&left)) result.layout = *layout;
  }
  result.node = checked::Reduction{.kind = ReductionKind::Sum, .operand = std::move(picked)};
  return result;
}

planning::Selection outline(const checked::Selection& selection, const Scope& scope) {
  planning::Selection plan{
      .kind = selection.kind, .operands = {}, .along = selection.along.value, .position = {}};
  for (const checked::Operation& operand : selection.operands) {
    plan.operands.push_back(
        {.node = planning::Source{},
         .labels = numbered(operand.labels),
         .shape = {.lengths = scope.shape_of(operand.labels), .dtype = operand.dtype}});
  }
  return plan;
}

// The operation of a selection whose operands are checked, with what it leaves locally.
checked::Operation finished(checked::Selection selection, std::vector<DimensionId> labels,
                            DType dtype, Span span, const Scope& scope) {
  checked::Operation result{.node = checked::Use{}, .labels = std::move(labels), .dtype = dtype};
  result.span = span;
  std::vector<Layout> layouts;
  for (const checked::Operation& operand : selection.operands) {
    if (operand.layout) layouts.push_back(without_trivial_axes(*operand.layout, scope.mesh()));
  }
  if (layouts.size() == selection.operands.size()) {
    const auto left =
        planning::local_selection(outline(selection, scope), layouts, numbered(result.labels),
                                  scope.shape_of(result.labels), scope.mesh());
    if (const auto* layout = std::get_if<Layout>(&left)) result.layout = *layout;
  }
  result.node = std::move(selection);
  return result;
}

// Partial results that were written may be put nowhere, and be no index.
bool check_reduced(const checked::Operation& operation, std::string_view what,
                   CheckContext& context) {
  if (!operation.layout || is_inferred_sum(operation)) return true;
  const Layout layout = without_trivial_axes(*operation.layout, context.scope.mesh());
  if (layout.unreduced.empty()) return true;
  const std::string text = describe(operation, context.scope);
  const std::string axes = axes_to_string(layout.unreduced, context.scope.mesh());
  report(context, DiagnosticKind::UnreducedOperand, operation.span,
         fmt::format("`{}` is still unreduced over `{}`, and {}", text, axes, what),
         {fmt::format("reduce first: AllReduce_{} {}", axes, text)});
  return false;
}

std::string shape_text(const std::vector<DimensionId>& labels, const Scope& scope) {
  std::vector<std::string> lengths;
  for (const Amount& length : scope.shape_of(labels)) lengths.push_back(length.to_string());
  return lengths.empty() ? "1" : join(lengths, "·");
}

// Whether two dimensions that both have stand in another order.
bool is_transposed(const std::vector<DimensionId>& from, const std::vector<DimensionId>& to) {
  std::vector<DimensionId> kept;
  std::vector<DimensionId> wanted;
  std::copy_if(from.begin(), from.end(), std::back_inserter(kept),
               [&](DimensionId label) { return contains(to, label); });
  std::copy_if(to.begin(), to.end(), std::back_inserter(wanted),
               [&](DimensionId label) { return contains(from, label); });
  return kept != wanted;
}

void report_transpose(const checked::Operation& operand, const TargetHint& target,
                      CheckContext& context) {
  const Scope& scope = context.scope;
  const auto& labels = target.brackets->labels;
  const bool same = std::is_permutation(labels.begin(), labels.end(), operand.labels.begin(),
                                        operand.labels.end());
  report(
      context, DiagnosticKind::BadReshape, target.span,
      fmt::format("`{}` has dimensions of {} in another order, and Reshape keeps the order",
                  describe(operand, scope), bracket_text(labels, replicated(labels.size()), scope)),
      {same ? fmt::format("a transpose is written without Reshape: {} → T{}",
                          describe(operand, scope),
                          bracket_text(labels, target.brackets->layout, scope))
            : std::string("transpose on a line of its own first: A[I, J] → B[J, I]")});
}

bool report_bad_reshape(const checked::Operation& operand, const TargetHint& target,
                        CheckContext& context) {
  const Scope& scope = context.scope;
  if (is_transposed(operand.labels, target.brackets->labels)) {
    report_transpose(operand, target, context);
    return false;
  }
  report(
      context, DiagnosticKind::BadReshape, target.span,
      fmt::format("`{}` does not become {} by splitting and merging neighbours",
                  describe(operand, scope),
                  bracket_text(target.brackets->labels, target.brackets->layout, scope)),
      {fmt::format("the lengths are {} and {}; dimensions keep their order, and a run of them "
                   "becomes another of the same product",
                   shape_text(operand.labels, scope), shape_text(target.brackets->labels, scope))});
  return false;
}

// Only the first dimension of each run may be split.
bool report_moving_reshape(const checked::Operation& operand, const TargetHint& target,
                           CheckContext& context) {
  const Scope& scope = context.scope;
  const auto from = scope.shape_of(operand.labels);
  const auto to = scope.shape_of(target.brackets->labels);
  const auto to_labels = numbered(target.brackets->labels);
  const auto runs = planning::reshape_runs(numbered(operand.labels), from, to_labels, to);
  Layout local = without_trivial_axes(*operand.layout, scope.mesh());
  for (const planning::ReshapeRun& run : *runs) {
    for (std::size_t i = run.from_begin + 1; i < run.from_end; ++i) local.dims[i].clear();
  }
  if (!planning::reshaped(numbered(operand.labels), from, local, to_labels, to, scope.mesh())) {
    for (const planning::ReshapeRun& run : *runs) {
      if (run.from_begin < run.from_end) local.dims[run.from_begin].clear();
    }
  }
  const std::string text = describe(operand, scope);
  const std::string name = text.substr(0, text.find('['));
  const auto* use = std::get_if<checked::Use>(&operand.node);
  const auto line =
      use == nullptr
          ? std::nullopt
          : relayout_line(use->array, without_trivial_axes(*operand.layout, scope.mesh()), local,
                          scope);
  report(context, DiagnosticKind::ReshapeMoves, operand.span,
         fmt::format("in `{}` the blocks of the devices are no blocks of {}", text,
                     bracket_text(target.brackets->labels,
                                  replicated(target.brackets->labels.size()), scope)),
         {fmt::format("`{}{}` can be reshaped where it is{}", name,
                      bracket_text(operand.labels, local, scope),
                      line ? "; put before it: " + *line : "")});
  return false;
}

}  // namespace

std::optional<checked::Operation> check_indexed(const ast::ArrayRef& array,
                                                const TargetHint& target, CheckContext& context) {
  ast::ArrayRef whole = array;
  whole.indices.clear();
  auto operation = check_use(whole, context);
  for (const ast::Index& index : array.indices) {
    if (!operation) return std::nullopt;
    auto checked_index = IndexChecker(context).check(index, *operation);
    if (!checked_index) return std::nullopt;
    std::vector<DimensionId> labels;
    for (const DimensionId label : operation->labels) {
      if (label != checked_index->along) {
        labels.push_back(label);
        continue;
      }
      if (!checked_index->array) continue;
      for (const DimensionId own : checked_index->array->labels) {
        if (!contains(operation->labels, own)) labels.push_back(own);
      }
    }
    const DType dtype = operation->dtype;
    checked::Selection gather{.kind = SelectionKind::Gather,
                              .operands = {},
                              .along = checked_index->along,
                              .position = checked_index->position};
    gather.operands.push_back(*std::move(operation));
    if (checked_index->array) {
      if (!check_reduced(*checked_index->array, "indices have to be whole", context))
        return std::nullopt;
      gather.operands.push_back(*std::move(checked_index->array));
    }
    if (!check_elements(labels, array.at.span, context)) return std::nullopt;
    const bool by_coordinate = std::any_of(labels.begin(), labels.end(), [&](DimensionId label) {
      return context.scope.dimensions[label].coordinate;
    });
    if (&index == &array.indices.back() && !target.within && !by_coordinate)
      labels = in_target_order(std::move(labels), target);
    operation = summed_over_coordinates(
        finished(std::move(gather), std::move(labels), dtype, array.at.span, context.scope),
        context.scope);
    if (&index == &array.indices.back() && !target.within && by_coordinate)
      operation->labels = in_target_order(std::move(operation->labels), target);
  }
  return operation;
}

std::optional<checked::Operation> check_update(const ast::ArrayRef& target, const ast::Expr& value,
                                               CheckContext& context) {
  Scope& scope = context.scope;
  if (target.indices.size() > 1) {
    report(context, DiagnosticKind::BadIndex, target.at.span,
           "one index at a time can be assigned to", {"A[I, J][I = 3] = …"});
    return std::nullopt;
  }
  ast::ArrayRef whole = target;
  whole.indices.clear();
  if (!whole.name || !scope.find_array(whole.name->text)) {
    if (whole.name && scope.is_unknown(whole.name->text)) return std::nullopt;
    report(context, DiagnosticKind::UnknownName, target.at.span,
           "there is no such array whose elements could be changed",
           {"make it first: A[I, J] = zeros"});
    return std::nullopt;
  }
  auto operand = check_use(whole, context);
  if (!operand) return std::nullopt;
  auto index = IndexChecker(context).check(target.indices.front(), *operand);
  if (!index) return std::nullopt;
  if (index->array) {
    for (const DimensionId label : index->array->labels) {
      if (contains(operand->labels, label)) continue;
      report(context, DiagnosticKind::BadIndex, index->array->span,
             fmt::format("the index has the dimension `{}`, which `{}` lacks: two of its elements "
                         "could mean the same place",
                         scope.dimensions[label].name, describe(*operand, scope)),
             {"an index on the left of `=` has dimensions of the array that it changes"});
      return std::nullopt;
    }
  }
  TargetHint hint{.brackets = Brackets{.labels = {}, .layout = {}}, .span = target.at.span};
  for (std::size_t d = 0; d < operand->labels.size(); ++d) {
    if (operand->labels[d] == index->along) continue;
    hint.brackets->labels.push_back(operand->labels[d]);
    hint.brackets->layout.dims.push_back(operand->layout->dims[d]);
  }
  auto put = check_operation(value, hint, context);
  if (!put || !check_result_labels(*put, hint, context)) return std::nullopt;
  if (!check_reduced(*operand, "its parts cannot be told from values", context) ||
      !check_reduced(*put, "a value is put in whole", context) ||
      (index->array && !check_reduced(*index->array, "indices have to be whole", context)))
    return std::nullopt;
  checked::Selection update{.kind = SelectionKind::Update,
                            .operands = {},
                            .along = index->along,
                            .position = index->position};
  const std::vector<DimensionId> labels = operand->labels;
  const DType dtype = operand->dtype;
  update.operands.push_back(*std::move(operand));
  update.operands.push_back(*std::move(put));
  if (index->array) update.operands.push_back(*std::move(index->array));
  return finished(std::move(update), labels, dtype, target.at.span, scope);
}

std::optional<checked::Operation> check_reshape(const ast::Call& call, Span span,
                                                const TargetHint& target, CheckContext& context) {
  const Scope& scope = context.scope;
  if (call.arguments.size() != 1) {
    report(context, DiagnosticKind::BadArgument, span,
           fmt::format("`Reshape` takes one array, and {} are written", call.arguments.size()),
           {"Q[B, K, M, H] = Reshape(Q[B, N, H])"});
    return std::nullopt;
  }
  if (!target.brackets || target.within) {
    if (!target.failed) {
      report(context, DiagnosticKind::BadReshape, span, "`Reshape` takes its shape from a target",
             {"give it a line of its own: Q[B, K, M, H] = Reshape(Q[B, N, H])"});
    }
    return std::nullopt;
  }
  auto operand = check_operation(*call.arguments.front(), {}, context);
  if (!operand) return std::nullopt;
  const auto runs = planning::reshape_runs(
      numbered(operand->labels), scope.shape_of(operand->labels), numbered(target.brackets->labels),
      scope.shape_of(target.brackets->labels));
  if (!runs) {
    report_bad_reshape(*operand, target, context);
    return std::nullopt;
  }
  const bool fixed = operand->layout.has_value();
  checked::Selection reshape{
      .kind = SelectionKind::Reshape, .operands = {}, .along = {}, .position = {}};
  const DType dtype = operand->dtype;
  reshape.operands.push_back(*operand);
  auto result = finished(std::move(reshape), target.brackets->labels, dtype, span, scope);
  if (fixed && !result.layout && !is_inferred_sum(*operand)) {
    report_moving_reshape(*operand, target, context);
    return std::nullopt;
  }
  return result;
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
  const auto along = scope.find_dimension(call.subscript[0].text);
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
      .kind = SelectionKind::Top, .operands = {}, .along = *along, .position = {}};
  top.operands.push_back(*std::move(operand));
  return finished(std::move(top), in_target_order(std::move(labels), target), DType::Int32, span,
                  scope);
}

}  // namespace shard
