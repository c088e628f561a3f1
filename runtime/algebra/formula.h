// Formulas over amounts with max, ceil, sqrt and division: hops, times and the scalars of a script.
//
// In this folder:
//   amount.h, amount_text.h  exact amounts: Laurent polynomials in sizes, and how they are printed
//   formula.h                formulas over amounts with max, ceil, sqrt and division
//   formula_terms.h          the inside of a formula: sums of terms
//   formula_extent.h         how large a formula is
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/algebra/amount.h"

namespace shard {

// An immutable expression. Symbols stand for sizes, which are positive integers. Construction simplifies whatever holds
// for all of them: arithmetic on Amounts stays an Amount; a function of numbers is a number; sums collect equal terms,
// products multiply out, quotients cancel; max and min drop arguments that can never decide, such as 0 next to a time;
// the ceiling of a whole number is the number itself. So a cost written in two ways usually, but not always, has the
// same form. Whatever has no value, such as x/0 or sqrt(-1), is Rational's overflow. Times are in seconds, bandwidths
// in bytes/s; the caller tracks units.
class Formula {
 public:
  enum class Op { Amount, Sum, Product, Quotient, Max, Min, Ceil, Floor, Round, Sqrt, Log2, Power };

  Formula() = default;                                    // 0
  Formula(Amount amount) : amount_(std::move(amount)) {}  // NOLINT(google-explicit-constructor)
  Formula(const Rational& number) : amount_(number) {}    // NOLINT(google-explicit-constructor)
  Formula(std::int64_t number) : amount_(number) {}       // NOLINT(google-explicit-constructor)
  static Formula symbol(std::string name) { return Formula(Amount::symbol(std::move(name))); }

  Op op() const;
  // REQUIRES: op() == Op::Amount.
  const Amount& amount() const { return amount_; }
  const std::vector<Formula>& arguments() const;
  // The number, if no symbol is left.
  std::optional<Rational> constant() const;
  bool is_zero() const;

  friend Formula operator+(const Formula& a, const Formula& b);
  friend Formula operator-(const Formula& a, const Formula& b);
  friend Formula operator*(const Formula& a, const Formula& b);
  friend Formula operator/(const Formula& a, const Formula& b);
  // Same canonical form. Formulas that are equal for all sizes may differ in form; see `decide_equal`.
  friend bool operator==(const Formula& a, const Formula& b);

  // With a value for every symbol the result is a number; roots and logarithms are rounded to double.
  Formula substitute(const Values& values) const;
  std::vector<std::string> symbols() const;
  // "max(2·D·F / W, T_min·⌈X / 2⌉)". Numbers print plainly, long ones to 6 digits ("1e-06"). Units are up to the
  // caller: see format_formula in the report code.
  std::string to_string() const;

 private:
  struct Node;
  friend Formula make_node(Op op, std::vector<Formula> arguments);
  Amount amount_;
  std::shared_ptr<const Node> node_;  // null: the formula is amount_
};

Formula max(const Formula& a, const Formula& b);
Formula min(const Formula& a, const Formula& b);
Formula ceil(const Formula& a);
Formula floor(const Formula& a);
Formula round(const Formula& a);  // halves to the even one
Formula sqrt(const Formula& a);
Formula log2(const Formula& a);
Formula power(const Formula& base, const Formula& exponent);

// Whether two formulas are equal for all sizes: true or false if that can be shown (equal form; two different
// polynomials; different values at some sizes), nullopt if not. The sizes tried are always the same.
std::optional<bool> decide_equal(const Formula& a, const Formula& b);

}  // namespace shard
