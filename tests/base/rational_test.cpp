#include "base/rational.h"

#include <cmath>
#include <limits>

#include "tests/property.h"

namespace shard::rational_test {
namespace {

constexpr std::int64_t kMin64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();

Rational half() { return Rational::fraction(1, 2); }

TEST(Rational, FractionsAreReducedWithPositiveDenominator) {
  EXPECT_EQ(Rational::fraction(4, -6).to_string(), "-2/3");
  EXPECT_EQ(Rational::fraction(0, -5), Rational(0));
  EXPECT_EQ(Rational::fraction(8, 4).to_string(), "2");
}

TEST(Rational, ArithmeticIsExact) {
  EXPECT_EQ(Rational::fraction(1, 3) + Rational::fraction(1, 6), half());
  EXPECT_EQ(Rational::fraction(1, 3) - half(), Rational::fraction(-1, 6));
  EXPECT_EQ(Rational::fraction(2, 3) * Rational::fraction(9, 4), Rational::fraction(3, 2));
  EXPECT_EQ(Rational(3) / Rational(-6), -half());
}

TEST(Rational, OverflowAbsorbsEverything) {
  const Rational overflow = Rational::overflow();
  EXPECT_TRUE(overflow.is_overflow());
  EXPECT_EQ(overflow + 1, overflow);
  EXPECT_EQ(Rational(1) - overflow, overflow);
  EXPECT_EQ(overflow * 0, overflow);
  EXPECT_EQ(Rational(0) / overflow, overflow);
  EXPECT_EQ(-overflow, overflow);
  EXPECT_EQ(floor(overflow), overflow);
  EXPECT_EQ(power(overflow, 0), overflow);
  EXPECT_EQ(overflow.to_string(), "overflow");
  EXPECT_EQ(overflow.to_int64(), std::nullopt);
}

TEST(Rational, DivisionByZeroIsOverflow) { EXPECT_TRUE((Rational(1) / Rational(0)).is_overflow()); }

TEST(Rational, ResultsBeyond128BitsOverflow) {
  EXPECT_FALSE(power(2, 126).is_overflow());
  EXPECT_TRUE(power(2, 127).is_overflow());
  EXPECT_TRUE((power(2, 126) + power(2, 126)).is_overflow());
  EXPECT_TRUE((Rational::fraction(1, 1) / power(2, 126) / 2).is_overflow());
}

TEST(Rational, LongFactorsCancelBeforeTheyAreMultiplied) {
  EXPECT_EQ(power(2, 100) * (3 / power(2, 100)), Rational(3));
  EXPECT_EQ(Rational::fraction(1, 3) / power(2, 100) + Rational::fraction(2, 3) / power(2, 100),
            1 / power(2, 100));
}

TEST(Rational, ParsesDecimalLiteralsExactly) {
  EXPECT_EQ(Rational::parse("48000"), Rational(48000));
  EXPECT_EQ(Rational::parse("4.5e10"), Rational(45'000'000'000));
  EXPECT_EQ(Rational::parse(".5"), half());
  EXPECT_EQ(Rational::parse("2.5E-1"), Rational::fraction(1, 4));
  EXPECT_EQ(Rational::parse("0.10"), Rational::fraction(1, 10));
  EXPECT_EQ(Rational::parse("1e+3"), Rational(1000));
  EXPECT_EQ(Rational::parse("000"), Rational(0));
  EXPECT_EQ(Rational::parse("0e99999999999"), Rational(0));
}

TEST(Rational, ParseRefusesWhatIsNoDecimal) {
  for (const char* text :
       {"", ".", "e5", "1e", "1e+", "-1", "+1", "1x", "1.2.3", " 1", "0x10", "1,000"}) {
    EXPECT_EQ(Rational::parse(text), std::nullopt) << text;
  }
}

TEST(Rational, LiteralsThatDoNotFitOverflow) {
  EXPECT_EQ(Rational::parse("1e38"), power(10, 38));
  EXPECT_TRUE(Rational::parse("2e38")->is_overflow());
  EXPECT_TRUE(Rational::parse("1e-39")->is_overflow());
  EXPECT_TRUE(Rational::parse("1e999999999999")->is_overflow());
  EXPECT_EQ(Rational::parse("1." + std::string(60, '0')), Rational(1));
}

TEST(Rational, ApproximationsAreShortFractions) {
  EXPECT_EQ(Rational::approximate(0.1), Rational::fraction(1, 10));
  EXPECT_EQ(Rational::approximate(-2.0 / 3.0), Rational::fraction(-2, 3));
  EXPECT_EQ(Rational::approximate(9007199254740992.0), power(2, 53));
  EXPECT_EQ(Rational::approximate(0), Rational(0));
}

TEST(Rational, ApproximatingWhatIsNoNumberOverflows) {
  EXPECT_TRUE(Rational::approximate(std::nan("")).is_overflow());
  EXPECT_TRUE(Rational::approximate(INFINITY).is_overflow());
  EXPECT_TRUE(Rational::approximate(1e300).is_overflow());
  EXPECT_EQ(Rational::approximate(1e-300), Rational(0));
}

TEST(Rational, ToInt64NeedsAnIntegerThatFits) {
  EXPECT_EQ(Rational(kMin64).to_int64(), kMin64);
  EXPECT_EQ(Rational(kMax64).to_int64(), kMax64);
  EXPECT_EQ((Rational(kMax64) + 1).to_int64(), std::nullopt);
  EXPECT_EQ(half().to_int64(), std::nullopt);
}

TEST(Rational, PrintsExactly) {
  EXPECT_EQ(Rational(-7).to_string(), "-7");
  EXPECT_EQ(Rational(0).to_string(), "0");
  EXPECT_EQ(power(10, 38).to_string(), "1" + std::string(38, '0'));
}

TEST(Rational, OrderIsExactWhereDoublesAreEqual) {
  const Rational big = power(2, 120);
  EXPECT_LT(big, big + 1);
  EXPECT_LT(big / (big + 1), (big + 1) / (big + 2));
  EXPECT_GT(-(big / (big + 1)), -((big + 1) / (big + 2)));
  EXPECT_LT(Rational(-1), -half());
}

TEST(Rational, OverflowIsGreaterThanEverything) {
  EXPECT_GT(Rational::overflow(), power(2, 126));
  EXPECT_EQ(Rational::overflow() <=> Rational::overflow(), std::strong_ordering::equal);
}

TEST(Rational, CeilAndFloorRoundTowardsTheirSide) {
  EXPECT_EQ(floor(Rational::fraction(7, 2)), Rational(3));
  EXPECT_EQ(floor(Rational::fraction(-7, 2)), Rational(-4));
  EXPECT_EQ(ceil(Rational::fraction(7, 2)), Rational(4));
  EXPECT_EQ(ceil(Rational::fraction(-7, 2)), Rational(-3));
  EXPECT_EQ(ceil(Rational(5)), Rational(5));
}

TEST(Rational, RoundTakesHalvesToTheEvenOne) {
  EXPECT_EQ(round(Rational::fraction(5, 2)), Rational(2));
  EXPECT_EQ(round(Rational::fraction(7, 2)), Rational(4));
  EXPECT_EQ(round(Rational::fraction(-5, 2)), Rational(-2));
  EXPECT_EQ(round(Rational::fraction(-8, 3)), Rational(-3));
  EXPECT_EQ(round(Rational(5)), Rational(5));
  EXPECT_EQ(round(Rational::overflow()), Rational::overflow());
}

TEST(Rational, PowersOfEitherSign) {
  EXPECT_EQ(power(Rational::fraction(2, 3), 3), Rational::fraction(8, 27));
  EXPECT_EQ(power(2, -3), Rational::fraction(1, 8));
  EXPECT_EQ(power(7, 0), Rational(1));
  EXPECT_EQ(power(1, std::numeric_limits<int>::min()), Rational(1));
  EXPECT_TRUE(power(0, -1).is_overflow());
}

Rational any_fraction() {
  return Rational::fraction(*rc::gen::inRange<std::int64_t>(-1'000'000, 1'000'000),
                            *rc::gen::inRange<std::int64_t>(1, 1'000'000));
}

SHARD_PROPERTY(RationalProperty, ArithmeticIsAField, 20000) {
  const Rational a = any_fraction();
  const Rational b = any_fraction();
  const Rational c = any_fraction();
  RC_ASSERT(a + b - b == a);
  RC_ASSERT(a * (b + c) == a * b + a * c);
  if (!b.is_zero()) RC_ASSERT(a / b * b == a);
}

SHARD_PROPERTY(RationalProperty, OrderAgreesWithSubtraction, 20000) {
  const Rational a = any_fraction();
  const Rational b = any_fraction();
  const Rational difference = a - b;
  RC_ASSERT((a < b) == (difference.numerator() < 0));
  RC_ASSERT((a == b) == difference.is_zero());
}

SHARD_PROPERTY(RationalProperty, ApproximateGivesTheDoubleBack, 20000) {
  const double value = std::ldexp(static_cast<double>(*rc::gen::arbitrary<std::int64_t>()),
                                  *rc::gen::inRange(-115, 60));
  const double back = Rational::approximate(value).to_double();
  RC_ASSERT(std::abs(back - value) <= std::abs(value) * 0x1p-52);
}

SHARD_PROPERTY(RationalProperty, ParseReadsWhatIntegersPrint, 20000) {
  const auto value = *rc::gen::inRange<std::int64_t>(0, kMax64);
  RC_ASSERT(Rational::parse(Rational(value).to_string()) == std::optional<Rational>(value));
}

}  // namespace
}  // namespace shard::rational_test
