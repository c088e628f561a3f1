// The inside of formulas: sums of terms, each an amount times integer powers of atoms. Arithmetic works on these and
// builds the canonical tree from them.
#pragma once

#include <compare>
#include <optional>
#include <vector>

#include "runtime/algebra/formula.h"

namespace shard {

// A node exactly as given, without simplification.
Formula make_node(Formula::Op op, std::vector<Formula> arguments);

// A total order on canonical trees: amounts first, then by operation and arguments.
std::strong_ordering compare(const Formula& a, const Formula& b);
inline bool before(const Formula& a, const Formula& b) { return std::is_lt(compare(a, b)); }

// What arithmetic treats as opaque: a maximum, a ceiling, a root, a sum in a denominator, …
struct Factor {
  Formula atom;
  int exponent = 1;  // never 0
  friend bool operator==(const Factor&, const Factor&) = default;
};

// coefficient · Π atom^exponent, atoms sorted.
struct FormulaTerm {
  Amount coefficient;
  std::vector<Factor> factors;
};

// The terms whose sum the formula is; none for 0.
std::vector<FormulaTerm> terms_of(const Formula& formula);
Formula build(const FormulaTerm& term);
// The term raised to an integer power.
FormulaTerm power(const FormulaTerm& term, int exponent);

// The exponent of a Power node, if it is an integer.
std::optional<int> integer_exponent(const Formula& power);

// Whether the value is known to be at least 0, or an integer, for all positive integer sizes. False if unknown.
bool known_non_negative(const Formula& formula);
bool known_integer(const Formula& formula);

}  // namespace shard
