#include "interpreter/evaluate/compare.h"

#include <algorithm>
#include <cmath>

#include "interpreter/planning/search/weight.h"

namespace shard {

namespace {

using Op = ast::BinaryOp;

bool holds(Op op, const Rational& left, const Rational& right, double tolerance) {
  switch (op) {
    case Op::Less:
      return left < right;
    case Op::LessEqual:
      return left <= right;
    case Op::Greater:
      return left > right;
    case Op::GreaterEqual:
      return left >= right;
    case Op::Equal:
      return left == right;
    case Op::NotEqual:
      return left != right;
    default:
      return std::abs(left.to_double() - right.to_double()) <=
             tolerance * std::abs(right.to_double());
  }
}

// 1 or -1 if a polynomial has that sign for all positive sizes, 0 if it is zero.
std::optional<int> sign_of(const Formula& formula) {
  if (formula.is_zero()) return 0;
  if (formula.op() != Formula::Op::Amount) return std::nullopt;
  const auto& terms = formula.amount().terms();
  const auto positive = [](const Amount::Term& term) { return term.coefficient > Rational(0); };
  if (std::all_of(terms.begin(), terms.end(), positive)) return 1;
  if (std::none_of(terms.begin(), terms.end(), positive)) return -1;
  return std::nullopt;
}

}  // namespace

Truth compare(ast::BinaryOp op, const Formula& left, const Formula& right, double tolerance) {
  const auto left_number = left.constant();
  const auto right_number = right.constant();
  if (left_number && right_number) return {holds(op, *left_number, *right_number, tolerance)};
  if (op == Op::Equal || op == Op::NotEqual || op == Op::Approx) {
    auto equal = decide_equal(left, right);
    // Two formulas are equal for all sizes or are not; a number is what a formula may come to at some.
    const bool at_some = (left_number || right_number) && !sign_of(left - right);
    if (equal == false && at_some) equal.reset();
    if (equal && op != Op::NotEqual) return {*equal};
    return {equal ? std::optional(!*equal) : std::nullopt};
  }
  const auto sign = sign_of(left - right);
  return {sign ? std::optional(holds(op, Rational(*sign), Rational(0), 0)) : std::nullopt};
}

bool are_tied(const Quantity& left, const Quantity& right) {
  const Rational one = *left.value.constant();
  const Rational other = *right.value.constant();
  if (one == other) return true;
  const bool is_time = left.unit.seconds != 0 || right.unit.seconds != 0;
  if (!is_time && one.is_integer() && other.is_integer()) return false;
  return !planning::differ(one.to_double(), other.to_double());
}

Truth compare(ast::BinaryOp op, const Quantity& left, const Quantity& right, double tolerance) {
  const bool known = left.value.constant() && right.value.constant();
  if (op == Op::Approx || !known || !are_tied(left, right))
    return compare(op, left.value, right.value, tolerance);
  return {holds(op, Rational(0), Rational(0), 0)};
}

}  // namespace shard
