#include "runtime/algebra/formula_terms.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace shard {
namespace {

using Op = Formula::Op;
using Integer = Rational::Integer;

// Products with more terms than this stay products: expanding them helps no reader. Only the form depends on it.
constexpr std::size_t kMostTerms = 256;

Integer greatest_common_divisor(Integer a, Integer b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a < 0 ? -a : a;
}

// The largest monomial that divides every term and leaves integer coefficients without a common divisor; it has the
// sign of the first term. REQUIRES: the amount is not 0.
Amount content(const Amount& amount) {
  Amount::Term result = amount.terms().front();
  Integer above = 0;
  Integer below = 1;
  for (const Amount::Term& term : amount.terms()) {
    const Rational shared = Rational::fraction(below, term.coefficient.denominator());
    above = greatest_common_divisor(above, term.coefficient.numerator());
    below =
        (Rational::fraction(below, 1) * Rational::fraction(shared.denominator(), 1)).numerator();
    // The least exponent of every symbol; a symbol missing from a term has exponent 0 there.
    const Amount ratio =
        Amount::from_terms({{1, term.powers}}) / Amount::from_terms({{1, result.powers}});
    Amount::Term least{1, result.powers};
    for (const auto& power : ratio.terms().front().powers) {
      if (power.exponent >= 0) continue;
      least = (Amount::from_terms({least}) * Amount::from_terms({{1, {power}}})).terms().front();
    }
    result.powers = least.powers;
  }
  const bool negative = amount.terms().front().coefficient < Rational(0);
  result.coefficient = Rational::fraction(negative ? -above : above, below);
  return Amount::from_terms({result});
}

bool has_overflow(const Amount& amount) {
  return std::any_of(amount.terms().begin(), amount.terms().end(),
                     [](const Amount::Term& term) { return term.coefficient.is_overflow(); });
}

// Far above any exponent that evaluates to a number, far below overflow of an int.
constexpr int kMostFormulaExponent = 1'000'000;

void add_factor(std::vector<Factor>& factors, const Formula& atom, int exponent) {
  const auto at =
      std::lower_bound(factors.begin(), factors.end(), atom,
                       [](const Factor& f, const Formula& a) { return before(f.atom, a); });
  if (at == factors.end() || !(at->atom == atom)) {
    if (exponent != 0) factors.insert(at, {atom, exponent});
    return;
  }
  at->exponent = std::clamp(at->exponent + exponent, -kMostFormulaExponent, kMostFormulaExponent);
  if (at->exponent == 0) factors.erase(at);
}

// Multiplies an integer power of an amount into the term. What can be neither expanded nor divided out stays a factor.
void multiply_amount(FormulaTerm& term, const Amount& amount, int exponent) {
  if (exponent == 1 && amount.terms().size() * term.coefficient.terms().size() <= kMostTerms) {
    term.coefficient = term.coefficient * amount;
  } else if (amount.is_monomial()) {
    term.coefficient = term.coefficient * power(amount, exponent);
  } else if (has_overflow(amount)) {
    term.coefficient = Rational::overflow();
  } else {
    const Amount common = content(amount);
    term.coefficient = term.coefficient * power(common, exponent);
    add_factor(term.factors, Formula(amount / common), exponent);
  }
}

void multiply_into(FormulaTerm& term, const Formula& formula, int exponent) {
  switch (formula.op()) {
    case Op::Amount:
      multiply_amount(term, formula.amount(), exponent);
      return;
    case Op::Product:
      for (const Formula& argument : formula.arguments()) multiply_into(term, argument, exponent);
      return;
    case Op::Quotient:
      multiply_into(term, formula.arguments()[0], exponent);
      multiply_into(term, formula.arguments()[1], -exponent);
      return;
    case Op::Power:
      if (const auto inner = integer_exponent(formula)) {
        const std::int64_t exact = static_cast<std::int64_t>(*inner) * exponent;
        const auto bounded =
            std::clamp<std::int64_t>(exact, -kMostFormulaExponent, kMostFormulaExponent);
        add_factor(term.factors, formula.arguments()[0], static_cast<int>(bounded));
        return;
      }
      break;
    default:
      break;
  }
  add_factor(term.factors, formula, exponent);
}

// sqrt(x)^2 is x: replaces the first root with such a power by what is under it.
bool square_a_root(FormulaTerm& term) {
  for (const Factor& factor : term.factors) {
    if (factor.atom.op() != Op::Sqrt || std::abs(factor.exponent) < 2) continue;
    const Formula under = factor.atom.arguments()[0];
    const int taken = factor.exponent / 2;
    add_factor(term.factors, Formula(factor.atom), -2 * taken);
    multiply_into(term, under, taken);
    return true;
  }
  return false;
}

// (B + D) / (B + D) is 1: moves a polynomial coefficient to the factors if it is one of them already.
void cancel_polynomials(FormulaTerm& term) {
  if (term.coefficient.is_monomial() || has_overflow(term.coefficient)) return;
  const Amount common = content(term.coefficient);
  const Formula rest = term.coefficient / common;
  for (const Factor& factor : term.factors) {
    if (!(factor.atom == rest)) continue;
    add_factor(term.factors, rest, 1);
    term.coefficient = common;
    return;
  }
}

FormulaTerm simplified(FormulaTerm term) {
  while (square_a_root(term)) {
  }
  cancel_polynomials(term);
  return term;
}

FormulaTerm multiply(const FormulaTerm& a, const FormulaTerm& b) {
  FormulaTerm result = a;
  multiply_amount(result, b.coefficient, 1);
  for (const Factor& factor : b.factors) add_factor(result.factors, factor.atom, factor.exponent);
  return simplified(std::move(result));
}

// Adds to the term with the same factors, if there is one.
void add_term(std::vector<FormulaTerm>& terms, const FormulaTerm& term) {
  for (FormulaTerm& other : terms) {
    if (other.factors != term.factors) continue;
    other.coefficient = other.coefficient + term.coefficient;
    return;
  }
  terms.push_back(term);
}

Formula product_of(std::vector<Formula> factors) {
  if (factors.empty()) return Rational(1);
  if (factors.size() == 1) return std::move(factors.front());
  return make_node(Op::Product, std::move(factors));
}

Formula raised(const Formula& atom, int exponent) {
  return exponent == 1 ? atom : make_node(Op::Power, {atom, Formula(exponent)});
}

Formula sum_of(const std::vector<FormulaTerm>& terms) {
  Amount known;
  std::vector<Formula> arguments;
  for (const FormulaTerm& term : terms) {
    Formula piece = build(term);
    if (piece.op() == Op::Amount) {
      known = known + piece.amount();
    } else {
      arguments.push_back(std::move(piece));
    }
  }
  if (arguments.empty()) return known;
  std::sort(arguments.begin(), arguments.end(), before);
  if (!known.is_zero()) arguments.insert(arguments.begin(), Formula(known));
  return arguments.size() == 1 ? arguments.front() : make_node(Op::Sum, std::move(arguments));
}

// A formula as a single factor, even if it is a sum.
FormulaTerm as_one_term(const Formula& formula) {
  FormulaTerm term{1, {}};
  multiply_into(term, formula, 1);
  return term;
}

// Whether the sum is in the term's denominator, so that it cancels instead of being multiplied out.
bool divides(const Formula& sum, const std::vector<FormulaTerm>& terms) {
  if (sum.op() != Op::Sum || terms.size() != 1) return false;
  return std::any_of(terms[0].factors.begin(), terms[0].factors.end(), [&](const Factor& factor) {
    return factor.exponent < 0 && factor.atom == sum;
  });
}

// (B² + B·m) / (B + m) is B: the quotient of two sums, if it is a single term.
std::optional<Formula> whole_quotient(const Formula& a, const Formula& b) {
  if (a.op() != Op::Sum || b.op() != Op::Sum) return std::nullopt;
  if (a.arguments().size() != b.arguments().size()) return std::nullopt;
  for (const Formula& argument : a.arguments()) {
    const Formula candidate = argument / b.arguments().front();
    if (candidate * b == a) return candidate;
  }
  return std::nullopt;
}

}  // namespace

