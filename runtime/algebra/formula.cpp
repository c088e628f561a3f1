#include "runtime/algebra/formula.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <utility>

#include "base/check.h"
#include "runtime/algebra/formula_terms.h"

namespace shard {

struct Formula::Node {
  Op op;
  std::vector<Formula> arguments;
};

Formula make_node(Formula::Op op, std::vector<Formula> arguments) {
  Formula result;
  result.node_ = std::make_shared<const Formula::Node>(Formula::Node{op, std::move(arguments)});
  return result;
}

Formula::Op Formula::op() const { return node_ ? node_->op : Op::Amount; }

const std::vector<Formula>& Formula::arguments() const {
  SHARD_CHECK(node_ != nullptr);
  return node_->arguments;
}

std::optional<Rational> Formula::constant() const {
  return node_ ? std::nullopt : amount_.constant();
}

bool Formula::is_zero() const { return !node_ && amount_.is_zero(); }

bool operator==(const Formula& a, const Formula& b) {
  if (a.node_ == b.node_) return a.node_ || a.amount_ == b.amount_;
  return a.node_ && b.node_ && a.node_->op == b.node_->op &&
         a.node_->arguments == b.node_->arguments;
}

namespace {

using Op = Formula::Op;

std::strong_ordering compare(const Amount::Term& a, const Amount::Term& b) {
  if (const auto order = a.powers <=> b.powers; std::is_neq(order)) return order;
  return a.coefficient <=> b.coefficient;
}

std::strong_ordering compare(const Amount& a, const Amount& b) {
  return std::lexicographical_compare_three_way(
      a.terms().begin(), a.terms().end(), b.terms().begin(), b.terms().end(),
      [](const Amount::Term& x, const Amount::Term& y) { return compare(x, y); });
}

Formula fold(const std::vector<Formula>& arguments,
             Formula (*operation)(const Formula&, const Formula&)) {
  Formula result = arguments.front();
  for (std::size_t i = 1; i < arguments.size(); ++i) result = operation(result, arguments[i]);
  return result;
}

Formula rebuild(Op op, const std::vector<Formula>& arguments) {
  switch (op) {
    case Op::Sum:
      return fold(arguments, [](const Formula& a, const Formula& b) { return a + b; });
    case Op::Product:
      return fold(arguments, [](const Formula& a, const Formula& b) { return a * b; });
    case Op::Quotient:
      return arguments[0] / arguments[1];
    case Op::Max:
      return fold(arguments, [](const Formula& a, const Formula& b) { return max(a, b); });
    case Op::Min:
      return fold(arguments, [](const Formula& a, const Formula& b) { return min(a, b); });
    case Op::Ceil:
      return ceil(arguments[0]);
    case Op::Floor:
      return floor(arguments[0]);
    case Op::Round:
      return round(arguments[0]);
    case Op::Sqrt:
      return sqrt(arguments[0]);
    case Op::Log2:
      return log2(arguments[0]);
    case Op::Power:
      return power(arguments[0], arguments[1]);
    case Op::Amount:
      break;
  }
  SHARD_CHECK(!"an amount is no node");
}

void add_symbols(const Formula& formula, std::set<std::string>& names) {
  if (formula.op() == Op::Amount) {
    for (std::string& name : formula.amount().symbols()) names.insert(std::move(name));
    return;
  }
  for (const Formula& argument : formula.arguments()) add_symbols(argument, names);
}

// Sizes from 1 to 2^20, uniform in their logarithm, so that each side of a maximum gets its turn.
Values random_sizes(const std::vector<std::string>& names, std::mt19937& random) {
  std::uniform_real_distribution<double> exponent(0.0, 20.0);
  Values sizes;
  for (const std::string& name : names)
    sizes[name] = static_cast<std::int64_t>(std::exp2(exponent(random)));
  return sizes;
}

// Roots and logarithms are rounded to double, so only differences beyond the error of a long computation count.
bool clearly_different(const Rational& a, const Rational& b) {
  const double x = a.to_double();
  const double y = b.to_double();
  return std::abs(x - y) > 1e-9 * std::max(std::abs(x), std::abs(y));
}

}  // namespace

std::strong_ordering compare(const Formula& a, const Formula& b) {
  if (a.op() != b.op()) return a.op() <=> b.op();
  if (a.op() == Op::Amount) return compare(a.amount(), b.amount());
  return std::lexicographical_compare_three_way(
      a.arguments().begin(), a.arguments().end(), b.arguments().begin(), b.arguments().end(),
      [](const Formula& x, const Formula& y) { return compare(x, y); });
}

Formula Formula::substitute(const Values& values) const {
  if (!node_) return amount_.substitute(values);
  std::vector<Formula> arguments;
  arguments.reserve(node_->arguments.size());
  for (const Formula& argument : node_->arguments) arguments.push_back(argument.substitute(values));
  return rebuild(node_->op, arguments);
}

std::vector<std::string> Formula::symbols() const {
  std::set<std::string> names;
  add_symbols(*this, names);
  return {names.begin(), names.end()};
}

std::optional<bool> decide_equal(const Formula& a, const Formula& b) {
  if (a == b) return true;
  if (a.op() == Op::Amount && b.op() == Op::Amount) return false;
  // More points find smaller regions where formulas differ, such as one side of a maximum. Missing a region only costs
  // the answer: the result is nullopt, never a wrong one.
  constexpr int kTrials = 64;
  const Formula difference = a - b;
  if (difference.is_zero()) return true;
  std::set<std::string> names;
  add_symbols(a, names);
  add_symbols(b, names);
  std::mt19937 random(1);  // fixed seed: the same question always gets the same answer
  for (int trial = 0; trial < kTrials; ++trial) {
    const Values sizes = random_sizes({names.begin(), names.end()}, random);
    const auto x = a.substitute(sizes).constant();
    const auto y = b.substitute(sizes).constant();
    if (x && y && !x->is_overflow() && !y->is_overflow() && clearly_different(*x, *y)) return false;
  }
  return std::nullopt;
}

}  // namespace shard
