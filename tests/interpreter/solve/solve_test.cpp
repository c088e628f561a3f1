// Crossings, signs and least values of random formulas of one size, held against the formulas at many sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "interpreter/solve/condition.h"
#include "interpreter/solve/least.h"
#include "interpreter/solve/monomial.h"
#include "interpreter/solve/pieces.h"
#include "interpreter/solve/polynomial.h"
#include "interpreter/solve/rewrite.h"

namespace shard {
namespace {

const std::string kSize = "B";

class RandomFormula {
 public:
  explicit RandomFormula(unsigned seed) : random_(seed) {}

  int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

  // A positive number of any size.
  Formula coefficient() {
    return Formula(Rational::fraction(number(1, 1000), number(1, 1000))) *
           power(Formula(10), Formula(number(-6, 3)));
  }

  // What costs are made of: sums of maxima of powers of the size.
  Formula cost(int depth) {
    if (depth == 0) return coefficient() * power(Formula::symbol(kSize), Formula(number(-1, 2)));
    Formula result = cost(depth - 1);
    for (int i = number(1, 2); i > 0; --i) {
      const Formula next = cost(depth - 1);
      const int kind = number(0, 3);
      result = kind == 0 ? max(result, next) : kind == 1 ? min(result, next) : result + next;
    }
    return result;
  }

 private:
  std::mt19937 random_;
};

double magnitude(const Formula& left, const Formula& right, double at) {
  return std::abs(value_at(left, kSize, at)) + std::abs(value_at(right, kSize, at));
}

TEST(Solve, FindsTheRootsThatAPolynomialWasMadeOf) {
  RandomFormula random(1);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<int> wanted;
    Amount product = 1;
    for (int i = random.number(1, 5); i > 0; --i) {
      const int root = random.number(1, 1000);
      wanted.push_back(root);
      product = product * (Amount::symbol(kSize) - Amount(root));
    }
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    const auto polynomial = polynomial_of(product, kSize);
    ASSERT_TRUE(polynomial);
    std::vector<int> found;
    for (const Root& root : positive_roots(*polynomial)) {
      ASSERT_TRUE(root.exact) << product.to_string() << " at " << root.value;
      found.push_back(static_cast<int>(*root.exact->to_int64()));
    }
    EXPECT_EQ(found, wanted) << product.to_string();
  }
}

TEST(Solve, HasTheSignsOfTheFormulaBetweenItsCrossings) {
  RandomFormula random(2);
  int crossings = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Formula left = random.cost(3);
    const Formula right = random.cost(3);
    const auto row = signs_of(left - right, kSize);
    ASSERT_TRUE(row);
    ASSERT_EQ(row->signs.size(), row->roots.size() + 1);
    crossings += static_cast<int>(row->roots.size());
    for (const Root& root : row->roots) {
      const double gap = value_at(left, kSize, root.value) - value_at(right, kSize, root.value);
      EXPECT_LE(std::abs(gap), 1e-9 * magnitude(left, right, root.value))
          << left.to_string() << " = " << right.to_string() << " at " << root.value;
    }
    for (double at = 1e-3; at < 1e9; at *= 1.7) {
      const double gap = value_at(left, kSize, at) - value_at(right, kSize, at);
      if (std::abs(gap) < 1e-9 * magnitude(left, right, at)) continue;
      const auto range = std::find_if(row->roots.begin(), row->roots.end(),
                                      [&](const Root& root) { return at < root.value; });
      EXPECT_EQ(row->signs[static_cast<std::size_t>(range - row->roots.begin())], gap > 0 ? 1 : -1)
          << left.to_string() << " = " << right.to_string() << " at " << at;
    }
  }
  EXPECT_GT(crossings, 500);
}

TEST(Solve, IsNowhereLessThanAtTheLeastPlace) {
  RandomFormula random(3);
  int found = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Formula cost = random.cost(3);
    const auto least = least_at(cost, kSize);
    if (!least) continue;
    ++found;
    const double value = value_at(cost, kSize, least->value);
    for (double at = 1e-3; at < 1e9; at *= 1.3)
      EXPECT_GE(value_at(cost, kSize, at), value * (1 - 1e-9)) << cost.to_string() << " at " << at;
  }
  EXPECT_GT(found, 300);
}

TEST(Solve, SaysTheSameOfComparisonsThatAreTheSame) {
  RandomFormula random(4);
  const auto product = [&] {
    Formula result = random.coefficient();
    for (const char* symbol : {"B", "D", "X", "C"})
      result = result * power(Formula::symbol(symbol), Formula(random.number(-2, 2)));
    return result;
  };
  for (int trial = 0; trial < 500; ++trial) {
    const Formula left = product();
    const Formula right = product();
    const Formula factor = product();
    const auto one = monomials_of(left - right);
    const auto other = monomials_of(left * factor - right * factor);
    ASSERT_TRUE(one && other);
    EXPECT_EQ(key_of(cancelled(*one), true), key_of(cancelled(*other), true))
        << left.to_string() << " > " << right.to_string();
    const auto solved = solved_for("B", cancelled(*one));
    if (!solved) continue;
    // At twice the bound it holds or does not, as it says.
    const Values sizes = {{"D", 3}, {"X", 5}, {"C", 7}};
    const double bound = value_at(solved->bound.substitute(sizes), kSize, 1);
    const double gap = value_at((left - right).substitute(sizes), kSize, 2 * bound);
    EXPECT_EQ(gap > 0, solved->from_below) << left.to_string() << " > " << right.to_string();
  }
}

TEST(Solve, HasClosedFormsOfSumsOfTwoPowers) {
  const auto symbol = [](const char* name) { return Formula::symbol(name); };
  const Least least = least_of(symbol("a") * symbol("X") + symbol("b") / symbol("X"), "X");
  ASSERT_EQ(least.kind, Least::Kind::At);
  EXPECT_EQ(least.at, sqrt(symbol("b") / symbol("a")));
  EXPECT_EQ(least_of(symbol("a") * symbol("X"), "X").kind, Least::Kind::Rises);
  EXPECT_EQ(least_of(symbol("a") / symbol("X"), "X").kind, Least::Kind::Falls);
  EXPECT_EQ(least_of(symbol("a"), "X").kind, Least::Kind::Flat);
}

}  // namespace
}  // namespace shard
