#include "interpreter/ir/value.h"

#include <gtest/gtest.h>

namespace shard::value_test {
namespace {

std::string text(const Formula& formula, const Unit& unit) {
  return to_text(Quantity{formula, unit});
}
Formula symbol(const std::string& name) { return Formula(Amount::symbol(name)); }

TEST(QuantityText, HasFourDigitsAndAUnit) {
  EXPECT_EQ(text(Formula(Rational::fraction(233, 10'000'000)), kSeconds), "23.30 us");
  EXPECT_EQ(text(Formula(33'554'432), kBytes), "33.55 MB");
  EXPECT_EQ(text(Formula(2'000'000'000), kFlops), "2.000 GFLOPs");
  EXPECT_EQ(text(Formula(45'000'000'000), kBytesPerSecond), "45.00 GB/s");
}

TEST(QuantityText, OfZero) {
  EXPECT_EQ(text(Formula(0), kPlain), "0");
  EXPECT_EQ(text(Formula(0), kSeconds), "0 s");
}

TEST(QuantityText, OfMissingSizesIsAFormulaWithItsUnit) {
  EXPECT_EQ(text(Formula(8) * symbol("D") * symbol("F"), kBytes), "8·D·F B");
  EXPECT_EQ(text(Formula(2) * symbol("B") / symbol("X"), kFlops), "2·B / X FLOPs");
  EXPECT_EQ(text(symbol("B"), kPlain), "B");
}

TEST(ValueText, OfTruths) {
  EXPECT_EQ(to_text(Value(Truth{true})), "true");
  EXPECT_EQ(to_text(Value(Truth{false})), "false");
  EXPECT_EQ(to_text(Value(Truth{})), "undecided");
}

TEST(ValueText, OfWords) { EXPECT_EQ(to_text(Value(Word{"memory"})), "memory"); }

}  // namespace
}  // namespace shard::value_test
