#include "runtime/algebra/amount.h"

#include "tests/property.h"

namespace shard::amount_test {
namespace {

const Amount kB = Amount::symbol("B");
const Amount kD = Amount::symbol("D");
const Amount kF = Amount::symbol("F");
const Amount kX = Amount::symbol("X");
const Amount kY = Amount::symbol("Y");

Amount half() { return Rational::fraction(1, 2); }

TEST(Amount, EqualPolynomialsAreEqualValues) {
  EXPECT_EQ(kB * kD + kD * kB, Amount(2) * kD * kB);
  EXPECT_EQ((kB + kD) * (kB - kD), kB * kB - kD * kD);
  EXPECT_EQ(kB / kX * kX, kB);
  EXPECT_EQ(kB - kB, Amount());
  EXPECT_NE(kB, kD);
}

TEST(Amount, PrintsNumeratorOverDenominator) {
  EXPECT_EQ((Amount(2) * kB * kD * kF / (kX * kY)).to_string(), "2·B·D·F / (X·Y)");
  EXPECT_EQ((kB * kD / kX).to_string(), "B·D / X");
  EXPECT_EQ((Amount(1) / kX).to_string(), "1 / X");
  EXPECT_EQ((Amount(3) * kB * kB * kB).to_string(), "3·B^3");
}

TEST(Amount, PrintsFractionsWhereTheyReadBest) {
  EXPECT_EQ((half() * kB).to_string(), "1/2·B");
  EXPECT_EQ((half() * kB / kX).to_string(), "B / (2·X)");
  EXPECT_EQ(half().to_string(), "1/2");
}

TEST(Amount, PrintsTermsOfHigherDegreeAndLaterSymbolsFirst) {
  EXPECT_EQ((Amount(4) * kB * kD / kX + Amount(4) * kD * kF / kY).to_string(),
            "4·D·F / Y + 4·B·D / X");
  EXPECT_EQ((Amount(1) + kX).to_string(), "X + 1");
  EXPECT_EQ((kX - Amount(1)).to_string(), "X - 1");
  EXPECT_EQ((kB - kB / kX).to_string(), "B - B / X");
  EXPECT_EQ((-kB).to_string(), "-B");
}

TEST(Amount, PrintsNumbersExactlyAndWithoutCommas) {
  EXPECT_EQ(Amount().to_string(), "0");
  EXPECT_EQ(Amount(33'554'432).to_string(), "33554432");
  EXPECT_EQ((Amount(33'554'432) * kB).to_string(), "33554432·B");
}

TEST(Amount, KeepsSymbolsInBars) { EXPECT_EQ((kB / Amount::symbol("|X|")).to_string(), "B / |X|"); }

TEST(Amount, SubstitutesWhatIsGiven) {
  const Amount flops = Amount(2) * kB * kD / kX;
  EXPECT_EQ(flops.substitute({{"B", 8}, {"X", 4}}), Amount(4) * kD);
  EXPECT_EQ(flops.substitute({{"B", 8}, {"D", 2}, {"X", 4}}).constant(), Rational(8));
  EXPECT_EQ(flops.constant(), std::nullopt);
}

TEST(Amount, SymbolsAreSortedAndOccurOnce) {
  EXPECT_EQ((kD * kB + kD / kX).symbols(), (std::vector<std::string>{"B", "D", "X"}));
  EXPECT_TRUE(Amount(3).symbols().empty());
}

TEST(Amount, DivisionByZeroOverflows) {
  EXPECT_TRUE((kB / Amount(0)).constant()->is_overflow());
  EXPECT_TRUE((kB / kX).substitute({{"X", 0}}).terms()[0].coefficient.is_overflow());
}

TEST(Amount, ExponentsBeyondAllReasonOverflow) {
  Amount amount = kB;
  for (int i = 0; i < 40; ++i) amount = amount * amount;
  EXPECT_TRUE(amount.terms()[0].coefficient.is_overflow());
}

TEST(Amount, Powers) {
  EXPECT_EQ(power(kB + kD, 2), kB * kB + Amount(2) * kB * kD + kD * kD);
  EXPECT_EQ(power(Amount(2) * kB, -2), Amount(1) / (Amount(4) * kB * kB));
  EXPECT_EQ(power(kB, 0), Amount(1));
}

// A handful of symbols and small numbers, so that terms meet and cancel.
Amount random_amount() {
  Amount result;
  const int terms = *rc::gen::inRange(0, 4);
  for (int t = 0; t < terms; ++t) {
    Amount term = Rational::fraction(*rc::gen::inRange(-3, 4), *rc::gen::inRange(1, 4));
    for (const Amount& symbol : {kB, kD, kX}) term = term * power(symbol, *rc::gen::inRange(-2, 3));
    result = result + term;
  }
  return result;
}

Values random_values() {
  Values values;
  for (const char* name : {"B", "D", "X"}) values[name] = *rc::gen::inRange(1, 9);
  return values;
}

SHARD_PROPERTY(Amount, IsACommutativeRing, 500) {
  const Amount a = random_amount();
  const Amount b = random_amount();
  const Amount c = random_amount();
  RC_ASSERT(a + b == b + a);
  RC_ASSERT(a * b == b * a);
  RC_ASSERT((a + b) + c == a + (b + c));
  RC_ASSERT((a * b) * c == a * (b * c));
  RC_ASSERT(a * (b + c) == a * b + a * c);
  RC_ASSERT(a - a == Amount());
  RC_ASSERT(a * Amount(1) == a);
  RC_ASSERT(a * Amount(0) == Amount());
}

SHARD_PROPERTY(Amount, SubstitutionIsAHomomorphism, 500) {
  const Amount a = random_amount();
  const Amount b = random_amount();
  const Values values = random_values();
  const auto at = [&](const Amount& amount) { return *amount.substitute(values).constant(); };
  RC_ASSERT(at(a + b) == at(a) + at(b));
  RC_ASSERT(at(a - b) == at(a) - at(b));
  RC_ASSERT(at(a * b) == at(a) * at(b));
}

SHARD_PROPERTY(Amount, SubstitutingStepByStepIsSubstitutingAtOnce, 300) {
  const Amount a = random_amount();
  const Values values = random_values();
  Amount stepwise = a;
  for (const auto& [name, value] : values) stepwise = stepwise.substitute({{name, value}});
  RC_ASSERT(stepwise == a.substitute(values));
}

SHARD_PROPERTY(Amount, DividingByAMonomialUndoesMultiplying, 300) {
  const Amount a = random_amount();
  const Amount monomial =
      Amount(*rc::gen::inRange(1, 5)) * power(kB, *rc::gen::inRange(-2, 3)) / kX;
  RC_ASSERT(a * monomial / monomial == a);
}

}  // namespace
}  // namespace shard::amount_test
