#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/algebra/formula_terms.h"

namespace shard {
namespace {

using Op = Formula::Op;

// A power that would expand to more terms stays a power, as nobody reads such a sum. Only the form depends on it.
constexpr double kMostExpandedTerms = 64;

bool all_known(const std::vector<Formula>& formulas, bool (*known)(const Formula&)) {
  return std::all_of(formulas.begin(), formulas.end(), known);
}

bool is_positive(const Amount::Term& term) {
  return term.coefficient > Rational(0) && !term.coefficient.is_overflow();
}

bool non_negative(const Amount& amount) {
  return std::all_of(amount.terms().begin(), amount.terms().end(), is_positive);
}

bool is_integer(const Amount& amount) {
  return std::all_of(amount.terms().begin(), amount.terms().end(), [](const Amount::Term& term) {
    return term.coefficient.is_integer() &&
           std::all_of(term.powers.begin(), term.powers.end(),
                       [](const auto& power) { return power.exponent > 0; });
  });
}

std::vector<Formula> arguments_of(Op op, const Formula& formula) {
  return formula.op() == op ? formula.arguments() : std::vector<Formula>{formula};
}

// Whether every term of `larger - smaller` has a positive coefficient, without building the difference.
bool exceeds_term_by_term(const Amount& larger, const Amount& smaller) {
  const auto terms = larger.terms();
  auto term = terms.begin();
  for (const Amount::Term& less : smaller.terms()) {
    while (term != terms.end() && term->powers < less.powers) {
      if (!is_positive(*term++)) return false;
    }
    const bool paired = term != terms.end() && term->powers == less.powers;
    const Rational& more = paired ? term->coefficient : Rational(0);
    if (more.is_overflow() || less.coefficient.is_overflow() || more < less.coefficient)
      return false;
    if (paired) ++term;
  }
  return std::all_of(term, terms.end(), is_positive);
}

// Whether `a` is known to decide a max or min against `b`.
bool counts_before(Op op, const Formula& a, const Formula& b) {
  const Formula& larger = op == Op::Max ? a : b;
  const Formula& smaller = op == Op::Max ? b : a;
  const auto x = larger.constant();
  const auto y = smaller.constant();
  if (x && y) return *x >= *y;  // compared directly, as their difference may overflow
  if (larger.op() == Op::Amount && smaller.op() == Op::Amount)
    return exceeds_term_by_term(larger.amount(), smaller.amount());
  return known_non_negative(larger - smaller);
}

// Adds an argument to those of a max or min, keeping the list free of arguments that another one dominates.
void add_argument(Op op, std::vector<Formula>& kept, const Formula& formula) {
  const auto beats = [&](const Formula& other) { return counts_before(op, other, formula); };
  if (std::any_of(kept.begin(), kept.end(), beats)) return;
  const auto beaten = [&](const Formula& other) { return counts_before(op, formula, other); };
  kept.erase(std::remove_if(kept.begin(), kept.end(), beaten), kept.end());
  kept.push_back(formula);
}

Formula extremum(Op op, const Formula& a, const Formula& b) {
  std::vector<Formula> kept = arguments_of(op, a);
  for (const Formula& formula : arguments_of(op, b)) add_argument(op, kept, formula);
  if (kept.size() == 1) return kept.front();
  std::sort(kept.begin(), kept.end(), before);
  return make_node(op, std::move(kept));
}

// A number computed in double; overflow if there is no real value.
Formula computed(double value) { return Rational::approximate(value); }

std::optional<Rational> exact_root(const Rational& number) {
  const auto root = [](Rational::Integer value) {
    auto guess = static_cast<Rational::Integer>(std::sqrt(static_cast<long double>(value)));
    while (guess * guess > value) --guess;
    while ((guess + 1) * (guess + 1) <= value) ++guess;
    return guess;
  };
  if (number.is_overflow() || number < Rational(0)) return std::nullopt;
  // Up to here a root has at most 60 bits: the long double guess is off by at most a step or so, which the loops
  // correct, and their squares cannot overflow.
  constexpr auto kLimit = Rational::Integer{1} << 120;
  if (number.numerator() > kLimit || number.denominator() > kLimit) return std::nullopt;
  const Rational result = Rational::fraction(root(number.numerator()), root(number.denominator()));
  if (result * result == number) return result;
  return std::nullopt;
}

Formula root_of_number(const Rational& number) {
  if (number.is_overflow() || number < Rational(0)) return Rational::overflow();
  if (const auto exact = exact_root(number)) return *exact;
  return computed(std::sqrt(number.to_double()));
}

// sqrt(4·B^3) is 2·B·sqrt(B): even powers leave the root.
Formula root_of_term(const Amount::Term& term) {
  Amount::Term outside{1, {}};
  Amount::Term inside{term.coefficient, {}};
  if (const auto exact = exact_root(term.coefficient)) {
    outside.coefficient = *exact;
    inside.coefficient = 1;
  }
  for (const auto& [symbol, exponent] : term.powers) {
    const int odd = exponent % 2 == 0 ? 0 : 1;
    if (exponent != odd) outside.powers.push_back({symbol, (exponent - odd) / 2});
    if (odd != 0) inside.powers.push_back({symbol, 1});
  }
  const Formula taken = Amount::from_terms({outside});
  const Amount left = Amount::from_terms({inside});
  return left == Amount(1) ? taken : taken * make_node(Op::Sqrt, {Formula(left)});
}

Formula power_of_numbers(const Rational& base, const Rational& exponent) {
  // Whole exponents give exact results. Beyond a million only 0 and ±1 have powers that fit, and the exponent might not
  // fit an int; pow() then gives a rounded result or overflow.
  if (const auto whole = exponent.to_int64(); whole && std::abs(*whole) <= 1'000'000) {
    return power(base, static_cast<int>(*whole));
  }
  if (base.is_overflow() || exponent.is_overflow()) return Rational::overflow();
  return computed(std::pow(base.to_double(), exponent.to_double()));
}

// The number of terms of a sum of `terms` terms raised to `exponent`; may stop counting once beyond the limit.
double expanded_terms(std::size_t terms, int exponent) {
  double count = 1;
  for (int i = 1; i <= exponent && count <= kMostExpandedTerms; ++i) {
    count *= static_cast<double>(terms) - 1 + i;
    count /= i;
  }
  return count;
}

Formula integer_power(const Formula& base, int exponent) {
  if (exponent == 0) return Rational(1);
  if (base.is_zero()) return exponent > 0 ? Rational(0) : Rational::overflow();
  const std::vector<FormulaTerm> terms = terms_of(base);
  const bool is_amount = base.op() == Op::Amount;
  const std::size_t count = is_amount ? base.amount().terms().size() : terms.size();
  if (count == 1) return build(power(terms.front(), exponent));
  if (exponent > 0 && expanded_terms(count, exponent) <= kMostExpandedTerms) {
    return base * integer_power(base, exponent - 1);
  }
  if (is_amount) return build(power(terms.front(), exponent));
  return build(power(FormulaTerm{1, {{base, 1}}}, exponent));
}

}  // namespace

bool known_non_negative(const Formula& formula) {
  switch (formula.op()) {
    case Op::Amount:
      return non_negative(formula.amount());
    case Op::Sum:
    case Op::Product:
    case Op::Quotient:
    case Op::Min:
    case Op::Ceil:
    case Op::Floor:
    case Op::Round:
      return all_known(formula.arguments(), known_non_negative);
    case Op::Max:
      return std::any_of(formula.arguments().begin(), formula.arguments().end(),
                         known_non_negative);
    case Op::Sqrt:
      return true;
    case Op::Log2:
      // Sizes are at least 1, and so is a formula whose value is a positive integer.
      return known_integer(formula.arguments()[0]) && known_non_negative(formula.arguments()[0]);
    case Op::Power:
      return known_non_negative(formula.arguments()[0]);
  }
  return false;
}

bool known_integer(const Formula& formula) {
  switch (formula.op()) {
    case Op::Amount:
      return is_integer(formula.amount());
    case Op::Sum:
    case Op::Product:
    case Op::Max:
    case Op::Min:
      return all_known(formula.arguments(), known_integer);
    case Op::Ceil:
    case Op::Floor:
    case Op::Round:
      return true;
    case Op::Power:
      return all_known(formula.arguments(), known_integer) &&
             known_non_negative(formula.arguments()[1]);
    case Op::Quotient:
    case Op::Sqrt:
    case Op::Log2:
      return false;
  }
  return false;
}

Formula max(const Formula& a, const Formula& b) { return extremum(Op::Max, a, b); }
Formula min(const Formula& a, const Formula& b) { return extremum(Op::Min, a, b); }

Formula ceil(const Formula& a) {
  if (const auto number = a.constant()) return ceil(*number);
  return known_integer(a) ? a : make_node(Op::Ceil, {a});
}

Formula floor(const Formula& a) {
  if (const auto number = a.constant()) return floor(*number);
  return known_integer(a) ? a : make_node(Op::Floor, {a});
}

Formula round(const Formula& a) {
  if (const auto number = a.constant()) return round(*number);
  return known_integer(a) ? a : make_node(Op::Round, {a});
}

Formula sqrt(const Formula& a) {
  if (const auto number = a.constant()) return root_of_number(*number);
  if (a.op() == Op::Amount && a.amount().is_monomial())
    return root_of_term(a.amount().terms().front());
  return make_node(Op::Sqrt, {a});
}

Formula log2(const Formula& a) {
  const auto number = a.constant();
  if (!number) return make_node(Op::Log2, {a});
  return number->is_zero() ? Rational::overflow() : computed(std::log2(number->to_double()));
}

Formula power(const Formula& base, const Formula& exponent) {
  const auto up = exponent.constant();
  if (!up) return make_node(Op::Power, {base, exponent});
  if (const auto number = base.constant()) return power_of_numbers(*number, *up);
  // Higher powers of symbols mean nothing to a reader and would overflow for any real size.
  constexpr std::int64_t kMostPower = 1000;
  if (const auto whole = up->to_int64(); whole && std::abs(*whole) <= kMostPower) {
    return integer_power(base, static_cast<int>(*whole));
  }
  if (const auto halves = (*up * Rational(2)).to_int64();
      halves && std::abs(*halves) <= kMostPower) {
    return integer_power(sqrt(base), static_cast<int>(*halves));
  }
  return make_node(Op::Power, {base, exponent});
}

}  // namespace shard
