// Comparisons of sums of products of powers: cancelled, ordered, solved for a size.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/algebra/formula.h"

namespace shard {

// coefficient · Π symbol^exponent. What is no power of a symbol, such as a ceiling, is one under its text.
struct Monomial {
  Rational coefficient = 1;
  std::map<std::string, Rational> powers = {};
  bool is_opaque = false;  // a text is among the symbols
};

// The formula as a sum of such; nullopt if a part of it has no known sign.
std::optional<std::vector<Monomial>> monomials_of(const Formula& formula);
// The sum; whole and half exponents.
Formula formula_of(const std::vector<Monomial>& sum);

// `larger > smaller`, cancelled: no term on both sides, no factor common to all, both sums of positive terms.
struct Inequality {
  std::vector<Monomial> larger;
  std::vector<Monomial> smaller;
};
Inequality cancelled(const std::vector<Monomial>& difference);

bool has_symbol(const Inequality& inequality, const std::string& symbol);

// "F·W > C·Y": the sum is positive.
std::string positive_text(const std::vector<Monomial>& sum);

// The same text for comparisons that hold for the same sizes. `strict`: not where both are equal.
std::string key_of(const Inequality& inequality, bool strict);

// The size alone on the left: `size > bound`, or `<`.
struct SizeBound {
  Formula bound;
  bool from_below = true;  // size > bound
  // The bound is one where this is positive; elsewhere the comparison never holds, or with `else_holds` always does.
  std::optional<std::vector<Monomial>> where = {};
  bool else_holds = false;
};
// nullopt if it occurs in more than two powers, or on the bound's side alone.
std::optional<SizeBound> solved_for(const std::string& size, const Inequality& inequality);

}  // namespace shard
