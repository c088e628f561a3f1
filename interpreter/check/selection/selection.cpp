#include "interpreter/check/selection/selection.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/check/collective/collective_help.h"
#include "interpreter/check/contraction.h"
#include "interpreter/check/selection/coordinate_index.h"
#include "interpreter/check/selection/places.h"
#include "interpreter/check/unused_name.h"
#include "interpreter/planning/selection_layout.h"

namespace shard {

namespace {

class PickedIndexChecker {
 public:
  explicit PickedIndexChecker(CheckContext& context) : context_(context), scope_(context.scope) {}

  std::optional<CheckedIndex> check(const ast::Index& index, const checked::Operation& operand) {
    const auto along = dimension_of(index, operand);
    if (!along) return std::nullopt;
    CheckedIndex result{.along = *along, .array = std::nullopt, .position = {}};
    ast::Expr value = *index.value;
    if (!name_coordinates(value, context_)) return std::nullopt;
    if (is_unknown_name(value)) {
      const std::string name = std::get<ast::ArrayRef>(value.node).name->text;
      const std::string reason = fmt::format("`{}` is no number and no array that is known", name);
      if (const auto near = nearest_index(name))
        return fail(DiagnosticKind::UnknownName, value.at.span, reason,
                    {fmt::format("did you mean `{}`?", *near)});
      return fail(DiagnosticKind::UnknownName, value.at.span, reason,
                  {fmt::format("give it a value: {} = 0", name),
                   fmt::format("or make it an array of indices: {}: int32[I]", name)});
    }
    if (!is_number(value, scope_)) {
      result.array = check_operation(value, {}, context_);
      if (!result.array || !check_index_array(*result.array, *along, context_)) return std::nullopt;
      return result;
    }
    const auto number = plain_number(value, context_);
    if (!number || !check_number(*number, value, *along)) return std::nullopt;
    result.position = *number;
    return result;
  }

 private:
  // A bare name that means nothing, and of which no mistake was reported.
  bool is_unknown_name(const ast::Expr& value) const {
    const auto* array = std::get_if<ast::ArrayRef>(&value.node);
    return array != nullptr && array->name && !array->bracketed && array->indices.empty() &&
           !is_number(value, scope_) && !scope_.names.find_array(array->name->text) &&
           !scope_.told.is_unknown(array->name->text) && !is_iota(value, scope_);
  }

  // The number or the array of integers that was probably meant.
  std::optional<std::string> nearest_index(const std::string& name) const {
    std::vector<std::string> known;
    for (const auto& [key, binding] : scope_.names.bindings) known.push_back(binding.name);
    for (const auto& [key, array] : scope_.names.array_names) {
      if (is_integer(scope_.store.arrays[array].dtype))
        known.push_back(scope_.store.arrays[array].name);
    }
    return nearest_name(name, known);
  }

  std::nullopt_t fail(DiagnosticKind kind, Span span, std::string message,
                      std::vector<std::string> help = {}, std::vector<Note> notes = {}) {
    report(context_, kind, span, std::move(message), std::move(help), std::move(notes));
    return std::nullopt;
  }

  std::optional<DimensionId> dimension_of(const ast::Index& index,
                                          const checked::Operation& operand) {
    if (operand.labels.empty()) {
      return fail(DiagnosticKind::UnknownDimension, index.value->at.span,
                  fmt::format("{} has no dimension left to index", subject_text(operand, scope_)));
    }
    if (!index.dimension) return operand.labels.front();
    const auto label = scope_.names.find_dimension(index.dimension->text);
    if (label && contains(operand.labels, *label)) return label;
    const auto near = nearest_name(index.dimension->text, scope_.store.names_of(operand.labels));
    return fail(
        DiagnosticKind::UnknownDimension, index.dimension->at.span,
        lacks_dimension(operand, index.dimension->text, scope_),
        {near ? fmt::format("did you mean `{}`?", *near) : own_dimensions(operand.labels, scope_)});
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
                             constant->to_string(), scope_.store.dimensions[along].name,
                             length->to_string())
               : fmt::format("{} is no index: it is no whole number", constant->to_string()),
         {"indices run from 0 to the length less 1; -1 is the last one"});
    return false;
  }

  CheckContext& context_;
  Scope& scope_;
};

planning::Selection outline(const checked::Selection& selection, const Scope& scope) {
  planning::Selection plan{.kind = selection.kind,
                           .operands = {},
                           .along = numbered(selection.along),
                           .position = selection.position};
  for (const checked::Operation& operand : selection.operands) {
    plan.operands.push_back(
        {.node = planning::Source{},
         .labels = numbered(operand.labels),
         .shape = {.lengths = scope.shape_of(operand.labels), .dtype = operand.dtype}});
  }
  return plan;
}

// `C[I_X, K] = A · B`: the expression with its layout as a statement.
std::string as_statement(const ast::Shaped& shaped, const Scope& scope) {
  const std::string name = unused_array_name(scope);
  const ast::ArrayRef target{.name = ast::Identifier{name, {}},
                             .bracketed = true,
                             .dimensions = shaped.dimensions,
                             .unreduced = shaped.unreduced,
                             .parts = shaped.parts};
  return fmt::format("{} = {}", print(target, Spelling::Unicode),
                     one_line(print(*shaped.value, Spelling::Unicode)));
}

}  // namespace

