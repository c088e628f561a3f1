// Exact amounts: Laurent polynomials in the sizes of dimensions and axes. FLOPs and bytes are Amounts (cost model,
// "Symbols").
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/rational.h"

namespace shard {

// Sizes by symbol: {"B": 1024, "X": 4}.
using Values = std::map<std::string, Rational, std::less<>>;

// A sum of terms `coefficient · symbol^exponent · …`; exponents may be negative. Canonical: equal polynomials are equal
// values. The common case, a known number, allocates nothing.
class Amount {
 public:
  struct Power {
    std::string symbol;
    int exponent = 1;
    friend auto operator<=>(const Power&, const Power&) = default;
  };
  struct Term {
    Rational coefficient;
    std::vector<Power> powers;  // sorted by symbol, no exponent 0
    friend bool operator==(const Term&, const Term&) = default;
  };

  Amount() = default;                // 0
  Amount(const Rational& constant);  // NOLINT(google-explicit-constructor)
  Amount(std::int64_t constant);     // NOLINT(google-explicit-constructor)
  static Amount symbol(std::string name);
  // The sum of terms in any order; the powers of each must be sorted by symbol.
  static Amount from_terms(std::vector<Term> terms);

  // Sorted by powers, no coefficient 0.
  std::span<const Term> terms() const {
    if (!terms_.empty()) return terms_;
    return {&number_, number_.coefficient.is_zero() ? std::size_t{0} : std::size_t{1}};
  }
  bool is_zero() const { return terms_.empty() && number_.coefficient.is_zero(); }
  // The number, if no symbol is left.
  std::optional<Rational> constant() const;
  // A single term, or 0: the amounts that can be divisors.
  bool is_monomial() const { return terms_.size() <= 1; }
  bool is_number() const { return terms_.empty(); }

  Amount operator-() const;
  friend Amount operator+(const Amount& a, const Amount& b);
  friend Amount operator-(const Amount& a, const Amount& b);
  friend Amount operator*(const Amount& a, const Amount& b);
  // REQUIRES: divisor.is_monomial(). Division by zero gives Rational overflow.
  friend Amount operator/(const Amount& a, const Amount& divisor);
  friend bool operator==(const Amount&, const Amount&) = default;

  // Replaces the symbols that have a value; the others stay.
  Amount substitute(const Values& values) const;
  // The symbols that occur, sorted.
  std::vector<std::string> symbols() const;
  // Exact: "2·B·D·F / (X·Y)", "4·D·F / Y + 4·B·D / X", "1/2·B", "B / (2·X)", "X - 1", "0", "1024". Terms of higher
  // degree come first, and among equal degrees the alphabetically later symbols.
  std::string to_string() const;

 private:
  // REQUIRES: terms sorted already.
  static Amount from_sorted(std::vector<Term> terms);

  Term number_ = {};         // of an amount without symbols, else 0
  std::vector<Term> terms_;  // of an amount with symbols, else empty
};

Amount power(const Amount& base, int exponent);  // negative exponents REQUIRE a monomial

}  // namespace shard
