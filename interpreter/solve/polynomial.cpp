#include "interpreter/solve/polynomial.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace shard {

namespace {

constexpr int kHighestDegree = 64;

using Coefficients = std::vector<long double>;

long double value_of(const Coefficients& polynomial, long double at) {
  long double value = 0;
  for (std::size_t i = polynomial.size(); i-- > 0;) value = value * at + polynomial[i];
  return value;
}

// What its terms add up to without their signs: rounding errors are small parts of that.
long double size_of_terms(const Coefficients& polynomial, long double at) {
  long double value = 0;
  for (std::size_t i = polynomial.size(); i-- > 0;) value = value * at + std::fabs(polynomial[i]);
  return value;
}

Coefficients derivative(const Coefficients& polynomial) {
  Coefficients result;
  for (std::size_t i = 1; i < polynomial.size(); ++i)
    result.push_back(polynomial[i] * static_cast<long double>(i));
  return result;
}

// No root is larger (Cauchy).
long double largest_root(const Coefficients& polynomial) {
  long double most = 0;
  for (std::size_t i = 0; i + 1 < polynomial.size(); ++i)
    most = std::max(most, std::fabs(polynomial[i] / polynomial.back()));
  return 1 + most;
}

bool is_zero_at(const Coefficients& polynomial, long double at) {
  return std::fabs(value_of(polynomial, at)) <= 1e-14L * size_of_terms(polynomial, at);
}

// Between the zeros of the derivative the polynomial is monotone.
std::vector<long double> roots_between(const Coefficients& polynomial, long double low,
                                       long double high) {
  if (polynomial.size() < 2) return {};
  if (polynomial.size() == 2) {
    const long double root = -polynomial[0] / polynomial[1];
    return root > low && root < high ? std::vector<long double>{root} : std::vector<long double>();
  }
  std::vector<long double> ends = {low};
  for (const long double turn : roots_between(derivative(polynomial), low, high))
    ends.push_back(turn);
  ends.push_back(high);
  std::vector<long double> roots;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    long double from = ends[i];
    long double to = ends[i + 1];
    if (i > 0 && is_zero_at(polynomial, from)) {
      if (roots.empty() || roots.back() != from) roots.push_back(from);
      continue;
    }
    const bool rises = value_of(polynomial, from) < 0;
    const bool ends_at_root = i + 2 < ends.size() && is_zero_at(polynomial, to);
    if (ends_at_root || rises == (value_of(polynomial, to) < 0)) continue;
    for (int step = 0; step < 300; ++step) {
      const long double middle = from + (to - from) / 2;
      if (middle <= from || middle >= to) break;
      ((value_of(polynomial, middle) < 0) == rises ? from : to) = middle;
    }
    roots.push_back(from + (to - from) / 2);
  }
  return roots;
}

bool is_exact_root(const Polynomial& polynomial, const Rational& at) {
  Rational value = 0;
  for (std::size_t i = polynomial.size(); i-- > 0;) value = value * at + polynomial[i];
  return value.is_zero();
}

Root described_root(const Polynomial& polynomial, double value) {
  if (polynomial.size() == 2) {
    const Rational exact = -polynomial[0] / polynomial[1];
    if (!exact.is_overflow()) return {exact.to_double(), exact};
  }
  for (const int parts : {1, 2, 3, 4, 8, 16}) {
    const Rational near = round(Rational::approximate(value * parts)) / Rational(parts);
    if (std::fabs(near.to_double() - value) < 1e-6 * (1 + value) && is_exact_root(polynomial, near))
      return {near.to_double(), near};
  }
  return {value, std::nullopt};
}

}  // namespace

std::optional<Polynomial> polynomial_of(const Amount& amount, const std::string& symbol) {
  int lowest = 0;
  int highest = 0;
  bool is_first = true;
  const auto exponent_of = [&](const Amount::Term& term) -> std::optional<int> {
    if (term.coefficient.is_overflow() || term.powers.size() > 1) return std::nullopt;
    if (term.powers.empty()) return 0;
    if (term.powers.front().symbol != symbol) return std::nullopt;
    return term.powers.front().exponent;
  };
  for (const Amount::Term& term : amount.terms()) {
    const auto exponent = exponent_of(term);
    if (!exponent) return std::nullopt;
    lowest = is_first ? *exponent : std::min(lowest, *exponent);
    highest = is_first ? *exponent : std::max(highest, *exponent);
    is_first = false;
  }
  if (highest - lowest > kHighestDegree) return std::nullopt;
  Polynomial polynomial(static_cast<std::size_t>(highest - lowest) + 1, Rational(0));
  for (const Amount::Term& term : amount.terms())
    polynomial[static_cast<std::size_t>(*exponent_of(term) - lowest)] = term.coefficient;
  return polynomial;
}

std::vector<Root> positive_roots(const Polynomial& polynomial, double low, double high) {
  Coefficients coefficients;
  for (const Rational& coefficient : polynomial) {
    // Costs are tiny fractions: both parts as they are, so that no digit is lost.
    coefficients.push_back(static_cast<long double>(coefficient.numerator()) /
                           static_cast<long double>(coefficient.denominator()));
  }
  while (!coefficients.empty() && coefficients.back() == 0) coefficients.pop_back();
  if (coefficients.size() < 2) return {};
  const long double end = std::min<long double>(high, largest_root(coefficients) * 2);
  std::vector<Root> roots;
  for (const long double root : roots_between(coefficients, std::max(low, 0.0), end)) {
    Root found = described_root(polynomial, static_cast<double>(root));
    if (roots.empty() || roots.back().value < found.value) roots.push_back(found);
  }
  return roots;
}

}  // namespace shard
