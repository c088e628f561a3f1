#include "interpreter/oracle/oracle.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/check.h"
#include "base/find.h"
#include "interpreter/oracle/einsum.h"
#include "interpreter/oracle/elements.h"
#include "interpreter/oracle/parallel.h"

namespace shard::oracle {

namespace {

constexpr double kLeastNormal = 0x1p-126;  // of fp32 and bf16

Tensor tensor(const std::vector<DimensionId>& labels, const std::vector<std::int64_t>& shape,
              Numbers values) {
  return {.labels = numbered(labels), .shape = shape, .values = std::move(values)};
}

// Of each index what a function makes of it.
template <class Function>
Numbers numbers(std::size_t count, const Watch& watch, const Function& function) {
  Numbers result(count);
  in_ranges(watch, count, kElementsAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) result[i] = function(i);
  });
  return result;
}

Numbers magnitudes(const Numbers& values, const Watch& watch) {
  return numbers(values.size(), watch, [&](std::size_t i) { return std::abs(values[i]); });
}

Numbers sums(const Numbers& a, const Numbers& b, const Watch& watch) {
  return numbers(a.size(), watch, [&](std::size_t i) { return a[i] + b[i]; });
}

bool is_exact(const Numbers& bounds) {
  return std::all_of(bounds.begin(), bounds.end(), [](double bound) { return bound == 0; });
}

// Whether a flow leaves partial sums, which stay in the accumulation type.
bool leaves_partial_sums(const checked::Flow& flow) {
  if (flow.layout) return !flow.layout->unreduced.empty();
  const bool written = match(
      flow.value.node, [](const checked::Use&) { return true; },
      [](const checked::Product& product) { return product.local; },
      [](const checked::Elementwise&) { return false; },
      [](const checked::Reduction&) { return false; },
      [](const checked::Softmax&) { return false; },
      [](const checked::Selection&) { return false; },
      [](const checked::Collective&) { return true; });
  return written && !flow.value.layout->unreduced.empty();
}

// The same where some copies are rounded already and others, partial sums, are not.
void round_perhaps(Array& array, DType dtype, const Watch& watch) {
  const double u = unit_roundoff(dtype);
  const auto rounding = [&, integers = is_integer(dtype)](double value, double bound) {
    if (!integers) return u * (std::abs(value) + bound) + least_error(dtype);
    return bound > 0 || value != std::nearbyint(value) ? 0.5 : 0;
  };
  array.bound = numbers(array.value.size(), watch, [&](std::size_t i) {
    const double value = array.value[i];
    const double bound = array.bound[i];
    return bound + (rounding(value, bound) + std::abs(value - clamped(dtype, value)));
  });
}

// Processors take subnormal numbers for 0 where they multiply bf16. So an operand that may be one may be 0: its bounds then,
// nothing if they are as they were.
Numbers flushed_subnormals(const Array& operand, const Watch& watch) {
  const double* const value = operand.value.data();
  const double* const bound = operand.bound.data();
  std::atomic<bool> same = true;
  in_ranges(watch, operand.value.size(), kElementsAtOnce, [&](std::size_t begin, std::size_t end) {
    int lower = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const double size = std::abs(value[i]);
      lower += static_cast<int>(size - bound[i] < kLeastNormal) & static_cast<int>(bound[i] < size);
    }
    if (lower != 0) same = false;
  });
  if (same) return {};
  return numbers(operand.value.size(), watch, [&](std::size_t i) {
    const double size = std::abs(value[i]);
    return size - bound[i] < kLeastNormal ? std::max(size, bound[i]) : bound[i];
  });
}

// Sums that are subnormal are 0, too.
void flush_sums(Numbers& bounds, double terms) {
  for (double& bound : bounds) bound += bound > 0 ? terms * kLeastNormal : 0;
}

