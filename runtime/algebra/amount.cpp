#include "runtime/algebra/amount.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "base/check.h"

namespace shard {
namespace {

using Power = Amount::Power;
using Term = Amount::Term;

bool has_lower_powers(const Term& a, const Term& b) { return a.powers < b.powers; }

// Adds up terms with equal powers and drops those that vanish. REQUIRES: sorted terms.
std::vector<Term> united(std::vector<Term> terms) {
  std::vector<Term> result;
  result.reserve(terms.size());
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

// No size to such a power has a meaning; the limit keeps sums and negations of exponents within int.
constexpr int kMostExponent = 1'000'000'000;

// Adds `power` to the symbol's exponent; beyond the limit the term becomes an overflow.
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

Amount::Amount(const Rational& constant) : number_{constant, {}} {}

Amount::Amount(std::int64_t constant) : Amount(Rational(constant)) {}

Amount Amount::symbol(std::string name) {
  Amount result;
  result.terms_.push_back({1, {{std::move(name), 1}}});
  return result;
}

Amount Amount::from_terms(std::vector<Term> terms) {
  std::sort(terms.begin(), terms.end(), has_lower_powers);
  return from_sorted(std::move(terms));
}

Amount Amount::from_sorted(std::vector<Term> terms) {
  Amount result;
  result.terms_ = united(std::move(terms));
  if (result.terms_.size() == 1 && result.terms_.front().powers.empty()) {
    result.number_ = std::move(result.terms_.front());
    result.terms_.clear();
  }
  return result;
}

std::optional<Rational> Amount::constant() const {
  if (!is_number()) return std::nullopt;
  return number_.coefficient;
}

Amount Amount::operator-() const {
  if (is_number()) return -number_.coefficient;
  Amount result = *this;
  for (Term& term : result.terms_) term.coefficient = -term.coefficient;
  return result;
}

Amount operator+(const Amount& a, const Amount& b) {
  if (a.is_number() && b.is_number()) return a.number_.coefficient + b.number_.coefficient;
  const auto left = a.terms();
  const auto right = b.terms();
  std::vector<Term> terms;
  terms.reserve(left.size() + right.size());
  std::merge(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(terms),
             has_lower_powers);
  return Amount::from_sorted(std::move(terms));
}

Amount operator-(const Amount& a, const Amount& b) { return a + -b; }

Amount operator*(const Amount& a, const Amount& b) {
  // Numbers follow Rational's own rules: an overflow absorbs even zero, which as an Amount has no term.
  if (a.is_number() && b.is_number()) return a.number_.coefficient * b.number_.coefficient;
  std::vector<Term> terms;
  terms.reserve(a.terms().size() * b.terms().size());
  for (const Term& left : a.terms()) {
    for (const Term& right : b.terms()) terms.push_back(product(left, right));
  }
  return Amount::from_terms(std::move(terms));
}

Amount operator/(const Amount& a, const Amount& divisor) {
  SHARD_CHECK(divisor.is_monomial());
  if (divisor.is_zero()) return Rational::overflow();
  if (a.is_number() && divisor.is_number())
    return a.number_.coefficient / divisor.number_.coefficient;
  return a * Amount::from_terms({reciprocal(divisor.terms().front())});
}

Amount Amount::substitute(const Values& values) const {
  if (is_number()) return *this;
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
