// The softmax of a whole array.
#include <algorithm>
#include <cmath>

#include "interpreter/reference/bounded.h"
#include "interpreter/reference/elements.h"
#include "interpreter/reference/rounding_error.h"
#include "interpreter/reference/strides.h"

namespace shard::oracle {

namespace {

// The devices' steps, without bounds. A difference that overflows gives a power of 0, as it should.
Array softmax_by_steps(const Labelled& x, const Labelled& largest, const std::vector<int>& labels,
                       const std::vector<std::int64_t>& shape, const Mode& mode) {
  const std::size_t count = x.array->value.size();
  Array powers{.shape = shape, .value = Numbers(count), .bound = {}, .size = {}};
  const auto own = strides_along(x, labels);
  const auto rows = strides_along(largest, labels);
  for (std::size_t i = 0; i < count; ++i) {
    mode.watch.look(i);
    const auto at = static_cast<std::int64_t>(i);
    const double value = x.array->value[static_cast<std::size_t>(offset_of(at, shape, own))];
    const auto row = static_cast<std::size_t>(offset_of(at, shape, rows));
    powers.value[i] = std::exp(value - largest.array->value[row]);
  }
  const Labelled terms{std::make_shared<const Array>(std::move(powers)), labels};
  const Labelled total{
      std::make_shared<const Array>(reduced_values(ReductionKind::Sum, terms, largest.labels,
                                                   DType::Fp64, DType::Fp64, mode)),
      largest.labels};
  const ElementProgram quotient{{.op = ElementOp::Operand, .operand = 0},
                                {.op = ElementOp::Operand, .operand = 1},
                                {.op = ElementOp::Divide}};
  return element_values(quotient, {terms, total}, labels, shape, DType::Fp64, mode);
}

// The operand with other numbers in place of its own.
Labelled with_values(const Labelled& operand, const Numbers& numbers) {
  return {std::make_shared<const Array>(
              Array{.shape = operand.array->shape, .value = numbers, .bound = {}, .size = {}}),
          operand.labels};
}

}  // namespace

Array softmax_values(const Labelled& operand, const std::vector<int>& along,
                     const std::vector<int>& labels, DType dtype, const Mode& mode) {
  std::vector<int> rows = labels;
  std::erase_if(
      rows, [&](int label) { return std::find(along.begin(), along.end(), label) != along.end(); });
  std::vector<std::int64_t> shape;
  for (const int label : labels) {
    const auto at = std::find(operand.labels.begin(), operand.labels.end(), label);
    shape.push_back(operand.array->shape[static_cast<std::size_t>(at - operand.labels.begin())]);
  }
  const Mode exact{.watch = mode.watch, .bounds = Bounds::None};
  const auto largest_of_rows = std::make_shared<const Array>(
      reduced_values(ReductionKind::Max, operand, rows, dtype, dtype, exact));
  const Array& largest = *largest_of_rows;
  Array result = softmax_by_steps(operand, {largest_of_rows, rows}, labels, shape, exact);
  if (!mode.bounded()) return result;
  result.bound.resize(result.value.size());
  // All arguments get the largest bound of their row in place of their own.
  const Array& x_array = *operand.array;
  const Numbers& own_bounds =
      x_array.bound.empty() ? Numbers(x_array.value.size(), 0.0) : x_array.bound;
  const Array row_bound = reduced_values(ReductionKind::Max, with_values(operand, own_bounds), rows,
                                         dtype, dtype, exact);
  const auto strides = strides_along(rows, row_bound.shape, labels);
  const auto own = strides_along(operand, labels);
  const double u = unit_roundoff(dtype == DType::Fp64 ? DType::Fp64 : DType::Fp32);
  const double terms = static_cast<double>(result.value.size()) /
                       static_cast<double>(std::max<std::size_t>(row_bound.value.size(), 1));
  // e is rounded, and so is its sum, which is taken over rounded terms.
  const double steps = (1 + kUlps * u) * (1 + unit_roundoff(dtype));
  // The cap keeps the divisor at a half for sums of more than 2^23 terms.
  const double sum = (1 + unit_roundoff(dtype)) / (1 - std::min(0.5, (terms + 2) * u));
  // Absolute error where exp underflows in fp32, whose smallest normal number is 1.2e-38.
  constexpr double kUnderflow = 1e-37;
  // The part of rounding e that is not relative, and of rounding all terms of a sum, which is at least its largest
  // term, 1.
  const double least = least_error(dtype);
  const bool may_overflow = terms > largest_of(dtype);
  for (std::size_t i = 0; i < result.value.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const auto row = static_cast<std::size_t>(offset_of(at, shape, strides));
    const double x = operand.array->value[static_cast<std::size_t>(offset_of(at, shape, own))];
    // The difference is rounded, both here and in those terms of the sum that matter: terms more than 100 below the
    // maximum are less than 1e-43.
    const double difference =
        u * (std::abs(x - largest.value[row]) + 2 * row_bound.value[row] + 100);
    const double factor = std::exp(2 * (row_bound.value[row] + difference)) * steps * steps * sum;
    const double grown = result.value[i] * (factor - 1) + kUnderflow * factor +
                         2 * least * (1 + result.value[i] * terms) * factor;
    result.bound[i] = std::isnan(grown) ? 1 : std::min(grown, 1.0 + unit_roundoff(dtype));
    // A type without infinities, as fp8, has NaN for a sum that overflows.
    if (may_overflow || !std::isfinite(row_bound.value[row])) result.bound[i] = HUGE_VAL;
  }
  return result;
}

}  // namespace shard::oracle