// How many products a sum over the labels that the result lacks has.
double summed_terms(const std::vector<DimensionId>& labels, const std::vector<std::int64_t>& shape,
                    const std::vector<DimensionId>& result) {
  double terms = 1;
  for (std::size_t d = 0; d < labels.size(); ++d) {
    if (!contains(result, labels[d])) terms *= static_cast<double>(shape[d]);
  }
  return terms;
}

// A sum of terms whose sizes add up to more than the largest number may be anything: some order of them overflows. Only if
// one has a bound above `suspect` are the sizes asked for.
template <class Sizes>
void unbind_overflows(Numbers& bounds, double largest, double suspect, const Sizes& sizes_of_sums) {
  const auto is_suspect = [&](double bound) { return bound > suspect; };
  if (std::none_of(bounds.begin(), bounds.end(), is_suspect)) return;
  const Numbers sizes = sizes_of_sums();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!(sizes[i] <= largest)) bounds[i] = HUGE_VAL;
  }
}

}  // namespace

std::int64_t Oracle::length(DimensionId label) const {
  const auto number = scope_.size_of(label).constant();
  SHARD_CHECK(number && number->to_int64());
  return *number->to_int64();
}

std::shared_ptr<const Array> Oracle::kept(ArrayId id) {
  const auto found = arrays_.find(id);
  if (found != arrays_.end()) return found->second;
  const ArrayInfo& info = scope_.arrays[id];
  Array result;
  std::uint64_t elements = 1;
  std::string anonymous = "[";
  for (const DimensionId dimension : info.dimensions) {
    result.shape.push_back(length(dimension));
    elements *= static_cast<std::uint64_t>(result.shape.back());
    anonymous += (anonymous.size() > 1 ? ", " : "") + scope_.dimensions[dimension].name;
  }
  const std::string name = info.anonymous ? anonymous + "]" : info.name;
  result.value.resize(elements);
  InputStep input = info.values ? *info.values : InputStep{};
  if (!info.values) input.seed = name;
  in_ranges(watch_, elements, kElementsAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) result.value[i] = input_(input, i, info.dtype);
  });
  result.bound.assign(elements, 0.0);
  settle(result, watch_);
  return arrays_[id] = std::make_shared<const Array>(std::move(result));
}

Array Oracle::reorder(Array from, const std::vector<DimensionId>& from_labels,
                      const std::vector<DimensionId>& to_labels) const {
  const bool permuted =
      from_labels != to_labels && std::is_permutation(from_labels.begin(), from_labels.end(),
                                                      to_labels.begin(), to_labels.end());
  if (!permuted) return from;  // the same, or renamed place by place
  Tensor value = transpose(tensor(from_labels, from.shape, std::move(from.value)),
                           numbered(to_labels), watch_);
  Tensor bound = transpose(tensor(from_labels, from.shape, std::move(from.bound)),
                           numbered(to_labels), watch_);
  return {.shape = value.shape, .value = std::move(value.values), .bound = std::move(bound.values)};
}

void Oracle::run(const checked::Flow& flow) {
  if (flow.is_copy) {
    array(flow.target);
    return;
  }
  const DType dtype = scope_.arrays[flow.target].dtype;
  const bool partial = leaves_partial_sums(flow);
  Array result = settled(flow.value, partial ? accumulation_type(dtype) : dtype);
  if (partial) {
    round_perhaps(result, dtype, watch_);
    settle(result, watch_);
  } else if (flow.value.dtype != dtype) {
    round_once(result, dtype, watch_);
    settle(result, watch_);
  }
  arrays_[flow.target] =
      std::make_shared<const Array>(reorder(std::move(result), flow.value.labels, flow.labels));
}

std::shared_ptr<const Array> Oracle::evaluate(const checked::Operation& operation, DType dtype) {
  if (const auto* use = std::get_if<checked::Use>(&operation.node)) return kept(use->array);
  return std::make_shared<const Array>(settled(operation, dtype));
}

Array Oracle::settled(const checked::Operation& operation, DType dtype) {
  Array result = unsettled(operation, dtype);
  settle(result, watch_);
  return result;
}

