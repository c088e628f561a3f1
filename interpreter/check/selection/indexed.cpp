// Indices: `E[V = Tok]`, `G[E = Pick, Cap = Slot]`.
#include <algorithm>
#include <numeric>
#include <span>

#include "base/contains.h"
#include "interpreter/check/contraction.h"
#include "interpreter/check/selection/coordinate_index.h"
#include "interpreter/check/selection/places.h"
#include "interpreter/check/selection/selection.h"
#include "interpreter/planning/local_layout.h"

namespace shard {

namespace {

// Sums what the devices along an axis picked, each by its own coordinate.
checked::Operation summed_over_coordinates(checked::Operation picked, const TargetHint& target,
                                           const Scope& scope) {
  std::vector<DimensionId> labels;
  for (const DimensionId label : picked.labels) {
    if (!scope.store.dimensions[label].coordinate) labels.push_back(label);
  }
  if (labels.size() == picked.labels.size()) return picked;
  labels = in_target_order(std::move(labels), target);
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

// The dimensions that are left: those of arrays of indices stand in the place of the one that is looked along.
std::vector<DimensionId> labels_left(const checked::Operation& operand,
                                     const std::vector<CheckedIndex>& indices) {
  std::vector<DimensionId> labels;
  for (const DimensionId label : operand.labels) {
    const auto index = std::find_if(indices.begin(), indices.end(),
                                    [&](const CheckedIndex& one) { return one.along == label; });
    if (index == indices.end()) {
      labels.push_back(label);
    } else if (index->array) {
      for (const DimensionId own : index->array->labels) {
        if (!contains(operand.labels, own) && !contains(labels, own)) labels.push_back(own);
      }
    }
  }
  return labels;
}

// Whether both arrays of indices pick at once: neither has the dimension that the other looks along.
bool picks_at_once(const CheckedIndex& one, const CheckedIndex& other) {
  return one.array && other.array && one.along != other.along &&
         !contains(one.array->labels, other.along) && !contains(other.array->labels, one.along);
}

// Whether the index is that of a dimension which the operand has: not of one that another index makes.
bool names_dimension_of(const ast::Index& index, const checked::Operation& operand,
                        const Scope& scope) {
  const auto label =
      index.dimension ? scope.names.find_dimension(index.dimension->text) : std::nullopt;
  return label && contains(operand.labels, *label);
}

// Picks by the first of the indices, and by the arrays among them that follow it as well: those pick at once. What comes out has
// the order of the target's dimensions if no index is left, which `written` tells then.
std::optional<checked::Operation> gather(checked::Operation operand,
                                         std::span<const ast::Index>& written,
                                         const TargetHint& target, Span span,
                                         CheckContext& context) {
  std::vector<CheckedIndex> indices;
  while (!written.empty() &&
         (indices.empty() || names_dimension_of(written.front(), operand, context.scope))) {
    if (!indices.empty() && !indices.back().array) break;
    auto index = check_index(written.front(), operand, context);
    if (!index) return std::nullopt;
    const bool at_once =
        std::all_of(indices.begin(), indices.end(),
                    [&](const CheckedIndex& other) { return picks_at_once(*index, other); });
    if (!at_once) break;
    indices.push_back(*std::move(index));
    written = written.subspan(1);
  }
  std::vector<DimensionId> labels = labels_left(operand, indices);
  const DType dtype = operand.dtype;
  checked::Selection selection{.kind = SelectionKind::Gather,
                               .operands = {},
                               .along = {},
                               .position = indices.front().position};
  selection.operands.push_back(std::move(operand));
  for (CheckedIndex& index : indices) {
    selection.along.push_back(index.along);
    if (!index.array) continue;
    if (!check_reduced(*index.array, "indices have to be whole", context)) return std::nullopt;
    selection.operands.push_back(*std::move(index.array));
  }
  if (!check_element_count(labels, span, context)) return std::nullopt;
  const TargetHint none;
  const TargetHint& hint = written.empty() && !target.within ? target : none;
  labels = in_target_order(std::move(labels), hint);
  return summed_over_coordinates(
      selection_of(std::move(selection), std::move(labels), dtype, span, context.scope), hint,
      context.scope);
}

// Indices of dimensions that the operand has pick at once, in whatever order they stand: where an array of indices has the dimension
// that another one picks from, `A[p, 0]` with p[J], that one comes first, for the J of the array is another one.
std::optional<std::vector<ast::Index>> in_order(const std::vector<ast::Index>& written,
                                                const checked::Operation& operand, Span span,
                                                CheckContext& context) {
  if (written.size() < 2) return written;
  std::vector<std::optional<CheckedIndex>> indices(written.size());
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (!names_dimension_of(written[i], operand, context.scope)) continue;
    indices[i] = check_index(written[i], operand, context);
    if (!indices[i]) return std::nullopt;
  }
  const auto waits_for = [&](std::size_t one, std::size_t other) {
    return one != other && indices[one] && indices[other] && indices[one]->array &&
           indices[one]->along != indices[other]->along &&
           contains(indices[one]->array->labels, indices[other]->along);
  };
  std::vector<std::size_t> left(written.size());
  std::iota(left.begin(), left.end(), 0);
  std::vector<ast::Index> order;
  while (!left.empty()) {
    const auto next = std::find_if(left.begin(), left.end(), [&](std::size_t one) {
      return std::none_of(left.begin(), left.end(),
                          [&](std::size_t other) { return waits_for(one, other); });
    });
    if (next == left.end()) {
      report(context, DiagnosticKind::BadIndex, span,
             "each of these indices has the dimension that another one picks from",
             {"a copy with a dimension of its own picks apart from the other: s[N] = p[J]"});
      return std::nullopt;
    }
    order.push_back(written[*next]);
    left.erase(next);
  }
  return order;
}

std::optional<checked::Operation> gather_all(std::optional<checked::Operation> operation,
                                             const std::vector<ast::Index>& written,
                                             const TargetHint& target, Span span,
                                             CheckContext& context) {
  if (!operation) return std::nullopt;
  const auto order = in_order(written, *operation, span, context);
  if (!order) return std::nullopt;
  std::span<const ast::Index> left(*order);
  while (operation && !left.empty())
    operation = gather(*std::move(operation), left, target, span, context);
  return operation;
}

}  // namespace

std::optional<checked::Operation> check_indexed(const ast::ArrayRef& array,
                                                const TargetHint& target, CheckContext& context) {
  ast::ArrayRef whole = array;
  whole.indices.clear();
  auto operation =
      has_part(whole) ? check_part(whole, target.inside(), context) : check_use(whole, context);
  return gather_all(std::move(operation), array.indices, target, array.at.span, context);
}

std::optional<checked::Operation> check_indexed(const ast::Indexed& indexed, Span span,
                                                const TargetHint& target, CheckContext& context) {
  return gather_all(check_operation(*indexed.value, TargetHint{}, context), indexed.indices, target,
                    span, context);
}

}  // namespace shard
