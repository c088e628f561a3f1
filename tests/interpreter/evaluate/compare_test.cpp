#include "interpreter/evaluate/compare.h"

#include <gtest/gtest.h>

namespace shard::compare_test {
namespace {

using Op = ast::BinaryOp;

Formula number(std::int64_t value) { return Formula(Rational(value)); }
Formula symbol(const std::string& name) { return Formula(Amount::symbol(name)); }

TEST(Compare, NumbersCompareExactly) {
  EXPECT_EQ(compare(Op::Equal, number(3), number(3), 0).holds, true);
  EXPECT_EQ(
      compare(Op::Equal, Formula(Rational::fraction(1, 3)), Formula(Rational::fraction(1, 2)), 0)
          .holds,
      false);
  EXPECT_EQ(compare(Op::Less, number(3), number(3), 0).holds, false);
  EXPECT_EQ(compare(Op::LessEqual, number(3), number(3), 0).holds, true);
  EXPECT_EQ(compare(Op::Greater, number(4), number(3), 0).holds, true);
  EXPECT_EQ(compare(Op::GreaterEqual, number(2), number(3), 0).holds, false);
  EXPECT_EQ(compare(Op::NotEqual, number(2), number(3), 0).holds, true);
}

TEST(Compare, ApproxAllowsAFractionOfTheRightSide) {
  EXPECT_EQ(compare(Op::Approx, number(10004), number(10000), kDefaultTolerance).holds, true);
  EXPECT_EQ(compare(Op::Approx, number(10006), number(10000), kDefaultTolerance).holds, false);
  EXPECT_EQ(compare(Op::Approx, number(98), number(100), 0.02).holds, true);
  EXPECT_EQ(compare(Op::Approx, number(97), number(100), 0.02).holds, false);
  EXPECT_EQ(compare(Op::Approx, number(0), number(0), kDefaultTolerance).holds, true);
}

TEST(Compare, ToleranceIsForApproxOnly) {
  EXPECT_EQ(compare(Op::Equal, number(10001), number(10000), 0.5).holds, false);
  EXPECT_EQ(compare(Op::Less, number(9999), number(10000), 0.5).holds, true);
}

Quantity seconds(std::int64_t number, std::int64_t divisor) {
  return {Formula(Rational::fraction(number, divisor)), kSeconds};
}

TEST(Compare, TimesWithinABillionthAreTied) {
  constexpr std::int64_t kPico = 1'000'000'000'000;
  const Quantity one = seconds(1, 1);
  const Quantity above = seconds(kPico + 1, kPico);
  EXPECT_TRUE(are_tied(one, above));
  EXPECT_EQ(compare(Op::Greater, above, one, 0).holds, false);
  EXPECT_EQ(compare(Op::LessEqual, above, one, 0).holds, true);
  EXPECT_EQ(compare(Op::Equal, above, one, 0).holds, true);
  EXPECT_EQ(compare(Op::NotEqual, above, one, 0).holds, false);
  EXPECT_FALSE(are_tied(one, seconds(1'000'001, 1'000'000)));
}

TEST(Compare, WholeNumbersAreNeverTied) {
  const Quantity bytes{number(1'000'000'000'000), kBytes};
  const Quantity more{number(1'000'000'000'001), kBytes};
  EXPECT_FALSE(are_tied(bytes, more));
  EXPECT_EQ(compare(Op::Less, bytes, more, 0).holds, true);
}

TEST(Compare, EqualPolynomialsAreEqualForAllSizes) {
  const Formula b = symbol("B");
  const Formula d = symbol("D");
  EXPECT_EQ(compare(Op::Equal, (b + d) * b, b * b + b * d, 0).holds, true);
  EXPECT_EQ(compare(Op::NotEqual, b * d, d * b, 0).holds, false);
  EXPECT_EQ(compare(Op::Equal, b + number(1), b, 0).holds, false);
  EXPECT_EQ(compare(Op::Approx, b * d, d * b, kDefaultTolerance).holds, true);
}

TEST(Compare, DifferencesOfOneSignDecideAnOrder) {
  const Formula b = symbol("B");
  const Formula d = symbol("D");
  EXPECT_EQ(compare(Op::Less, b, b + d, 0).holds, true);
  EXPECT_EQ(compare(Op::Greater, b, b + d, 0).holds, false);
  EXPECT_EQ(compare(Op::LessEqual, b * d, d * b, 0).holds, true);
  EXPECT_EQ(compare(Op::Less, b * d, d * b, 0).holds, false);
}

TEST(Compare, ANumberIsWhatAFormulaMayComeTo) {
  EXPECT_EQ(compare(Op::Equal, number(2) * symbol("B"), number(1024), 0).holds, std::nullopt);
  EXPECT_EQ(compare(Op::Approx, number(1024), symbol("B"), 0.1).holds, std::nullopt);
  EXPECT_EQ(compare(Op::NotEqual, symbol("B"), number(4), 0).holds, std::nullopt);
  EXPECT_EQ(compare(Op::Equal, symbol("B"), number(0), 0).holds, false);
  EXPECT_EQ(compare(Op::Equal, symbol("B"), symbol("D"), 0).holds, false);
}

TEST(Compare, WhatDependsOnSizesStaysOpen) {
  const Formula b = symbol("B");
  const Formula d = symbol("D");
  EXPECT_EQ(compare(Op::Less, b, d, 0).holds, std::nullopt);
  EXPECT_EQ(compare(Op::Less, b * number(2), d * number(3), 0).holds, std::nullopt);
  EXPECT_EQ(compare(Op::LessEqual, b, number(512), 0).holds, std::nullopt);
}

}  // namespace
}  // namespace shard::compare_test