checked::Operation selection_of(checked::Selection selection, std::vector<DimensionId> labels,
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

bool check_reduced(const checked::Operation& operation, std::string_view what,
                   CheckContext& context) {
  if (!operation.layout || is_inferred_sum(operation)) return true;
  const Layout layout = without_trivial_axes(*operation.layout, context.scope.mesh());
  if (layout.unreduced.empty()) return true;
  const std::string text = describe(operation, context.scope);
  const std::string axes = axes_to_string(layout.unreduced, context.scope.mesh());
  ReduceFirst mend = reduce_first(operation, context.scope);
  report(context, DiagnosticKind::UnreducedOperand, operation.span,
         fmt::format("`{}` is still unreduced over `{}`, and {}", text, axes, what),
         std::move(mend.help), {}, std::move(mend.edits));
  return false;
}

std::optional<checked::Operation> check_shaped(const ast::Expr& expr, const TargetHint& target,
                                               CheckContext& context) {
  const auto& shaped = std::get<ast::Shaped>(expr.node);
  const std::vector<ast::Expr> places = places_behind(shaped, context.scope);
  const bool widens = std::any_of(shaped.dimensions.begin(), shaped.dimensions.end(),
                                  [](const ast::Dimension& one) {
                                    const auto* name = std::get_if<ast::Identifier>(&one.name);
                                    return name != nullptr && name->text == "None";
                                  });
  if (places.empty() && widens) {
    report(context, DiagnosticKind::NotYet, expr.at.span,
           "dimensions are matched by name, so no `None` is needed", {}, {},
           {{expr.at.span, print(*shaped.value, Spelling::Unicode)}});
    return std::nullopt;
  }
  if (places.empty()) {
    report(context, DiagnosticKind::NotYet, expr.at.span,
           fmt::format("this version knows no layout of a part of an expression: `{}`",
                       print(expr, Spelling::Unicode)),
           {fmt::format("make it in a statement of its own, and use it by its name: {}",
                        as_statement(shaped, context.scope))});
    return std::nullopt;
  }
  const auto value = check_operation(*shaped.value, TargetHint{}, context);
  if (!value) return std::nullopt;
  if (value->labels.size() == places.size()) {
    ast::Indexed indexed{shaped.value, {}};
    for (std::size_t d = 0; d < places.size(); ++d) {
      ast::Identifier name{context.scope.index_name(value->labels[d]), places[d].at};
      indexed.indices.push_back({std::move(name), places[d]});
    }
    return check_indexed(indexed, expr.at.span, target, context);
  }
  const Span inside = shaped.dimensions.front().at.span;
  const std::string first =
      value->labels.empty() ? "I" : context.scope.store.dimensions[value->labels.front()].name;
  report(context, DiagnosticKind::BadIndex, inside,
         fmt::format("an index behind an expression names its dimension: it is `{}`",
                     describe(*value, context.scope)),
         {}, {},
         {{inside, fmt::format("{} = {}", first, print(places.front(), Spelling::Unicode))}});
  return std::nullopt;
}

bool check_index_array(const checked::Operation& index, DimensionId along, CheckContext& context) {
  Scope& scope = context.scope;
  if (!is_integer(index.dtype)) {
    const auto* use = std::get_if<checked::Use>(&index.node);
    const ArrayInfo* array = use == nullptr ? nullptr : &scope.store.arrays[use->array];
    if (array != nullptr && !scope.told.no_indices.insert(name_key(array->name)).second)
      return false;
    std::vector<Note> notes;
    if (array != nullptr && array->declared) notes.push_back({array->span, "declared here"});
    report(context, DiagnosticKind::BadIndex, index.span,
           fmt::format("`{}` is {}, and indices are integers", describe(index, scope),
                       name_of(index.dtype)),
           {fmt::format("declare it so: {}: int32{}", array == nullptr ? "Tok" : array->name,
                        to_string(index.layout.value_or(replicated(index.labels.size())),
                                  scope.store.names_of(index.labels), scope.mesh()))},
           std::move(notes));
    return false;
  }
  if (contains(index.labels, along)) {
    const std::string name = scope.store.dimensions[along].name;
    report(context, DiagnosticKind::BadIndex, index.span,
           fmt::format("the index has the dimension `{}` that it is to pick from", name),
           {fmt::format("rename it: P[{0}] → Q[{0}2] first", name)});
    return false;
  }
  return true;
}

std::optional<CheckedIndex> check_index(const ast::Index& index, const checked::Operation& operand,
                                        CheckContext& context) {
  return PickedIndexChecker(context).check(index, operand);
}

bool same_use(const checked::Operation& a, const checked::Operation& b) {
  if (a.labels != b.labels) return false;
  const auto* left = std::get_if<checked::Use>(&a.node);
  const auto* right = std::get_if<checked::Use>(&b.node);
  if (left != nullptr && right != nullptr)
    return left->array == right->array && left->layout == right->layout;
  const auto* one = std::get_if<checked::Selection>(&a.node);
  const auto* other = std::get_if<checked::Selection>(&b.node);
  return one != nullptr && other != nullptr && one->kind == other->kind &&
         one->along == other->along && one->position == other->position && a.dtype == b.dtype &&
         std::equal(one->operands.begin(), one->operands.end(), other->operands.begin(),
                    other->operands.end(), same_use);
}

}  // namespace shard
