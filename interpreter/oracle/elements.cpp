#include "interpreter/oracle/elements.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "interpreter/oracle/near.h"
#include "interpreter/oracle/parallel.h"

namespace shard::oracle {

namespace {

// Below the smallest normal number of fp32 and bf16 errors are no longer relative: the number may be taken for 0.
double underflow_error(DType dtype, const Near& near) {
  constexpr double kNearNothing = 1e-30;
  const double size = std::abs(near.value) + near.bound;
  if (size == 0) return 0;
  if (const double least = least_error(dtype); least > 0) return least;
  if (dtype == DType::Fp64 || size > kNearNothing) return 0;
  return std::ldexp(1.0, -126);
}

// What is no number or out of range may come out as anything.
Near checked_range(Near near, double largest) {
  if (std::isnan(near.value) || std::isnan(near.bound) || std::abs(near.value) > largest)
    return {0, HUGE_VAL};
  return near;
}

// The element of an operand at a multi-index of the result, whose strides along it are given.
std::vector<std::int64_t> strides_along(const std::vector<int>& own_labels,
                                        const std::vector<std::int64_t>& own_shape,
                                        const std::vector<int>& labels) {
  std::vector<std::int64_t> strides(labels.size(), 0);
  std::int64_t stride = 1;
  for (std::size_t d = own_labels.size(); d-- > 0;) {
    const auto at = std::find(labels.begin(), labels.end(), own_labels[d]);
    if (at != labels.end()) strides[static_cast<std::size_t>(at - labels.begin())] = stride;
    stride *= own_shape[d];
  }
  return strides;
}

std::vector<std::int64_t> strides_along(const Labelled& operand, const std::vector<int>& labels) {
  return strides_along(operand.labels, operand.array->shape, labels);
}

std::int64_t offset_of(std::int64_t element, const std::vector<std::int64_t>& shape,
                       const std::vector<std::int64_t>& strides) {
  std::int64_t offset = 0;
  for (std::size_t d = shape.size(); d-- > 0;) {
    offset += element % shape[d] * strides[d];
    element /= shape[d];
  }
  return offset;
}

}  // namespace

double largest_of(DType dtype) {
  switch (dtype) {
    case DType::Fp64:
      return 1.7e308;
    case DType::Fp16:
      return 65504;
    case DType::Fp8E5M2:
      return 57344;
    case DType::Fp8E4M3:
      return 448;
    default:
      return 3.38e38;
  }
}

double least_error(DType dtype) {
  switch (dtype) {
    case DType::Fp16:
      return std::ldexp(1.0, -25);
    case DType::Fp8E5M2:
      return std::ldexp(1.0, -17);
    case DType::Fp8E4M3:
      return std::ldexp(1.0, -10);
    default:
      return 0;
  }
}

double clamped(DType dtype, double value) {
  if (dtype == DType::UInt32) return std::clamp(value, 0.0, std::ldexp(1.0, 32) - 1);
  const auto range = [](int bits) { return std::ldexp(1.0, bits - 1); };
  const int bits = dtype == DType::Int8    ? 8
                   : dtype == DType::Int4  ? 4
                   : dtype == DType::Int32 ? 32
                                           : 0;
  return bits == 0 ? value : std::clamp(value, -range(bits), range(bits) - 1);
}

void round_once(Array& array, DType dtype, const Watch& watch) {
  const double u = unit_roundoff(dtype);
  const double largest = largest_of(dtype);
  const auto nearest = [&](double value) { return clamped(dtype, std::nearbyint(value)); };
  const bool integers = is_integer(dtype);
  const auto round = [&](double& value, double& bound) {
    if (integers) {
      const double exact = value;
      value = nearest(exact);
      if (bound > 0 && std::isfinite(bound))
        bound = std::max(nearest(exact + bound) - value, value - nearest(exact - bound));
    } else {
      bound += u * (std::abs(value) + bound) + underflow_error(dtype, {value, bound});
      if (std::abs(value) + bound > largest) bound = HUGE_VAL;
    }
  };
  in_ranges(watch, array.value.size(), kElementsAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) round(array.value[i], array.bound[i]);
  });
}

