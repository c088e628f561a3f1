#include "runtime/algebra/formula.h"

#include <cmath>

#include "tests/property.h"

namespace shard::formula_test {
namespace {

using Op = Formula::Op;

const Formula kB = Formula::symbol("B");
const Formula kD = Formula::symbol("D");
const Formula kF = Formula::symbol("F");
const Formula kX = Formula::symbol("X");
const Formula kY = Formula::symbol("Y");
const Formula kW = Formula::symbol("W");
const Formula kHop = Rational::fraction(1, 1'000'000);

Formula number(std::int64_t value) { return value; }
Formula half() { return Rational::fraction(1, 2); }
// AllGather of 2·D·F bytes over X.
Formula gather_time() { return max(kHop * ceil(kX / number(2)), number(2) * kD * kF / kW); }

TEST(Formula, ArithmeticOnAmountsStaysAnAmount) {
  const Formula formula = number(2) * kB * kD / kX + kF;
  ASSERT_EQ(formula.op(), Op::Amount);
  EXPECT_EQ(formula.to_string(), "2·B·D / X + F");
}

TEST(Formula, AddingTheSameTimeTwiceDoublesIt) {
  EXPECT_EQ(gather_time() + gather_time(), number(2) * gather_time());
  EXPECT_EQ((gather_time() + gather_time()).to_string(), "2·max(2·D·F / W, 1e-06·⌈X / 2⌉)");
  EXPECT_TRUE((gather_time() - gather_time()).is_zero());
}

TEST(Formula, SumsCollectAmountsAndEqualFactors) {
  const Formula time = gather_time();
  EXPECT_EQ(kB + time + kD - kB + time, kD + number(2) * time);
  EXPECT_EQ(kB * time + kD * time, (kB + kD) * time);
}

TEST(Formula, ProductsMultiplyOut) {
  const Formula time = gather_time();
  EXPECT_EQ((time + kB) * (time - kB), time * time - kB * kB);
  EXPECT_EQ(number(3) * (kB + time), number(3) * kB + number(3) * time);
}

TEST(Formula, QuotientsCancel) {
  const Formula time = gather_time();
  EXPECT_EQ(time / time, number(1));
  EXPECT_EQ((kB + time) / (kB + time), number(1));
  EXPECT_EQ(kB * (kB + time) / (kB + time), kB);
  EXPECT_EQ((number(2) * kB + number(2) * kD) / (kB + kD), number(2));
  EXPECT_EQ((number(1) / (number(3) * kD + number(2) * kB)).to_string(), "1 / (3·D + 2·B)");
  EXPECT_EQ((kB / (number(2) * time)).to_string(), "B / (2·max(2·D·F / W, 1e-06·⌈X / 2⌉))");
}

TEST(Formula, MaximumOfNumbersIsANumber) {
  EXPECT_EQ(max(number(2), number(3)), number(3));
  EXPECT_EQ(min(number(2), half()), half());
}

TEST(Formula, MaximaAreFlatAndWithoutRepetition) {
  const Formula nested = max(max(kB, kD), max(kD, kF));
  EXPECT_EQ(nested.arguments().size(), 3U);
  EXPECT_EQ(nested, max(kF, max(kB, kD)));
  EXPECT_EQ(min(min(kB, kD), kB), min(kB, kD));
}

TEST(Formula, MaximumDropsWhatIsNeverLarger) {
  EXPECT_EQ(max(number(0), gather_time()), gather_time());
  EXPECT_EQ(max(number(2) * kB, kB), number(2) * kB);
  EXPECT_EQ(max(kB + kD, kB), kB + kD);
  EXPECT_EQ(min(gather_time() + kB, gather_time()), gather_time());
  EXPECT_EQ(max(kB - kD, number(0)).op(), Op::Max) << "the sign of B - D is not known";
}

TEST(Formula, CeilingOfWholeSizesIsNone) {
  EXPECT_EQ(ceil(kB * kD + number(3)), kB * kD + number(3));
  EXPECT_EQ(ceil(ceil(kB / kD)), ceil(kB / kD));
  EXPECT_EQ(ceil(kB / kD).op(), Op::Ceil);
  EXPECT_EQ(ceil(half() * kB).op(), Op::Ceil);
  EXPECT_EQ(floor(half() + number(3)), number(3));
  EXPECT_EQ(ceil(half() + number(3)), number(4));
  EXPECT_EQ(round(kB + number(3)), kB + number(3));
  EXPECT_EQ(round(half() * kB).op(), Op::Round);
}

TEST(Formula, RootsAreTakenWhereTheyComeOut) {
  EXPECT_EQ(sqrt(number(144)), number(12));
  EXPECT_EQ(sqrt(Formula(Rational::fraction(9, 4))), Formula(Rational::fraction(3, 2)));
  EXPECT_EQ(sqrt(number(4) * kB * kB), number(2) * kB);
  EXPECT_EQ(sqrt(kB * kB * kB).to_string(), "B·sqrt(B)");
  EXPECT_EQ(sqrt(kB + kD) * sqrt(kB + kD), kB + kD);
  EXPECT_EQ(sqrt(kB / kD) * sqrt(kB / kD), kB / kD);
  EXPECT_TRUE(sqrt(number(-1)).constant()->is_overflow());
}

TEST(Formula, LogarithmsOfPowersOfTwoAreExact) {
  EXPECT_EQ(log2(number(1024)), number(10));
  EXPECT_EQ(log2(half()), number(-1));
  EXPECT_TRUE(log2(number(0)).constant()->is_overflow());
}

TEST(Formula, Powers) {
  EXPECT_EQ(power(kB + kD, number(2)), kB * kB + number(2) * kB * kD + kD * kD);
  EXPECT_EQ(power(kB, half()), sqrt(kB));
  EXPECT_EQ(power(number(2), kX).to_string(), "2^X");
  EXPECT_EQ(power(number(2), kX).substitute({{"X", 10}}), number(1024));
  EXPECT_EQ(power(gather_time(), number(-1)), number(1) / gather_time());
  EXPECT_EQ(power(number(2), number(-3)), Formula(Rational::fraction(1, 8)));
}

TEST(Formula, PowersThatAreTooLongStayPowers) {
  const Formula power_of_sum = power(kB + kD + kF + kX, number(40));
  EXPECT_EQ(power_of_sum.op(), Op::Power);
  EXPECT_EQ(power_of_sum.substitute({{"B", 1}, {"D", 1}, {"F", 0}, {"X", 0}}),
            number(1'099'511'627'776));
}

TEST(Formula, DivisionByZeroOverflows) {
  EXPECT_TRUE((kB / number(0)).constant()->is_overflow());
  EXPECT_TRUE((gather_time() / (kB - kB)).constant()->is_overflow());
}

TEST(Formula, SubstitutingAllSizesGivesANumber) {
  const Formula formula =
      (gather_time() + sqrt(kB + kD) * log2(kY)) / power(kX, half()) + floor(kB / kD);
  const Values sizes{{"B", 7}, {"D", 2}, {"F", 5}, {"X", 3}, {"Y", 8}, {"W", 90}};
  const auto value = formula.substitute(sizes).constant();
  ASSERT_TRUE(value.has_value());
  EXPECT_NEAR(value->to_double(), (20.0 / 90 + 3 * 3) / std::sqrt(3.0) + 3, 1e-12);
}

TEST(Formula, SubstitutingSomeKeepsTheRest) {
  EXPECT_EQ(gather_time().substitute({{"X", 4}, {"W", 100}}).to_string(), "max(2e-06, 1/50·D·F)");
}

TEST(Formula, SymbolsAreSortedAndOccurOnce) {
  EXPECT_EQ((gather_time() + kD).symbols(), (std::vector<std::string>{"D", "F", "W", "X"}));
}

TEST(Formula, PrintsNumbersPlainly) {
  EXPECT_EQ(kHop.to_string(), "1e-06");
  EXPECT_EQ(half().to_string(), "1/2");
  EXPECT_EQ(number(4096).to_string(), "4096");
  EXPECT_EQ(number(90'000'000'000).to_string(), "9e+10");
  EXPECT_EQ(number(33'554'432).to_string(), "33554432") << "6 digits would round it";
  EXPECT_EQ((kB / number(459'000'000'000'000)).to_string(), "2.17865e-15·B");
}

TEST(Formula, PrintsCeilingsAsTheDocumentsDo) {
  EXPECT_EQ(ceil(number(2) * kB / number(3)).to_string(), "⌈2·B / 3⌉");
  EXPECT_EQ(ceil(kB / kX).to_string(), "⌈B / X⌉");
  EXPECT_EQ(ceil(kB / kX + half()).to_string(), "⌈B / X + 1/2⌉");
  EXPECT_EQ(ceil(sqrt(kB)).to_string(), "⌈sqrt(B)⌉");
}

TEST(Formula, PrintsACommonFactorOnce) {
  const Formula hops = kHop * ceil(kX / number(2)) + kHop * ceil(kY / number(2));
  EXPECT_EQ(hops.to_string(), "1e-06·(⌈X / 2⌉ + ⌈Y / 2⌉)");
}

TEST(Formula, EqualityIsDecidedWhereItCanBeShown) {
  EXPECT_EQ(decide_equal(kB * kD, kD * kB), true);
  EXPECT_EQ(decide_equal(kB, kD), false);
  EXPECT_EQ(decide_equal(gather_time() + gather_time(), number(2) * gather_time()), true);
  EXPECT_EQ(decide_equal(gather_time(), number(2) * gather_time()), false);
  EXPECT_EQ(decide_equal(max(kB, kD) + min(kB, kD), kB + kD), std::nullopt)
      << "equal, but by no rule";
}

// Formulas over three symbols, built by every operation, and their values at one point beside them.
struct Built {
  Formula formula;
  double value;
};

const Values kPoint{{"B", 6}, {"D", 5}, {"X", 4}};

Built leaf() {
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      return {kB, 6};
    case 1:
      return {kD, 5};
    case 2:
      return {kX, 4};
    default:
      break;
  }
  const int value = *rc::gen::inRange(1, 5);
  return {number(value), static_cast<double>(value)};
}

Built random_formula(int depth) {
  if (depth == 0) return leaf();
  const Built a = random_formula(depth - 1);
  const Built b = random_formula(depth - 1);
  switch (*rc::gen::inRange(0, 9)) {
    case 0:
      return {a.formula + b.formula, a.value + b.value};
    case 1:
      return {a.formula - b.formula, a.value - b.value};
    case 2:
      return {a.formula * b.formula, a.value * b.value};
    case 3:
      return std::abs(b.value) < 1e-6 ? a : Built{a.formula / b.formula, a.value / b.value};
    case 4:
      return {max(a.formula, b.formula), std::max(a.value, b.value)};
    case 5:
      return {min(a.formula, b.formula), std::min(a.value, b.value)};
    case 6:
      return a.value < 0 ? b : Built{sqrt(a.formula), std::sqrt(a.value)};
    case 7:
      return a.value < 1e-6 ? b : Built{log2(a.formula), std::log2(a.value)};
    default:
      return {power(a.formula, number(2)), a.value * a.value};
  }
}

bool near(double a, double b) {
  return std::abs(a - b) <= 1e-7 * (1 + std::max(std::abs(a), std::abs(b)));
}

// The exact difference of two rounded numbers may not fit.
TEST(Formula, MaxAndMinOfRoundedNumbers) {
  const Formula root = number(12) + sqrt(number(6));
  const Formula large = power(log2(number(6)), number(4));
  EXPECT_EQ(max(root, large), large);
  EXPECT_EQ(max(large, root), large);
  EXPECT_EQ(min(root, large), root);
  EXPECT_EQ(min(large, root), root);
}

// What folding does must not change what a formula means.
SHARD_PROPERTY(Formula, FoldingKeepsTheValue, 2000) {
  const Built built = random_formula(*rc::gen::inRange(1, 5));
  const auto value = built.formula.substitute(kPoint).constant();
  RC_ASSERT(value.has_value());
  RC_LOG() << built.formula.to_string() << "\n";
  RC_ASSERT(value->is_overflow() || near(value->to_double(), built.value));
}

SHARD_PROPERTY(Formula, CanonicalFormDoesNotDependOnOrder, 500) {
  const Formula a = random_formula(3).formula;
  const Formula b = random_formula(3).formula;
  const Formula c = random_formula(2).formula;
  RC_ASSERT(a + b == b + a);
  RC_ASSERT(a * b == b * a);
  RC_ASSERT(max(a, b) == max(b, a));
  RC_ASSERT((a + b) + c == a + (b + c));
  RC_ASSERT(max(max(a, b), c) == max(a, max(b, c)));
  RC_ASSERT((a - a).is_zero());
}

}  // namespace
}  // namespace shard::formula_test