Array Oracle::unsettled(const checked::Operation& operation, DType dtype) {
  return match(
      operation.node, [&](const checked::Use& use) { return Array(array(use.array)); },
      [&](const checked::Product& product) { return multiply(product, operation.labels, dtype); },
      [&](const checked::Elementwise& elements) {
        return compute(elements, operation.labels, dtype);
      },
      [&](const checked::Reduction& reduction) {
        return reduce(reduction, operation.labels, dtype);
      },
      [&](const checked::Softmax& one) { return softmax(one, operation.labels, dtype); },
      [&](const checked::Selection& selection) {
        return select(selection, operation.labels, dtype);
      },
      [&](const checked::Collective& collective) {
        return collective.kind == CollectiveKind::Shift ? shift(collective, operation, dtype)
                                                        : settled(*collective.operand, dtype);
      });
}

Array Oracle::multiply(const checked::Product& product, const std::vector<DimensionId>& labels,
                       DType dtype) {
  const auto left_array = evaluate(*product.left, product.left->dtype);
  const auto right_array = evaluate(*product.right, product.right->dtype);
  const Array& left = *left_array;
  const Array& right = *right_array;
  const bool flushes = product.left->dtype == DType::Bf16 && product.right->dtype == DType::Bf16;
  const Numbers left_flushed = flushes ? flushed_subnormals(left, watch_) : Numbers();
  const Numbers right_flushed = flushes ? flushed_subnormals(right, watch_) : Numbers();
  const Numbers& left_bound = left_flushed.empty() ? left.bound : left_flushed;
  const Numbers& right_bound = right_flushed.empty() ? right.bound : right_flushed;
  const std::vector<int> left_numbers = numbered(product.left->labels);
  const std::vector<int> right_numbers = numbered(product.right->labels);
  const auto times = [&](const Numbers& a, const Numbers& b) {
    return einsum({left_numbers, left.shape, a}, {right_numbers, right.shape, b}, numbered(labels),
                  watch_);
  };
  Tensor value = times(left.value, right.value);
  Array result{.shape = value.shape, .value = std::move(value.values), .bound = {}};
  const double terms = summed_terms(product.left->labels, left.shape, labels);
  // A product with a type that has fractions is summed in such a type.
  const DType factor = is_integer(product.left->dtype) ? product.right->dtype : product.left->dtype;
  const double u = unit_roundoff(accumulation_type(factor));
  const auto summing = [&, integers = is_integer(factor)](const Numbers& sizes) {
    return numbers(sizes.size(), watch_,
                   [&](std::size_t i) { return sum_error(terms, sizes[i], u, integers); });
  };
  const auto sum = [&](const Numbers& a, const Numbers& b) { return sums(a, b, watch_); };
  const Numbers left_size = sum(magnitudes(left.value, watch_), left_bound);
  const Numbers right_size = magnitudes(right.value, watch_);
  const Numbers right_most = sum(right_size, right_bound);
  const bool left_exact = is_exact(left_bound);
  const bool right_exact = is_exact(right_bound);
  // What is summed may be as large as its values with their bounds, (|a| + δa)(|b| + δb). Beside what summing makes of that,
  // |(a+δa)(b+δb) − ab| ≤ (|a| + δa)·δb + δa·|b|. What has a factor in common is one product, but of integers, whose sums are
  // exact up to a size.
  if (is_integer(factor)) {
    result.bound = summing(times(left_size, right_most).values);
    if (!left_exact) result.bound = sum(result.bound, times(left_bound, right_size).values);
    if (!right_exact) result.bound = sum(result.bound, times(left_size, right_bound).values);
  } else if (right_exact) {
    result.bound = times(sum(summing(left_size), left_bound), right_size).values;
  } else {
    result.bound = times(left_size, sum(summing(right_most), right_bound)).values;
    if (!left_exact) result.bound = sum(result.bound, times(left_bound, right_size).values);
  }
  if (flushes) flush_sums(result.bound, terms);
  const double largest = largest_of(accumulation_type(factor));
  unbind_overflows(result.bound, largest, sum_error(terms, largest, u, false),
                   [&] { return times(left_size, right_most).values; });
  round_once(result, dtype, watch_);
  return result;
}