void settle(Array& array, const Watch& watch) {
  in_ranges(watch, array.value.size(), kElementsAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (std::isfinite(array.value[i]) && std::isfinite(array.bound[i])) continue;
      array.value[i] = 0;
      array.bound[i] = HUGE_VAL;
    }
  });
}

double sum_error(double terms, double size, double u, bool integers) {
  return integers && size * u < 1 ? 0 : (terms + 2) * u * size;
}

namespace {

// Runs a program, in the type in which elements are computed: each instruction for some elements, then the next one.
class ElementRun {
 public:
  static constexpr std::size_t kAtOnce = 256;  // elements

  ElementRun(const ElementProgram& program, const std::vector<Labelled>& operands,
             const std::vector<int>& labels, const std::vector<std::int64_t>& shape, DType dtype)
      : program_(program),
        operands_(operands),
        labels_(labels),
        shape_(shape),
        computed_(dtype == DType::Fp64 || is_integer(dtype) ? DType::Fp64 : DType::Fp32),
        u_(unit_roundoff(computed_)),
        largest_(largest_of(computed_)) {
    for (const Labelled& operand : operands) {
      strides_.push_back(strides_along(operand, labels));
      is_whole_.push_back(operand.labels == labels && operand.array->shape == shape);
    }
  }

  // The result's elements from `begin` on, up to kAtOnce. Holds until the next call.
  const std::vector<Near>& values(std::size_t begin, std::size_t count) {
    std::size_t height = 0;  // of the stack
    for (const ElementInstruction& instruction : program_) {
      if (height + 1 > stack_.size()) stack_.emplace_back(kAtOnce);
      switch (instruction.op) {
        case ElementOp::Operand:
          take_operand(instruction.operand, begin, count, stack_[height++]);
          break;
        case ElementOp::Constant:
          stack_[height++].assign(kAtOnce, constant(instruction.constant.constant()->to_double()));
          break;
        case ElementOp::Position:
          take_positions(instruction.label, begin, count, stack_[height++]);
          break;
        default:
          height -= static_cast<std::size_t>(arity_of(instruction.op));
          apply(instruction.op, height++, count);
      }
    }
    return stack_[height - 1];
  }

 private:
  void take_operand(std::size_t number, std::size_t begin, std::size_t count,
                    std::vector<Near>& to) const {
    const Array& from = *operands_[number].array;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at =
          is_whole_[number] ? begin + i
                            : static_cast<std::size_t>(offset_of(
                                  static_cast<std::int64_t>(begin + i), shape_, strides_[number]));
      to[i] = {from.value[at], from.bound[at]};
    }
  }

  // Whole numbers of usual size are exact.
  Near constant(double number) const {
    const bool exact = number == std::nearbyint(number) && std::abs(number) < 1e6;
    return {number, exact ? 0 : u_ * std::abs(number)};
  }

  void take_positions(int label, std::size_t begin, std::size_t count,
                      std::vector<Near>& to) const {
    std::vector<std::int64_t> along(labels_.size(), 0);
    along[static_cast<std::size_t>(std::find(labels_.begin(), labels_.end(), label) -
                                   labels_.begin())] = 1;
    for (std::size_t i = 0; i < count; ++i) {
      const auto place =
          static_cast<double>(offset_of(static_cast<std::int64_t>(begin + i), shape_, along));
      to[i] = {place, place * u_ < 1 ? 0 : place * u_};
    }
  }

  // To the arguments from stack_[first] on; the result is there, too.
  void apply(ElementOp op, std::size_t first, std::size_t count) {
    constexpr std::size_t kMost = 3;
    const auto arity = static_cast<std::size_t>(arity_of(op));
    SHARD_CHECK(arity <= kMost);
    std::array<Near, kMost> arguments;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t a = 0; a < arity; ++a) arguments[a] = stack_[first + a][i];
      Near value = applied(op, {arguments.data(), arity}, u_);
      value.bound += underflow_error(computed_, value);
      stack_[first][i] = checked_range(value, largest_);
    }
  }

  const ElementProgram& program_;
  const std::vector<Labelled>& operands_;
  const std::vector<int>& labels_;
  const std::vector<std::int64_t>& shape_;
  DType computed_;
  double u_;
  double largest_;
  std::vector<std::vector<std::int64_t>> strides_;
  std::vector<bool> is_whole_;  // by operand: element by element as the result
  std::vector<std::vector<Near>> stack_;
};

}  // namespace