std::optional<int> integer_exponent(const Formula& power) {
  const auto exponent = power.arguments()[1].constant();
  const auto value = exponent ? exponent->to_int64() : std::nullopt;
  if (!value || std::abs(*value) > std::numeric_limits<int>::max()) return std::nullopt;
  return static_cast<int>(*value);
}

std::vector<FormulaTerm> terms_of(const Formula& formula) {
  if (formula.is_zero()) return {};
  if (formula.op() != Op::Sum) return {as_one_term(formula)};
  std::vector<FormulaTerm> terms;
  for (const Formula& argument : formula.arguments()) terms.push_back(as_one_term(argument));
  return terms;
}

Formula build(const FormulaTerm& term) {
  std::vector<Formula> above;
  std::vector<Formula> below;
  for (const Factor& factor : term.factors) {
    (factor.exponent > 0 ? above : below).push_back(raised(factor.atom, std::abs(factor.exponent)));
  }
  if (term.coefficient.is_zero() || (above.empty() && below.empty())) return term.coefficient;
  if (term.coefficient != Amount(1)) above.insert(above.begin(), Formula(term.coefficient));
  Formula numerator = product_of(std::move(above));
  if (below.empty()) return numerator;
  return make_node(Op::Quotient, {std::move(numerator), product_of(std::move(below))});
}

FormulaTerm power(const FormulaTerm& term, int exponent) {
  FormulaTerm result{1, {}};
  multiply_amount(result, term.coefficient, exponent);
  for (const Factor& factor : term.factors)
    multiply_into(result, factor.atom, factor.exponent * exponent);
  return simplified(std::move(result));
}

Formula operator+(const Formula& a, const Formula& b) {
  if (a.op() == Op::Amount && b.op() == Op::Amount) return a.amount() + b.amount();
  std::vector<FormulaTerm> terms = terms_of(a);
  for (const FormulaTerm& term : terms_of(b)) add_term(terms, term);
  return sum_of(terms);
}

Formula operator-(const Formula& a, const Formula& b) { return a + Formula(-1) * b; }

Formula operator*(const Formula& a, const Formula& b) {
  if (const auto x = a.constant(), y = b.constant(); x && y) return *x * *y;
  const std::vector<FormulaTerm> left = terms_of(a);
  const std::vector<FormulaTerm> right = terms_of(b);
  if (left.size() * right.size() > kMostTerms || divides(a, right) || divides(b, left)) {
    return build(multiply(as_one_term(a), as_one_term(b)));
  }
  std::vector<FormulaTerm> terms;
  for (const FormulaTerm& x : left) {
    for (const FormulaTerm& y : right) add_term(terms, multiply(x, y));
  }
  return sum_of(terms);
}

Formula operator/(const Formula& a, const Formula& b) {
  if (b.is_zero()) return Rational::overflow();
  if (const auto whole = whole_quotient(a, b)) return *whole;
  return a * build(power(as_one_term(b), -1));
}

}  // namespace shard
