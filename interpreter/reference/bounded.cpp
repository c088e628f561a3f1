#include "interpreter/reference/bounded.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.h"
#include "interpreter/reference/rounding_error.h"

namespace shard::oracle {

namespace {

// A cast to a type with fractions changes a number by its rounding alone, which is none in the exact computation.
double cast_value(DType type, double x) {
  return is_integer(type) ? clamped(type, std::nearbyint(x)) : x;
}

double function_value(ElementOp op, double x) {
  if (const auto type = cast_type(op)) return cast_value(*type, x);
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
    case ElementOp::Rsqrt:
      return 1 / std::sqrt(x);
    case ElementOp::Sin:
      return std::sin(x);
    case ElementOp::Cos:
      return std::cos(x);
    case ElementOp::Round:
      return std::nearbyint(x);
    case ElementOp::Floor:
      return std::floor(x);
    case ElementOp::Ceil:
      return std::ceil(x);
    case ElementOp::Tanh:
      return std::tanh(x);
    default:
      check_failed("a function of one argument", __FILE__, __LINE__);
  }
}

// A whole number within the precision of the type is one of its numbers, and stays.
Near cast(DType type, const Near& x) {
  const bool whole = !is_integer(type) && x.bound == 0 && x.value == std::nearbyint(x.value);
  const double size = std::abs(x.value);
  if (whole && size * unit_roundoff(type) <= 1 && size <= largest_of(type)) return x;
  Near result = x;
  Rounding{type}(result.value, result.bound);
  return result;
}

Near unary(ElementOp op, const Near& x, double u) {
  if (const auto type = cast_type(op)) return cast(*type, x);
  // Gelu's slope is largest at x = √2, where it is 1.129; that of silu stays below 1.1.
  constexpr double kLipschitz = 1.13;
  Near result{.value = function_value(op, x.value)};
  if (op == ElementOp::Negate || op == ElementOp::Abs || op == ElementOp::Relu)
    return {result.value, x.bound};
  if (op == ElementOp::Gelu || op == ElementOp::Silu) {
    // For x far below 0 both are differences of nearly equal numbers, so their error is relative to x.
    result.bound = kLipschitz * x.bound + kUlps * u * std::abs(x.value);
    return result;
  }
  if (op == ElementOp::Sin || op == ElementOp::Cos) {
    // Their slope is at most 1, and no two of their values are further apart than 2.
    result.bound = std::min(x.bound, 2.0);
    result.bound += kUlps * u * (std::abs(result.value) + result.bound);
    return result;
  }
  const auto distance = [&](double at) {
    const double there = function_value(op, at);
    return std::isnan(there) ? HUGE_VAL : std::abs(there - result.value);
  };
  if (x.bound > 0)
    result.bound = std::max(distance(x.value - x.bound), distance(x.value + x.bound));
  // A whole number is not rounded again.
  if (op == ElementOp::Round || op == ElementOp::Floor || op == ElementOp::Ceil) return result;
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

// For exact operands: a whole number that the type can hold is exact too.
Near exact_or_rounded(double value, double u) {
  if (value == std::nearbyint(value) && std::abs(value) * u <= 1) return {value, 0};
  return rounded(value, 0, u);
}

Near quotient(const Near& a, const Near& b, double u) {
  const double value = a.value / b.value;
  if (std::abs(b.value) <= b.bound) return {value, b.bound == 0 && a.bound == 0 ? 0 : HUGE_VAL};
  const double bound = (a.bound + std::abs(value) * b.bound) / (std::abs(b.value) - b.bound);
  return rounded(value, bound, u);
}

bool moves_remainder(double rest, double b) { return rest != 0 && (rest < 0) != (b < 0); }

double remainder(double a, double b) {
  const double rest = std::fmod(a, b);
  return moves_remainder(rest, b) ? rest + b : rest;
}

// The remainder itself is exact. If its sign differs from the divisor's, the divisor is added once, which rounds.
Near modulo(const Near& a, const Near& b, double u) {
  if (std::abs(b.value) <= b.bound && a.bound + b.bound > 0) return {a.value, HUGE_VAL};
  const bool moved = moves_remainder(std::fmod(a.value, b.value), b.value);
  const double value = remainder(a.value, b.value);
  if (a.bound == 0 && b.bound == 0) return moved ? exact_or_rounded(value, u) : Near{value, 0};
  const double whole = std::floor(a.value / b.value);
  const auto stays = [&](double x, double y) { return std::floor(x / y) == whole; };
  const bool decided =
      stays(a.value - a.bound, b.value - b.bound) && stays(a.value - a.bound, b.value + b.bound) &&
      stays(a.value + a.bound, b.value - b.bound) && stays(a.value + a.bound, b.value + b.bound);
  if (!decided) return {value, std::abs(b.value) + b.bound};
  return {value, a.bound + std::abs(whole) * b.bound + u * (std::abs(b.value) + b.bound)};
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

inline Near binary(ElementOp op, const Near& a, const Near& b, double u) {
  const bool exact = a.bound == 0 && b.bound == 0;
  switch (op) {
    case ElementOp::Add:
      if (exact) return exact_or_rounded(a.value + b.value, u);
      return rounded(a.value + b.value, a.bound + b.bound, u);
    case ElementOp::Subtract:
      if (exact) return exact_or_rounded(a.value - b.value, u);
      return rounded(a.value - b.value, a.bound + b.bound, u);
    case ElementOp::Multiply:
      if (exact) return exact_or_rounded(a.value * b.value, u);
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

inline double binary_value(ElementOp op, double a, double b) {
  switch (op) {
    case ElementOp::Add:
      return a + b;
    case ElementOp::Subtract:
      return a - b;
    case ElementOp::Multiply:
      return a * b;
    case ElementOp::Divide:
      return a / b;
    case ElementOp::Modulo:
      return remainder(a, b);
    case ElementOp::Power:
      return std::pow(a, b);
    case ElementOp::Max:
      return std::max(a, b);
    case ElementOp::Min:
      return std::min(a, b);
    default:
      return compared(op, a, b) ? 1 : 0;
  }
}

Near choice(const Near& condition, const Near& a, const Near& b) {
  const bool decided = condition.bound == 0 || std::abs(condition.value) > condition.bound;
  const Near& taken = condition.value != 0 ? a : b;
  if (decided) return taken;
  return {taken.value, std::max(a.bound, b.bound) + std::abs(a.value - b.value)};
}

// Whether an argument may be anything, NaN included, so that the result may be too. Comparisons give 1 or 0 in any
// case, and a choice may not need the argument.
bool hangs_on_anything(ElementOp op, std::span<const Near> arguments) {
  const bool compares = op >= ElementOp::Less && op <= ElementOp::NotEqual;
  if (compares || op == ElementOp::Where) return false;
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const Near& argument) { return std::isinf(argument.bound); });
}

}  // namespace

Near applied(ElementOp op, std::span<const Near> arguments, double u) {
  if (hangs_on_anything(op, arguments)) return {0, HUGE_VAL};
  switch (arguments.size()) {
    case 1:
      return unary(op, arguments[0], u);
    case 2:
      return binary(op, arguments[0], arguments[1], u);
    default:
      return choice(arguments[0], arguments[1], arguments[2]);
  }
}

double applied(ElementOp op, std::span<const double> arguments) {
  switch (arguments.size()) {
    case 1:
      return function_value(op, arguments[0]);
    case 2:
      return binary_value(op, arguments[0], arguments[1]);
    default:
      return arguments[0] != 0 ? arguments[1] : arguments[2];
  }
}

namespace {

// Sums, differences and products are most of what programs compute: their loops are compiled for themselves.
template <class Number, class Compute>
bool apply_common(ElementOp op, std::span<const std::span<Number>> arguments,
                  const Compute& compute) {
  if (arguments.size() != 2) return false;
  const std::span<Number> to = arguments[0];
  const std::span<Number> other = arguments[1];
  const auto each = [&]<ElementOp Op>() {
    for (std::size_t i = 0; i < to.size(); ++i)
      to[i] = compute.template operator()<Op>(to[i], other[i]);
    return true;
  };
  switch (op) {
    case ElementOp::Add:
      return each.template operator()<ElementOp::Add>();
    case ElementOp::Subtract:
      return each.template operator()<ElementOp::Subtract>();
    case ElementOp::Multiply:
      return each.template operator()<ElementOp::Multiply>();
    case ElementOp::Divide:
      return each.template operator()<ElementOp::Divide>();
    default:
      return false;
  }
}

template <class Number, class Compute>
void apply_each(std::span<const std::span<Number>> arguments, const Compute& compute) {
  // As many as `where` has, the operation with most arguments.
  constexpr std::size_t kMost = 3;
  SHARD_CHECK(arguments.size() <= kMost);
  std::array<Number, kMost> one;
  for (std::size_t i = 0; i < arguments[0].size(); ++i) {
    for (std::size_t a = 0; a < arguments.size(); ++a) one[a] = arguments[a][i];
    arguments[0][i] = compute(std::span<const Number>(one.data(), arguments.size()));
  }
}

}  // namespace

void apply_to_all(ElementOp op, std::span<const std::span<Near>> arguments, double u) {
  const auto common = [u]<ElementOp Op>(const Near& a, const Near& b) {
    return std::isinf(a.bound) || std::isinf(b.bound) ? Near{0, HUGE_VAL} : binary(Op, a, b, u);
  };
  if (apply_common(op, arguments, common)) return;
  apply_each(arguments, [op, u](std::span<const Near> one) { return applied(op, one, u); });
}

void apply_to_all(ElementOp op, std::span<const std::span<double>> arguments) {
  const auto common = []<ElementOp Op>(double a, double b) { return binary_value(Op, a, b); };
  if (apply_common(op, arguments, common)) return;
  apply_each(arguments, [op](std::span<const double> one) { return applied(op, one); });
}

}  // namespace shard::oracle
