#include "interpreter/oracle/elements.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace shard::oracle {

namespace {

// A value and how far a computed one may lie from it.
struct Near {
  double value = 0;
  double bound = 0;
};

// Beyond it, or what rounding makes of it, a number may be an infinity.
double largest_of(DType dtype) { return dtype == DType::Fp64 ? 1.7e308 : 3.38e38; }

// Below the smallest normal number of fp32 and bf16 errors are no longer relative: the number may be taken for 0.
double underflow_error(DType dtype, const Near& near) {
  constexpr double kNearNothing = 1e-30;
  const double size = std::abs(near.value) + near.bound;
  if (dtype == DType::Fp64 || size == 0 || size > kNearNothing) return 0;
  return std::ldexp(1.0, -126);
}

constexpr double kUlps =
    8;  // of exp, log, tanh, erf and what is made of them, in units of roundoff

double function_value(ElementOp op, double x) {
  switch (op) {
    case ElementOp::Negate:
      return -x;
    case ElementOp::Abs:
      return std::abs(x);
    case ElementOp::Relu:
      return std::max(x, 0.0);
    case ElementOp::Gelu:
      return x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
    case ElementOp::Silu:
      return x / (1 + std::exp(-x));
    case ElementOp::Sigmoid:
      return 1 / (1 + std::exp(-x));
    case ElementOp::Exp:
      return std::exp(x);
    case ElementOp::Log:
      return std::log(x);
    case ElementOp::Sqrt:
      return std::sqrt(x);
    case ElementOp::Tanh:
      return std::tanh(x);
    default:
      check_failed("a function of one argument", __FILE__, __LINE__);
  }
}

Near unary(ElementOp op, const Near& x, double u) {
  constexpr double kLipschitz = 1.13;  // of gelu and silu
  Near result{.value = function_value(op, x.value)};
  if (op == ElementOp::Negate || op == ElementOp::Abs || op == ElementOp::Relu)
    return {result.value, x.bound};
  if (op == ElementOp::Gelu || op == ElementOp::Silu) {
    // Both are differences of nearly equal numbers where x is far below 0.
    result.bound = kLipschitz * x.bound + kUlps * u * std::abs(x.value);
    return result;
  }
  const auto distance = [&](double at) {
    const double there = function_value(op, at);
    return std::isnan(there) ? HUGE_VAL : std::abs(there - result.value);
  };
  if (x.bound > 0)
    result.bound = std::max(distance(x.value - x.bound), distance(x.value + x.bound));
  const double ulps = op == ElementOp::Sqrt ? 1 : kUlps;
  result.bound += ulps * u * (std::abs(result.value) + result.bound);
  return result;
}

bool compared(ElementOp op, double a, double b) {
  switch (op) {
    case ElementOp::Less:
      return a < b;
    case ElementOp::LessEqual:
      return a <= b;
    case ElementOp::Greater:
      return a > b;
    case ElementOp::GreaterEqual:
      return a >= b;
    case ElementOp::Equal:
      return a == b;
    case ElementOp::NotEqual:
      return a != b;
    default:
      check_failed("a comparison", __FILE__, __LINE__);
  }
}

Near rounded(double value, double bound, double u) {
  return {value, bound + u * (std::abs(value) + bound)};
}

Near quotient(const Near& a, const Near& b, double u) {
  const double value = a.value / b.value;
  if (std::abs(b.value) <= b.bound) return {value, b.bound == 0 && a.bound == 0 ? 0 : HUGE_VAL};
  const double bound = (a.bound + std::abs(value) * b.bound) / (std::abs(b.value) - b.bound);
  return rounded(value, bound, u);
}

Near modulo(const Near& a, const Near& b, double u) {
  const double value = a.value - std::floor(a.value / b.value) * b.value;
  if (a.bound == 0 && b.bound == 0) {
    // A quotient that rounds to a whole number takes the remainder around.
    const double share = a.value / b.value;
    const bool near_whole = std::abs(share - std::nearbyint(share)) <= 4 * u * std::abs(share);
    const bool exact = u < 1e-12 || share == std::nearbyint(share);
    return {value, near_whole && !exact ? std::abs(b.value) : 4 * u * std::abs(a.value)};
  }
  if (std::abs(b.value) <= b.bound) return {value, HUGE_VAL};
  return {value, std::abs(b.value) + b.bound + a.bound};
}

Near power(const Near& a, const Near& b, double u) {
  const double value = std::pow(a.value, b.value);
  double bound = 0;
  for (const double x : {a.value - a.bound, a.value + a.bound}) {
    for (const double y : {b.value - b.bound, b.value + b.bound})
      bound = std::max(bound, std::abs(std::pow(x, y) - value));
  }
  if (a.bound > std::abs(a.value)) bound += std::abs(value);
  return rounded(value, bound, kUlps * u);
}

Near binary(ElementOp op, const Near& a, const Near& b, double u) {
  switch (op) {
    case ElementOp::Add:
      return rounded(a.value + b.value, a.bound + b.bound, u);
    case ElementOp::Subtract:
      return rounded(a.value - b.value, a.bound + b.bound, u);
    case ElementOp::Multiply:
      return rounded(a.value * b.value,
                     (std::abs(a.value) + a.bound) * b.bound + a.bound * std::abs(b.value), u);
    case ElementOp::Divide:
      return quotient(a, b, u);
    case ElementOp::Modulo:
      return modulo(a, b, u);
    case ElementOp::Power:
      return power(a, b, u);
    case ElementOp::Max:
      return {std::max(a.value, b.value), std::max(a.bound, b.bound)};
    case ElementOp::Min:
      return {std::min(a.value, b.value), std::max(a.bound, b.bound)};
    default: {
      const bool decided =
          a.bound + b.bound == 0 || std::abs(a.value - b.value) > a.bound + b.bound;
      return {compared(op, a.value, b.value) ? 1.0 : 0.0, decided ? 0.0 : 1.0};
    }
  }
}

Near choice(const Near& condition, const Near& a, const Near& b) {
  const bool decided = condition.bound == 0 || std::abs(condition.value) > condition.bound;
  const Near& taken = condition.value != 0 ? a : b;
  if (decided) return taken;
  return {taken.value, std::max(a.bound, b.bound) + std::abs(a.value - b.value)};
}

// Whether an argument may be anything, no number as well, and the result therefore too. Comparisons give 1 or 0 in any
// case, and a choice may not need the argument.
bool hangs_on_anything(ElementOp op, const Near* arguments, int arity) {
  const bool compares = op >= ElementOp::Less && op <= ElementOp::NotEqual;
  if (compares || op == ElementOp::Where) return false;
  return std::any_of(arguments, arguments + arity,
                     [](const Near& argument) { return std::isinf(argument.bound); });
}

// What is no number or out of range may come out as anything.
Near checked_range(Near near, double largest) {
  if (std::isnan(near.value) || std::isnan(near.bound) || std::abs(near.value) > largest)
    return {0, HUGE_VAL};
  return near;
}

// The element of an operand at a multi-index of the result, whose strides along it are given.
std::vector<std::int64_t> strides_along(const Labelled& operand, const std::vector<int>& labels) {
  std::vector<std::int64_t> strides(labels.size(), 0);
  std::int64_t stride = 1;
  for (std::size_t d = operand.labels.size(); d-- > 0;) {
    const auto at = std::find(labels.begin(), labels.end(), operand.labels[d]);
    if (at != labels.end()) strides[static_cast<std::size_t>(at - labels.begin())] = stride;
    stride *= operand.array.shape[d];
  }
  return strides;
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

double clamped(DType dtype, double value) {
  const auto range = [](int bits) { return std::ldexp(1.0, bits - 1); };
  const int bits = dtype == DType::Int8    ? 8
                   : dtype == DType::Int4  ? 4
                   : dtype == DType::Int32 ? 32
                                           : 0;
  return bits == 0 ? value : std::clamp(value, -range(bits), range(bits) - 1);
}

void round_once(Array& array, DType dtype) {
  const double u = unit_roundoff(dtype);
  const double largest = largest_of(dtype);
  const auto nearest = [&](double value) { return clamped(dtype, std::nearbyint(value)); };
  for (std::size_t i = 0; i < array.value.size(); ++i) {
    double& value = array.value[i];
    double& bound = array.bound[i];
    if (is_integer(dtype)) {
      const double exact = value;
      value = nearest(exact);
      if (bound > 0 && std::isfinite(bound))
        bound = std::max(nearest(exact + bound) - value, value - nearest(exact - bound));
    } else {
      bound += u * (std::abs(value) + bound) + underflow_error(dtype, {value, bound});
      if (std::abs(value) + bound > largest) bound = HUGE_VAL;
    }
  }
}

void settle(Array& array) {
  for (std::size_t i = 0; i < array.value.size(); ++i) {
    if (std::isfinite(array.value[i]) && std::isfinite(array.bound[i])) continue;
    array.value[i] = 0;
    array.bound[i] = HUGE_VAL;
  }
}

double sum_error(double terms, double size, double u, bool integers) {
  return integers && size * u < 1 ? 0 : (terms + 2) * u * size;
}

Array element_values(const ElementProgram& program, const std::vector<Labelled>& operands,
                     const std::vector<int>& labels, const std::vector<std::int64_t>& shape,
                     DType dtype, const Watch& watch) {
  const bool wide = dtype == DType::Fp64 || is_integer(dtype);
  const DType computed = wide ? DType::Fp64 : DType::Fp32;
  const double u = unit_roundoff(computed);
  const double largest = largest_of(computed);
  std::int64_t count = 1;
  for (const std::int64_t length : shape) count *= length;
  std::vector<std::vector<std::int64_t>> strides;
  for (const Labelled& operand : operands) strides.push_back(strides_along(operand, labels));
  Array result{.shape = shape, .value = {}, .bound = {}};
  std::vector<Near> stack;
  for (std::int64_t element = 0; element < count; ++element) {
    watch.look(static_cast<std::size_t>(element));
    for (const ElementInstruction& instruction : program) {
      if (instruction.op == ElementOp::Operand) {
        const Array& from = operands[instruction.operand].array;
        const auto at =
            static_cast<std::size_t>(offset_of(element, shape, strides[instruction.operand]));
        stack.push_back({from.value[at], from.bound[at]});
        continue;
      }
      if (instruction.op == ElementOp::Constant) {
        const double number = instruction.constant.constant()->to_double();
        stack.push_back({number, u * std::abs(number)});
        if (number == std::nearbyint(number) && std::abs(number) < 1e6) stack.back().bound = 0;
        continue;
      }
      if (instruction.op == ElementOp::Position) {
        std::vector<std::int64_t> along(labels.size(), 0);
        along[static_cast<std::size_t>(std::find(labels.begin(), labels.end(), instruction.label) -
                                       labels.begin())] = 1;
        const auto place = static_cast<double>(offset_of(element, shape, along));
        stack.push_back({place, place * u < 1 ? 0 : place * u});
        continue;
      }
      const int arity = arity_of(instruction.op);
      const Near* arguments = stack.data() + stack.size() - arity;
      Near value;
      if (hangs_on_anything(instruction.op, arguments, arity))
        value.bound = HUGE_VAL;
      else if (arity == 1)
        value = unary(instruction.op, arguments[0], u);
      else if (arity == 2)
        value = binary(instruction.op, arguments[0], arguments[1], u);
      else
        value = choice(arguments[0], arguments[1], arguments[2]);
      stack.resize(stack.size() - static_cast<std::size_t>(arity));
      value.bound += underflow_error(computed, value);
      stack.push_back(checked_range(value, largest));
    }
    result.value.push_back(stack.back().value);
    result.bound.push_back(stack.back().bound);
    stack.clear();
  }
  return result;
}

Array reduced_values(ReductionKind kind, const Labelled& operand, const std::vector<int>& labels,
                     DType dtype, DType result_dtype, const Watch& watch) {
  const Array& from = operand.array;
  Array result;
  for (const int label : labels) {
    const auto at = std::find(operand.labels.begin(), operand.labels.end(), label);
    result.shape.push_back(from.shape[static_cast<std::size_t>(at - operand.labels.begin())]);
  }
  std::int64_t count = 1;
  for (const std::int64_t length : result.shape) count *= length;
  // Where an operand's element goes: the result's strides along the operand's labels.
  const Labelled outline{{.shape = result.shape, .value = {}, .bound = {}}, labels};
  const std::vector<std::int64_t> strides = strides_along(outline, operand.labels);
  const bool sums = kind == ReductionKind::Sum || kind == ReductionKind::Mean;
  const double sign = kind == ReductionKind::Min ? -1 : 1;
  result.value.assign(static_cast<std::size_t>(count),
                      sums ? 0 : -sign * std::numeric_limits<double>::infinity());
  result.bound.assign(static_cast<std::size_t>(count), 0.0);
  std::vector<double> sizes(static_cast<std::size_t>(count), 0.0);
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
  const bool exact = is_integer(dtype) && kind == ReductionKind::Sum;
  const double share = kind == ReductionKind::Mean ? 1 / terms : 1;
  for (std::size_t i = 0; i < result.value.size(); ++i) {
    result.value[i] *= share;
    result.bound[i] = (result.bound[i] + sum_error(terms, sizes[i], u, exact)) * share;
  }
  return result;
}

namespace {

// The steps as the devices take them.
Array softmax_by_steps(const Labelled& x, const std::vector<int>& rows,
                       const std::vector<int>& labels, const std::vector<std::int64_t>& shape,
                       DType dtype, const Watch& watch) {
  const Labelled largest{reduced_values(ReductionKind::Max, x, rows, dtype, dtype, watch), rows};
  const ElementInstruction first{.op = ElementOp::Operand, .operand = 0};
  const ElementInstruction second{.op = ElementOp::Operand, .operand = 1};
  const ElementProgram power{first, second, {.op = ElementOp::Subtract}, {.op = ElementOp::Exp}};
  Labelled powers{element_values(power, {x, largest}, labels, shape, dtype, watch), labels};
  round_once(powers.array, dtype);
  Labelled total{reduced_values(ReductionKind::Sum, powers, rows, dtype, dtype, watch), rows};
  round_once(total.array, dtype);
  const ElementProgram quotient{first, second, {.op = ElementOp::Divide}};
  return element_values(quotient, {powers, total}, labels, shape, dtype, watch);
}

// Bounds of the arguments' rows instead of their own: the largest.
Labelled with_bound_as_value(const Labelled& x) {
  Labelled bounds = x;
  bounds.array.value = x.array.bound;
  return bounds;
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
    shape.push_back(operand.array.shape[static_cast<std::size_t>(at - operand.labels.begin())]);
  }
  Labelled exact = operand;
  std::fill(exact.array.bound.begin(), exact.array.bound.end(), 0.0);
  Array result = softmax_by_steps(exact, rows, labels, shape, DType::Fp64, watch);
  const Array row_bound =
      reduced_values(ReductionKind::Max, with_bound_as_value(operand), rows, dtype, dtype, watch);
  const Array largest = reduced_values(ReductionKind::Max, exact, rows, dtype, dtype, watch);
  const auto strides = strides_along({row_bound, rows}, labels);
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
    const double x = operand.array.value[static_cast<std::size_t>(offset_of(at, shape, own))];
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
