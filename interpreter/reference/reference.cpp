#include "interpreter/reference/reference.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "interpreter/reference/einsum.h"
#include "interpreter/reference/elements.h"
#include "interpreter/reference/product_bound.h"
#include "interpreter/reference/rounding_error.h"

namespace shard::oracle {

namespace {

Numbers transposed(Numbers values, const std::vector<DimensionId>& labels,
                   const std::vector<std::int64_t>& shape, const std::vector<int>& to,
                   const Watch& watch) {
  if (values.empty()) return values;
  return transpose({.labels = numbered(labels), .shape = shape, .values = std::move(values)}, to,
                   watch)
      .values;
}

// Whether it only moves data, so that its result is not one of an arithmetic that has already rounded it.
bool moves_only(const checked::Operation& operation) {
  return std::holds_alternative<checked::Use>(operation.node) ||
         std::holds_alternative<checked::Collective>(operation.node);
}

// Sums are rounded, and what is picked or put where it gets another type.
bool is_rounded(const checked::Selection& selection, DType dtype) {
  return selection.kind == SelectionKind::CumSum || selection.kind == SelectionKind::Scatter ||
         std::any_of(selection.operands.begin(), selection.operands.end(),
                     [&](const checked::Operation& operand) { return operand.dtype != dtype; });
}

}  // namespace

std::int64_t length_of(DimensionId label, const Scope& scope) {
  const auto number = scope.size_of(label).constant();
  SHARD_CHECK(number && number->to_int64());
  return *number->to_int64();
}

std::vector<std::int64_t> Oracle::shape_of(const std::vector<DimensionId>& labels) const {
  std::vector<std::int64_t> shape;
  for (const DimensionId label : labels) shape.push_back(length_of(label, scope_));
  return shape;
}

Array Oracle::reorder(Array from, const std::vector<DimensionId>& from_labels,
                      const std::vector<DimensionId>& to_labels) const {
  const bool permuted =
      from_labels != to_labels && std::is_permutation(from_labels.begin(), from_labels.end(),
                                                      to_labels.begin(), to_labels.end());
  if (!permuted) return from;  // unchanged, or dimensions renamed one by one
  const auto turned = [&](Numbers values) {
    return transposed(std::move(values), from_labels, from.shape, numbered(to_labels), mode_.watch);
  };
  return {.shape = shape_of(to_labels),
          .value = turned(std::move(from.value)),
          .bound = turned(std::move(from.bound)),
          .size = turned(std::move(from.size))};
}

Array Oracle::result(const checked::Flow& flow, bool partial) {
  SHARD_CHECK(!flow.is_copy);
  const DType dtype = scope_.store.arrays[flow.target].dtype;
  Array result = settled(flow.value, partial ? accumulation_type(dtype) : dtype);
  // Partial sums are rounded where they are added up.
  const bool adds_up = !result.size.empty();
  const bool converts = moves_only(flow.value) && flow.value.dtype != dtype;
  if (!partial && (adds_up || converts)) {
    round_once(result, dtype, mode_);
    result.size.clear();
    settle(result, mode_);
  }
  return reorder(std::move(result), flow.value.labels, flow.labels);
}

std::shared_ptr<const Array> Oracle::evaluate(const checked::Operation& operation, DType dtype) {
  if (const auto* use = std::get_if<checked::Use>(&operation.node)) return operand_(use->array);
  return std::make_shared<const Array>(settled(operation, dtype));
}

Labelled Oracle::labelled(const checked::Operation& operand) {
  return {evaluate(operand, operand.dtype), numbered(operand.labels)};
}

Array Oracle::settled(const checked::Operation& operation, DType dtype) {
  Array result = unsettled(operation, dtype);
  settle(result, mode_);
  return result;
}

Array Oracle::unsettled(const checked::Operation& operation, DType dtype) {
  return match(
      operation.node, [&](const checked::Use& use) { return Array(*operand_(use.array)); },
      [&](const checked::Product& product) { return multiply(product, operation.labels, dtype); },
      [&](const checked::Elementwise& elements) {
        return compute(elements, operation.labels, dtype);
      },
      [&](const checked::Reduction& reduction) {
        return reduce(reduction, operation.labels, dtype);
      },
      [&](const checked::Softmax& one) { return softmax(one, operation, dtype); },
      [&](const checked::Selection& selection) {
        return select(selection, operation.labels, dtype);
      },
      [&](const checked::Collective& collective) { return move(collective, operation, dtype); });
}

Array Oracle::multiply(const checked::Product& product, const std::vector<DimensionId>& labels,
                       DType dtype) {
  const Labelled left = labelled(*product.left);
  const Labelled right = labelled(*product.right);
  const std::vector<int> result_labels = numbered(labels);
  Tensor value =
      einsum({left.labels, left.array->shape, left.array->value},
             {right.labels, right.array->shape, right.array->value}, result_labels, mode_.watch);
  Array result{.shape = value.shape, .value = std::move(value.values), .bound = {}, .size = {}};
  const Factor left_factor{*left.array, left.labels, product.left->dtype};
  const Factor right_factor{*right.array, right.labels, product.right->dtype};
  if (mode_.bounded())
    result.bound = product_bound(left_factor, right_factor, result_labels, mode_.watch);
  const Numbers unknown = unknown_sums(left_factor, right_factor, result_labels, mode_.watch);
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    if (unknown[i] != 0) result.value[i] = std::nan("");
  }
  round_once(result, dtype, mode_);
  return result;
}