Array Oracle::compute(const checked::Elementwise& elements, const std::vector<DimensionId>& labels,
                      DType dtype) {
  std::vector<Labelled> operands;
  for (const checked::Operation& operand : elements.operands)
    operands.push_back({evaluate(operand, operand.dtype), numbered(operand.labels)});
  std::vector<std::int64_t> shape;
  for (const DimensionId label : labels) shape.push_back(length(label));
  Array result = element_values(elements.program, operands, numbered(labels), shape, dtype, watch_);
  round_once(result, dtype, watch_);
  return result;
}

Array Oracle::reduce(const checked::Reduction& reduction, const std::vector<DimensionId>& labels,
                     DType dtype) {
  const checked::Operation& operand = *reduction.operand;
  Array result =
      reduced_values(reduction.kind, {evaluate(operand, operand.dtype), numbered(operand.labels)},
                     numbered(labels), operand.dtype, dtype, watch_);
  round_once(result, dtype, watch_);
  return result;
}

Array Oracle::softmax(const checked::Softmax& softmax, const std::vector<DimensionId>& labels,
                      DType dtype) {
  const checked::Operation& operand = *softmax.operand;
  Array result = softmax_values({evaluate(operand, operand.dtype), numbered(operand.labels)},
                                numbered(softmax.along), numbered(labels),
                                fractional_type(operand.dtype), watch_);
  round_once(result, dtype, watch_);
  return result;
}

Array Oracle::select(const checked::Selection& selection, const std::vector<DimensionId>& labels,
                     DType dtype) {
  std::vector<Labelled> operands;
  for (const checked::Operation& operand : selection.operands)
    operands.push_back({evaluate(operand, operand.dtype), numbered(operand.labels)});
  std::vector<std::int64_t> shape;
  for (const DimensionId label : labels) shape.push_back(length(label));
  const int along = selection.along.value;
  const auto position = selection.position.constant();
  const std::int64_t fixed = position ? position->to_int64().value_or(0) : 0;
  const auto index = [&](std::size_t place) {
    return place < operands.size() ? &operands[place] : nullptr;
  };
  Array result;
  switch (selection.kind) {
    case SelectionKind::Gather:
      result =
          gathered_values(operands[0], index(1), along, fixed, numbered(labels), shape, watch_);
      break;
    case SelectionKind::Update:
      result = updated_values(operands[0], operands[1], index(2), along, fixed, watch_);
      break;
    case SelectionKind::Reshape:
      result = *operands[0].array;
      result.shape = shape;
      break;
    case SelectionKind::Top:
      result = largest_values(operands[0], along, numbered(labels), shape, watch_);
      break;
  }
  // What is picked or put may be of another type.
  const bool converts =
      std::any_of(selection.operands.begin(), selection.operands.end(),
                  [&](const checked::Operation& operand) { return operand.dtype != dtype; });
  if (converts) round_once(result, dtype, watch_);
  return result;
}

// Blocks move up the axis: along the dimension that it splits, in units of a block, within the blocks of the axes major
// to it.
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
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(from.value.size()); ++i) {
    const std::int64_t at = i / stride % size;
    const std::int64_t group = at / (block * ways);
    const std::int64_t moved = ((at / block % ways + collective.shift) % ways + ways) % ways;
    const std::int64_t to = group * block * ways + moved * block + at % block;
    const auto target = static_cast<std::size_t>(i + (to - at) * stride);
    result.value[target] = from.value[static_cast<std::size_t>(i)];
    result.bound[target] = from.bound[static_cast<std::size_t>(i)];
  }
  return result;
}

}  // namespace shard::oracle