Array element_values(const ElementProgram& program, const std::vector<Labelled>& operands,
                     const std::vector<int>& labels, const std::vector<std::int64_t>& shape,
                     DType dtype, const Watch& watch) {
  std::int64_t count = 1;
  for (const std::int64_t length : shape) count *= length;
  const auto elements = static_cast<std::size_t>(count);
  Array result{.shape = shape, .value = Numbers(elements), .bound = Numbers(elements)};
  in_ranges(watch, elements, kElementsAtOnce, [&](std::size_t begin, std::size_t end) {
    ElementRun run(program, operands, labels, shape, dtype);
    for (std::size_t first = begin; first < end; first += ElementRun::kAtOnce) {
      const std::size_t some = std::min(ElementRun::kAtOnce, end - first);
      const std::vector<Near>& values = run.values(first, some);
      for (std::size_t i = 0; i < some; ++i) {
        result.value[first + i] = values[i].value;
        result.bound[first + i] = values[i].bound;
      }
    }
  });
  return result;
}

Array reduced_values(ReductionKind kind, const Labelled& operand, const std::vector<int>& labels,
                     DType dtype, DType result_dtype, const Watch& watch) {
  const Array& from = *operand.array;
  Array result;
  for (const int label : labels) {
    const auto at = std::find(operand.labels.begin(), operand.labels.end(), label);
    result.shape.push_back(from.shape[static_cast<std::size_t>(at - operand.labels.begin())]);
  }
  std::int64_t count = 1;
  for (const std::int64_t length : result.shape) count *= length;
  // Where an operand's element goes: the result's strides along the operand's labels.
  const std::vector<std::int64_t> strides = strides_along(labels, result.shape, operand.labels);
  const bool sums = kind == ReductionKind::Sum || kind == ReductionKind::Mean;
  const double sign = kind == ReductionKind::Min ? -1 : 1;
  result.value.assign(static_cast<std::size_t>(count),
                      sums ? 0 : -sign * std::numeric_limits<double>::infinity());
  result.bound.assign(static_cast<std::size_t>(count), 0.0);
  Numbers sizes(static_cast<std::size_t>(count), 0.0);
  for (std::size_t i = 0; i < from.value.size(); ++i) {
    watch.look(i);
    const auto to =
        static_cast<std::size_t>(offset_of(static_cast<std::int64_t>(i), from.shape, strides));
    if (!sums) {
      result.value[to] = sign * std::max(sign * result.value[to], sign * from.value[i]);
      result.bound[to] = std::max(result.bound[to], from.bound[i]);
    } else {
      result.value[to] += from.value[i];
      result.bound[to] += from.bound[i];
      sizes[to] += std::abs(from.value[i]) + from.bound[i];
    }
  }
  if (!sums) return result;
  const double terms = static_cast<double>(from.value.size()) / static_cast<double>(count);
  const double u = std::max(unit_roundoff(accumulation_type(dtype)),
                            unit_roundoff(accumulation_type(result_dtype)));
  const double largest =
      std::min(largest_of(accumulation_type(dtype)), largest_of(accumulation_type(result_dtype)));
  const bool exact = is_integer(dtype) && kind == ReductionKind::Sum;
  const double share = kind == ReductionKind::Mean ? 1 / terms : 1;
  for (std::size_t i = 0; i < result.value.size(); ++i) {
    result.value[i] *= share;
    result.bound[i] = (result.bound[i] + sum_error(terms, sizes[i], u, exact)) * share;
    if (sizes[i] > largest) result.bound[i] = HUGE_VAL;
  }
  return result;
}

