// Where polynomials are zero.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "base/rational.h"
#include "runtime/algebra/amount.h"

namespace shard {

// Coefficients, from the constant on.
using Polynomial = std::vector<Rational>;

// An amount in one symbol, times the power of the symbol that makes it a polynomial: it is zero where the amount is.
// nullopt if it has another symbol, a number that has overflown, or too high a degree.
std::optional<Polynomial> polynomial_of(const Amount& amount, const std::string& symbol);

// A number that a polynomial is zero at; `exact` where it is one of the fractions that are found so.
struct Root {
  double value = 0;
  std::optional<Rational> exact;

  // The fraction, or the one next to the value.
  Rational number() const { return exact ? *exact : Rational::approximate(value); }
};

// All positive roots between the two numbers, ascending, each once; also those that only touch zero. None of the polynomial 0.
std::vector<Root> positive_roots(const Polynomial& polynomial, double low = 0,
                                 double high = std::numeric_limits<double>::infinity());

// The root in a range at whose ends the signs differ, by halving it; `value` is monotone enough to have one.
template <class Function>
double bisected(const Function& value, double low, double high) {
  const bool rises = value(low) < 0;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    ((value(middle) < 0) == rises ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

}  // namespace shard
