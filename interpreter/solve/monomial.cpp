#include "interpreter/solve/monomial.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "runtime/algebra/formula_terms.h"

namespace shard {

namespace {

using FormulaOp = Formula::Op;

void multiply_power(Monomial& product, const std::string& symbol, const Rational& exponent) {
  Rational& power_of = product.powers[symbol];
  power_of = power_of + exponent;
  if (power_of.is_zero()) product.powers.erase(symbol);
}

// A root of a product, and a power of one.
bool multiply_atom(Monomial& product, const Formula& atom, const Rational& exponent) {
  const bool root = atom.op() == FormulaOp::Sqrt;
  const auto& inner = root ? atom.arguments().front() : atom;
  const auto amount =
      inner.op() == FormulaOp::Amount && inner.amount().is_monomial() ? inner.amount() : Amount();
  const Rational share = root ? exponent / Rational(2) : exponent;
  if (!amount.is_zero() && amount.terms().front().coefficient == Rational(1)) {
    for (const Amount::Power& power_of : amount.terms().front().powers)
      multiply_power(product, power_of.symbol, share * Rational(power_of.exponent));
    return true;
  }
  if (!known_non_negative(atom)) return false;
  product.is_opaque = true;
  multiply_power(product, atom.to_string(), exponent);
  return true;
}

std::int64_t denominator(const Rational& number) {
  return static_cast<std::int64_t>(number.denominator());
}

// The product to a power, which keeps its coefficient exact.
Monomial raised(const Monomial& product, int exponent) {
  Monomial result{power(product.coefficient, exponent), {}, product.is_opaque};
  for (const auto& [symbol, power_of] : product.powers)
    result.powers[symbol] = power_of * Rational(exponent);
  return result;
}

std::optional<Rational> exact_root(const Rational& number, int degree) {
  const Formula root = power(Formula(number), Formula(Rational::fraction(1, degree)));
  const auto value = root.constant();
  if (!value || value->is_overflow() || !(power(*value, degree) == number)) return std::nullopt;
  return value;
}

Monomial quotient(const Monomial& above, const Monomial& below) {
  Monomial result{above.coefficient / below.coefficient, above.powers,
                  above.is_opaque || below.is_opaque};
  for (const auto& [symbol, power_of] : below.powers) multiply_power(result, symbol, -power_of);
  return result;
}

// With whole exponents that have no common divisor, as far as the coefficient has that root.
Monomial reduced(Monomial ratio) {
  std::int64_t multiple = 1;
  for (const auto& [symbol, power_of] : ratio.powers)
    multiple = std::lcm(multiple, denominator(power_of));
  if (multiple > 1) ratio = raised(ratio, static_cast<int>(multiple));
  std::int64_t divisor = 0;
  for (const auto& [symbol, power_of] : ratio.powers)
    divisor = std::gcd(divisor, power_of.to_int64().value_or(1));
  if (divisor < 2) return ratio;
  const auto root = exact_root(ratio.coefficient, static_cast<int>(divisor));
  if (!root) return ratio;
  ratio.coefficient = *root;
  for (auto& [symbol, power_of] : ratio.powers) power_of = power_of / Rational(divisor);
  return ratio;
}

Monomial unsigned_term(Monomial term) {
  if (term.coefficient < Rational(0)) term.coefficient = -term.coefficient;
  return term;
}

std::vector<Monomial> negated(std::vector<Monomial> sum) {
  for (Monomial& term : sum) term.coefficient = -term.coefficient;
  return sum;
}

Inequality by_sign(const std::vector<Monomial>& sum) {
  Inequality sides;
  for (const Monomial& term : sum)
    (term.coefficient > Rational(0) ? sides.larger : sides.smaller).push_back(unsigned_term(term));
  return sides;
}

Rational exponent_in(const Monomial& term, const std::string& symbol) {
  const auto found = term.powers.find(symbol);
  return found == term.powers.end() ? Rational(0) : found->second;
}

// What divides all terms: the least exponents, and a number that makes whole ones of the coefficients where one does.
Monomial common_factor(const std::vector<Monomial>& terms) {
  Monomial factor = terms.front();
  std::map<std::string, Rational> least;
  for (const Monomial& term : terms) {
    for (const auto& [symbol, power_of] : term.powers) least.emplace(symbol, power_of);
    factor.coefficient = std::min(factor.coefficient, term.coefficient);
  }
  factor.powers.clear();
  for (auto& [symbol, power_of] : least) {
    for (const Monomial& term : terms) power_of = std::min(power_of, exponent_in(term, symbol));
    if (!power_of.is_zero()) factor.powers[symbol] = power_of;
  }
  return factor;
}

}  // namespace

std::optional<std::vector<Monomial>> monomials_of(const Formula& formula) {
  std::vector<Monomial> sum;
  for (const FormulaTerm& term : terms_of(formula)) {
    for (const Amount::Term& part : term.coefficient.terms()) {
      Monomial product{part.coefficient, {}, false};
      for (const Amount::Power& power_of : part.powers)
        multiply_power(product, power_of.symbol, Rational(power_of.exponent));
      for (const Factor& factor : term.factors) {
        if (!multiply_atom(product, factor.atom, Rational(factor.exponent))) return std::nullopt;
      }
      if (product.coefficient.is_overflow()) return std::nullopt;
      sum.push_back(std::move(product));
    }
  }
  return sum;
}

Formula formula_of(const std::vector<Monomial>& sum) {
  Formula result;
  for (const Monomial& term : sum) {
    Formula product(term.coefficient);
    Amount under_root(1);
    for (const auto& [symbol, power_of] : term.powers) {
      const auto whole = power_of.to_int64();
      const auto halves = (power_of * Rational(2)).to_int64();
      if (whole) {
        product = product * power(Formula::symbol(symbol), Formula(*whole));
      } else if (halves) {
        under_root = under_root * power(Amount::symbol(symbol), static_cast<int>(*halves));
      } else {
        product = product * power(Formula::symbol(symbol), Formula(power_of));
      }
    }
    result = result + product * sqrt(Formula(under_root));
  }
  return result;
}

Inequality cancelled(const std::vector<Monomial>& difference) {
  Inequality result = by_sign(difference);
  if (result.larger.empty() || result.smaller.empty()) return result;
  std::vector<Monomial> all = result.larger;
  all.insert(all.end(), result.smaller.begin(), result.smaller.end());
  const Monomial factor = common_factor(all);
  for (auto* side : {&result.larger, &result.smaller}) {
    for (Monomial& term : *side) term = quotient(term, factor);
  }
  if (result.larger.size() != 1 || result.smaller.size() != 1) return result;
  const Monomial ratio = reduced(quotient(result.larger.front(), result.smaller.front()));
  return {{ratio}, {Monomial{}}};
}

bool has_symbol(const Inequality& inequality, const std::string& symbol) {
  const auto has = [&](const Monomial& term) { return term.powers.contains(symbol); };
  return std::any_of(inequality.larger.begin(), inequality.larger.end(), has) ||
         std::any_of(inequality.smaller.begin(), inequality.smaller.end(), has);
}

std::string positive_text(const std::vector<Monomial>& sum) {
  const Inequality sides = by_sign(sum);
  return formula_of(sides.larger).to_string() + " > " + formula_of(sides.smaller).to_string();
}

std::string key_of(const Inequality& inequality, bool strict) {
  return formula_of(inequality.larger).to_string() + (strict ? " > " : " ≥ ") +
         formula_of(inequality.smaller).to_string();
}

std::optional<SizeBound> solved_for(const std::string& size, const Inequality& inequality) {
  // larger - smaller, by the power of the size.
  std::map<Rational, std::vector<Monomial>> groups;
  std::map<Rational, std::pair<bool, bool>> signs;  // some term is positive, some is negative
  const auto add = [&](Monomial term, bool positive) {
    const Rational exponent = exponent_in(term, size);
    term.powers.erase(size);
    (positive ? signs[exponent].first : signs[exponent].second) = true;
    if (!positive) term.coefficient = -term.coefficient;
    groups[exponent].push_back(std::move(term));
  };
  for (const Monomial& term : inequality.larger) add(term, true);
  for (const Monomial& term : inequality.smaller) add(term, false);
  if (groups.size() != 2) return std::nullopt;
  const auto& [low, lower] = *groups.begin();
  const auto& [high, higher] = *groups.rbegin();
  const auto uniform = [&](const Rational& exponent) {
    return signs[exponent].first != signs[exponent].second;
  };
  if (!uniform(low) && !uniform(high)) return std::nullopt;
  const Rational up = Rational(1) / (high - low);
  const auto root = [&](const Formula& value) { return power(value, Formula(up)); };
  const bool low_falls = signs[low].second;
  const bool high_rises = signs[high].first;
  if (uniform(low) && uniform(high)) {
    if (low_falls != high_rises) return std::nullopt;
    const Formula above = formula_of(high_rises ? negated(lower) : lower);
    return SizeBound{root(above / formula_of(high_rises ? higher : negated(higher))), high_rises};
  }
  // part·s^k > lower, or lower > part·s^k, where `lower` is positive: the part has to be, for there to be a bound.
  if (uniform(low)) {
    const Formula above = formula_of(low_falls ? negated(lower) : lower);
    const std::vector<Monomial> part = low_falls ? higher : negated(higher);
    return SizeBound{root(above / formula_of(part)), low_falls, part, !low_falls};
  }
  // higher·s^k > part, or part > higher·s^k, where `higher` is positive.
  const std::vector<Monomial> part = high_rises ? negated(lower) : lower;
  const Formula below = formula_of(high_rises ? higher : negated(higher));
  return SizeBound{root(formula_of(part) / below), high_rises, part, high_rises};
}

}  // namespace shard
