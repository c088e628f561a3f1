#include "interpreter/solve/least.h"

#include <map>

#include "interpreter/solve/pieces.h"
#include "interpreter/solve/rewrite.h"

namespace shard {

namespace {

using FormulaOp = Formula::Op;

bool is_positive_sum(const Amount& amount) {
  for (const Amount::Term& term : amount.terms()) {
    if (!(term.coefficient > Rational(0))) return false;
  }
  return !amount.is_zero();
}

// a·X^p + b·X^-q is least where X^(p + q) = q·b / (p·a).
std::optional<Least> closed_form(const Formula& formula, const std::string& symbol) {
  if (formula.op() != FormulaOp::Amount) return std::nullopt;
  auto groups = by_power(formula.amount(), symbol);
  groups.erase(0);  // what does not change moves nothing
  if (groups.empty()) return Least{Least::Kind::Flat};
  for (const auto& [exponent, coefficient] : groups) {
    if (!is_positive_sum(coefficient)) return std::nullopt;
  }
  if (groups.begin()->first > 0) return Least{Least::Kind::Rises};
  if (groups.rbegin()->first < 0) return Least{Least::Kind::Falls};
  if (groups.size() != 2) return std::nullopt;
  const auto& [down, falling] = *groups.begin();
  const auto& [up, rising] = *groups.rbegin();
  const Formula ratio = Formula(falling) * Formula(-down) / (Formula(rising) * Formula(up));
  if (up - down == 2) return Least{Least::Kind::At, sqrt(ratio)};
  return Least{Least::Kind::At, power(ratio, Formula(Rational::fraction(1, up - down)))};
}

// A size next to which the formula falls without bound: what a search finds least there is only as near as it came. Such sizes
// are zeros of 1 / formula.
std::optional<double> endless_at(const Formula& formula, const std::string& symbol) {
  const auto row = signs_of(Formula(Rational(1)) / formula, symbol);
  if (!row) return std::nullopt;
  for (const Root& root : row->roots) {
    for (const double side : {-1.0, 1.0}) {
      const auto at = [&](double distance) {
        return value_at(formula, symbol, root.value * (1 + side * distance));
      };
      // Ten times as near a pole it is ten times as low, and next to a zero it is not.
      constexpr double kNear = 1e-5;
      if (at(kNear) < 0 && at(kNear / 10) < 5 * at(kNear)) return root.value;
    }
  }
  return std::nullopt;
}

Least numeric_least(const Formula& formula, const std::string& symbol) {
  if (const auto pole = endless_at(formula, symbol))
    return {Least::Kind::Endless, Formula(Rational::approximate(*pole))};
  if (const auto found = least_at(formula, symbol))
    return {Least::Kind::At, Formula(found->number())};
  if (pieces_of(formula, symbol).empty()) return {};
  const double low = value_at(formula, symbol, 1e-6);
  const double high = value_at(formula, symbol, 1e12);
  return {low < high ? Least::Kind::Rises : low > high ? Least::Kind::Falls : Least::Kind::Flat};
}

}  // namespace

Least least_of(const Formula& formula, const std::string& symbol) {
  if (const auto closed = closed_form(formula, symbol)) return *closed;
  if (formula.symbols().size() == 1) return numeric_least(formula, symbol);
  auto plain = closed_form(without_latencies(formula), symbol);
  if (!plain) return {};
  plain->without_latency = true;
  return *plain;
}

}  // namespace shard
