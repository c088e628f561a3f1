#include "runtime/amount.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "base/check.h"

namespace shard {
namespace {

using Power = Amount::Power;
using Term = Amount::Term;

bool before(const Term& a, const Term& b) { return a.powers < b.powers; }

// Sorts, adds up terms with equal powers and drops those that vanish.
std::vector<Term> canonical(std::vector<Term> terms) {
  std::sort(terms.begin(), terms.end(), before);
  std::vector<Term> result;
  for (Term& term : terms) {
    if (!result.empty() && result.back().powers == term.powers) {
      result.back().coefficient = result.back().coefficient + term.coefficient;
    } else {
      result.push_back(std::move(term));
    }
    if (result.back().coefficient.is_zero()) result.pop_back();
  }
  return result;
}

// No size has a meaning to such a power; the limit keeps sums and negations of exponents within
// int.
constexpr int kMostExponent = 1'000'000'000;

// Adds `power` to the symbol's exponent. One beyond the limit makes the term an overflow.
void multiply_by(Term& term, const Power& power) {
  const auto at =
      std::lower_bound(term.powers.begin(), term.powers.end(), power.symbol,
                       [](const Power& p, const std::string& s) { return p.symbol < s; });
  if (at == term.powers.end() || at->symbol != power.symbol) {
    term.powers.insert(at, power);
    return;
  }
  at->exponent += power.exponent;
  if (std::abs(at->exponent) > kMostExponent) {
    term.coefficient = Rational::overflow();
    at->exponent = 0;
  }
  if (at->exponent == 0) term.powers.erase(at);
}

Term product(const Term& a, const Term& b) {
  Term result = a;
  result.coefficient = a.coefficient * b.coefficient;
  for (const Power& power : b.powers) multiply_by(result, power);
  return result;
}

Term reciprocal(const Term& term) {
  Term result = term;
  result.coefficient = Rational(1) / term.coefficient;
  for (Power& power : result.powers) power.exponent = -power.exponent;
  return result;
}

Term substituted(const Term& term, const Values& values) {
  Term result{term.coefficient, {}};
  for (const Power& power : term.powers) {
    const auto value = values.find(power.symbol);
    if (value == values.end()) {
      result.powers.push_back(power);
    } else {
      result.coefficient = result.coefficient * shard::power(value->second, power.exponent);
    }
  }
  return result;
}

}  // namespace

Amount::Amount(const Rational& constant) {
  if (!constant.is_zero()) terms_.push_back({constant, {}});
}

Amount::Amount(std::int64_t constant) : Amount(Rational(constant)) {}

Amount Amount::symbol(std::string name) {
  Amount result;
  result.terms_.push_back({1, {{std::move(name), 1}}});
  return result;
}

Amount Amount::from_terms(std::vector<Term> terms) {
  Amount result;
  result.terms_ = canonical(std::move(terms));
  return result;
}

std::optional<Rational> Amount::constant() const {
  if (terms_.empty()) return Rational(0);
  if (terms_.size() == 1 && terms_.front().powers.empty()) return terms_.front().coefficient;
  return std::nullopt;
}

Amount Amount::operator-() const {
  Amount result = *this;
  for (Term& term : result.terms_) term.coefficient = -term.coefficient;
  return result;
}

Amount operator+(const Amount& a, const Amount& b) {
  std::vector<Term> terms;
  terms.reserve(a.terms_.size() + b.terms_.size());
  std::merge(a.terms_.begin(), a.terms_.end(), b.terms_.begin(), b.terms_.end(),
             std::back_inserter(terms), before);
  return Amount::from_terms(std::move(terms));
}

Amount operator-(const Amount& a, const Amount& b) { return a + -b; }

Amount operator*(const Amount& a, const Amount& b) {
  // Numbers go by Rational's own rules: an overflow absorbs even a zero, which has no term here.
  if (const auto x = a.constant(), y = b.constant(); x && y) return *x * *y;
  std::vector<Term> terms;
  terms.reserve(a.terms_.size() * b.terms_.size());
  for (const Term& left : a.terms_) {
    for (const Term& right : b.terms_) terms.push_back(product(left, right));
  }
  return Amount::from_terms(std::move(terms));
}

Amount operator/(const Amount& a, const Amount& divisor) {
  SHARD_CHECK(divisor.is_monomial());
  if (divisor.is_zero()) return Rational::overflow();
  if (const auto x = a.constant(), y = divisor.constant(); x && y) return *x / *y;
  return a * Amount::from_terms({reciprocal(divisor.terms_.front())});
}

Amount Amount::substitute(const Values& values) const {
  std::vector<Term> terms;
  terms.reserve(terms_.size());
  for (const Term& term : terms_) terms.push_back(substituted(term, values));
  return from_terms(std::move(terms));
}

std::vector<std::string> Amount::symbols() const {
  std::set<std::string> names;
  for (const Term& term : terms_) {
    for (const Power& power : term.powers) names.insert(power.symbol);
  }
  return {names.begin(), names.end()};
}

Amount power(const Amount& base, int exponent) {
  if (const auto number = base.constant()) return power(*number, exponent);
  if (exponent < 0) return Amount(1) / (base * power(base, -(exponent + 1)));
  Amount result = 1;
  Amount square = base;
  for (int rest = exponent; rest > 0; rest /= 2) {
    if (rest % 2 == 1) result = result * square;
    if (rest > 1) square = square * square;
  }
  return result;
}

}  // namespace shard