namespace {

// The steps as the devices take them, without their bounds. A difference that overflows gives a power of 0, as it should.
Array softmax_by_steps(const Labelled& x, const Labelled& largest, const std::vector<int>& labels,
                       const std::vector<std::int64_t>& shape, const Watch& watch) {
  const std::size_t count = x.array->value.size();
  Array powers{.shape = shape, .value = Numbers(count), .bound = Numbers(count, 0.0)};
  const auto own = strides_along(x, labels);
  const auto rows = strides_along(largest, labels);
  for (std::size_t i = 0; i < count; ++i) {
    watch.look(i);
    const auto at = static_cast<std::int64_t>(i);
    const double value = x.array->value[static_cast<std::size_t>(offset_of(at, shape, own))];
    const auto row = static_cast<std::size_t>(offset_of(at, shape, rows));
    powers.value[i] = std::exp(value - largest.array->value[row]);
  }
  const Labelled terms{std::make_shared<const Array>(std::move(powers)), labels};
  const Labelled total{
      std::make_shared<const Array>(reduced_values(ReductionKind::Sum, terms, largest.labels,
                                                   DType::Fp64, DType::Fp64, watch)),
      largest.labels};
  const ElementProgram quotient{{.op = ElementOp::Operand, .operand = 0},
                                {.op = ElementOp::Operand, .operand = 1},
                                {.op = ElementOp::Divide}};
  return element_values(quotient, {terms, total}, labels, shape, DType::Fp64, watch);
}

// The numbers of an operand, without bounds.
Labelled exactly(const Labelled& operand, const Numbers& numbers) {
  return {
      std::make_shared<const Array>(Array{
          .shape = operand.array->shape, .value = numbers, .bound = Numbers(numbers.size(), 0.0)}),
      operand.labels};
}

}  // namespace

Array softmax_values(const Labelled& operand, const std::vector<int>& along,
                     const std::vector<int>& labels, DType dtype, const Watch& watch) {
  std::vector<int> rows = labels;
  std::erase_if(
      rows, [&](int label) { return std::find(along.begin(), along.end(), label) != along.end(); });
  std::vector<std::int64_t> shape;
  for (const int label : labels) {
    const auto at = std::find(operand.labels.begin(), operand.labels.end(), label);
    shape.push_back(operand.array->shape[static_cast<std::size_t>(at - operand.labels.begin())]);
  }
  const Labelled exact = exactly(operand, operand.array->value);
  const auto largest_of_rows = std::make_shared<const Array>(
      reduced_values(ReductionKind::Max, exact, rows, dtype, dtype, watch));
  const Array& largest = *largest_of_rows;
  Array result = softmax_by_steps(exact, {largest_of_rows, rows}, labels, shape, watch);
  // Instead of the arguments' own bounds the largest one of their row.
  const Array row_bound = reduced_values(ReductionKind::Max, exactly(operand, operand.array->bound),
                                         rows, dtype, dtype, watch);
  const auto strides = strides_along(rows, row_bound.shape, labels);
  const auto own = strides_along(operand, labels);
  const double u = unit_roundoff(dtype == DType::Fp64 ? DType::Fp64 : DType::Fp32);
  const double terms = static_cast<double>(result.value.size()) /
                       static_cast<double>(std::max<std::size_t>(row_bound.value.size(), 1));
  // e is rounded, and so is its sum, which is taken of rounded terms.
  const double steps = (1 + kUlps * u) * (1 + unit_roundoff(dtype));
  const double sum = (1 + unit_roundoff(dtype)) / (1 - std::min(0.5, (terms + 2) * u));
  constexpr double kUnderflow = 1e-37;
  for (std::size_t i = 0; i < result.value.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const auto row = static_cast<std::size_t>(offset_of(at, shape, strides));
    const double x = operand.array->value[static_cast<std::size_t>(offset_of(at, shape, own))];
    // The difference is rounded, here and in the terms of the sum that count.
    const double difference =
        u * (std::abs(x - largest.value[row]) + 2 * row_bound.value[row] + 100);
    const double factor = std::exp(2 * (row_bound.value[row] + difference)) * steps * steps * sum;
    const double grown = result.value[i] * (factor - 1) + kUnderflow * factor;
    result.bound[i] = std::isnan(grown) ? 1 : std::min(grown, 1.0 + unit_roundoff(dtype));
    if (!std::isfinite(row_bound.value[row])) result.bound[i] = HUGE_VAL;
  }
  return result;
}

}  // namespace shard::oracle