Array Oracle::compute(const checked::Elementwise& elements, const std::vector<DimensionId>& labels,
                      DType dtype) {
  std::vector<Labelled> operands;
  for (const checked::Operation& operand : elements.operands) operands.push_back(labelled(operand));
  Array result =
      element_values(elements.program, operands, numbered(labels), shape_of(labels), dtype, mode_);
  round_once(result, dtype, mode_);
  return result;
}

Array Oracle::reduce(const checked::Reduction& reduction, const std::vector<DimensionId>& labels,
                     DType dtype) {
  const checked::Operation& operand = *reduction.operand;
  Array result = reduced_values(reduction.kind, labelled(operand), numbered(labels), operand.dtype,
                                dtype, mode_);
  round_once(result, dtype, mode_);
  return result;
}

Array Oracle::softmax(const checked::Softmax& softmax, const checked::Operation& operation,
                      DType dtype) {
  Array result = softmax_values(labelled(*softmax.operand), numbered(softmax.along),
                                numbered(operation.labels), operation.dtype, mode_);
  round_once(result, dtype, mode_);
  return result;
}

Array Oracle::select(const checked::Selection& selection, const std::vector<DimensionId>& labels,
                     DType dtype) {
  std::vector<Labelled> operands;
  for (const checked::Operation& operand : selection.operands)
    operands.push_back(labelled(operand));
  const std::vector<std::int64_t> shape = shape_of(labels);
  const std::vector<int> along = numbered(selection.along);
  const std::vector<int> result_labels = numbered(labels);
  const auto position = selection.position.constant();
  const std::int64_t fixed = position ? position->to_int64().value_or(0) : 0;
  Array result;
  switch (selection.kind) {
    case SelectionKind::Gather:
      // A part has a dimension in the place of the one that it is a part of, a single element has none.
      result = operands.size() == 1 && labels.size() == operands[0].labels.size()
                   ? part_values(operands[0], along[0], fixed, result_labels, shape, mode_)
                   : gathered_values(operands[0], std::span(operands).subspan(1), along, fixed,
                                     result_labels, shape, mode_);
      break;
    case SelectionKind::Update:
      result = updated_values(operands[0], operands[1], std::span(operands).subspan(2), along,
                              fixed, mode_);
      break;
    case SelectionKind::Reshape:
      result = *operands[0].array;
      result.shape = shape;
      break;
    case SelectionKind::Top:
      result = largest_values(operands[0], along[0], result_labels, shape, mode_);
      break;
    case SelectionKind::CumSum:
      result = cumsum_values(operands[0], along[0], result_labels, shape,
                             selection.operands.front().dtype, dtype, mode_);
      break;
    case SelectionKind::Scatter:
      result = scattered_values(operands[0], std::span(operands).subspan(1), along, result_labels,
                                shape, selection.operands.front().dtype, dtype, mode_);
      break;
    case SelectionKind::Concat:
      result = joined_values(operands, along[0], result_labels, shape, mode_);
      break;
  }
  if (is_rounded(selection, dtype)) round_once(result, dtype, mode_);
  return result;
}

// Data moves unchanged; what partial sums add up to is rounded.
Array Oracle::move(const checked::Collective& collective, const checked::Operation& operation,
                   DType dtype) {
  if (makes_other_array(collective.kind)) return shift(collective, operation, dtype);
  Array result = settled(*collective.operand, dtype);
  const bool is_whole = without_trivial_axes(collective.layout, mesh_).unreduced.empty();
  if (result.size.empty() || !is_whole) return result;
  round_once(result, dtype, mode_);
  result.size.clear();
  return result;
}

// Blocks move up the axis, that is, along the dimension that it splits in units of a block, within the blocks of the
// axes major to it.
Array Oracle::shift(const checked::Collective& collective, const checked::Operation& operation,
                    DType dtype) {
  const auto operand = evaluate(*collective.operand, dtype);
  const Array& from = *operand;
  const AxisId axis = collective.axes.front();
  std::size_t dimension = 0;
  std::int64_t outer = 1;
  for (std::size_t i = 0; i < operation.labels.size(); ++i) {
    const auto& split = collective.layout.dims[i];
    const auto found = std::find(split.begin(), split.end(), axis);
    if (found == split.end()) continue;
    dimension = i;
    for (auto it = split.begin(); it != found; ++it) outer *= *mesh_.axes[*it].length();
  }
  const std::int64_t ways = *mesh_.axes[axis].length();
  const std::int64_t size = from.shape[dimension];
  const std::int64_t block = size / (outer * ways);
  std::int64_t stride = 1;
  for (std::size_t i = dimension + 1; i < from.shape.size(); ++i) stride *= from.shape[i];
  Array result = from;
  const auto put = [](const Numbers& numbers, std::size_t i, Numbers& to, std::size_t target) {
    if (!numbers.empty()) to[target] = numbers[i];
  };
  const auto count = static_cast<std::int64_t>(from.value.size());
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t at = i / stride % size;
    const std::int64_t group = at / (block * ways);
    const std::int64_t moved = ((at / block % ways + collective.shift) % ways + ways) % ways;
    const std::int64_t to = group * block * ways + moved * block + at % block;
    const auto target = static_cast<std::size_t>(i + (to - at) * stride);
    const auto source = static_cast<std::size_t>(i);
    put(from.value, source, result.value, target);
    put(from.bound, source, result.bound, target);
    put(from.size, source, result.size, target);
  }
  return result;
}

}  // namespace shard::oracle
