// Formulas over amounts with max, ceil, sqrt and division: hops, times and the scalars of a script.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/amount.h"

namespace shard {

// An immutable expression. Building folds what is known: arithmetic on Amounts stays an Amount,
// `max` of numbers is a number, nested sums, products and maxima are flattened, equal arguments of
// max and min are merged. Times are in seconds, bandwidths in bytes/s; units are tracked by the
// caller.
class Formula {
 public:
  enum class Op { Amount, Sum, Product, Quotient, Max, Min, Ceil, Floor, Sqrt, Log2, Power };

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
  // Same canonical form. Formulas that are equal for all sizes may differ in form; see
  // `decide_equal`.
  friend bool operator==(const Formula& a, const Formula& b);

  Formula substitute(const Values& values) const;
  std::vector<std::string> symbols() const;
  // "max(2 us · …)": numbers print plainly ("1e-06"); units are the caller's: see format_formula in
  // report code.
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
Formula sqrt(const Formula& a);
Formula log2(const Formula& a);
Formula power(const Formula& base, const Formula& exponent);

// Whether two formulas are equal for all positive sizes: true or false where it can be shown (equal
// form, or two different polynomials), nullopt where it cannot.
std::optional<bool> decide_equal(const Formula& a, const Formula& b);

}  // namespace shard
