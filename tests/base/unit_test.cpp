#include "base/unit.h"

#include <gtest/gtest.h>

namespace shard::unit_test {
namespace {

Rational factor(std::string_view word) { return parse_unit(word).value().factor; }

TEST(ParseUnit, KnowsDecimalAndBinaryPrefixes) {
  EXPECT_EQ(factor("B"), Rational(1));
  EXPECT_EQ(factor("kB"), Rational(1000));
  EXPECT_EQ(factor("GB"), Rational(1'000'000'000));
  EXPECT_EQ(factor("KiB"), Rational(1024));
  EXPECT_EQ(factor("TFLOP"), Rational(1'000'000'000'000));
  EXPECT_EQ(factor("us"), Rational::fraction(1, 1'000'000));
  EXPECT_EQ(factor("µs"), factor("us"));
}

TEST(ParseUnit, KnowsRates) {
  EXPECT_EQ(parse_unit("GB/s")->unit, kBytesPerSecond);
  EXPECT_EQ(parse_unit("TFLOP/s")->unit, kFlopsPerSecond);
  EXPECT_EQ(parse_unit("FLOP/B")->unit, (Unit{-1, 0, 1}));
  EXPECT_EQ(factor("B/ms"), Rational(1000));
}

TEST(ParseUnit, RefusesOtherWords) {
  for (const char* word : {"", "G", "x", "min", "Bs", "B/", "/s", "B/B", "s/s", "ks", "FLOPS"}) {
    EXPECT_FALSE(parse_unit(word).has_value()) << word;
  }
}

TEST(Unit, MultipliesAndDivides) {
  EXPECT_EQ(kBytes / kSeconds, kBytesPerSecond);
  EXPECT_EQ(kBytesPerSecond * kSeconds, kBytes);
  EXPECT_EQ(power(kBytesPerSecond, 2), (Unit{2, -2, 0}));
}

TEST(Unit, PrintsAsItIsWritten) {
  EXPECT_EQ(to_string(kPlain), "");
  EXPECT_EQ(to_string(kFlopsPerSecond), "FLOP/s");
  EXPECT_EQ(to_string(Unit{0, -1, 0}), "1/s");
  EXPECT_EQ(to_string(Unit{2, -1, -1}), "B^2/(FLOP·s)");
}

TEST(Unit, DescribesItselfInWords) {
  EXPECT_EQ(describe(kPlain), "a plain number");
  EXPECT_EQ(describe(kFlops), "FLOPs");
  EXPECT_EQ(describe(Unit{2, 0, 0}), "B^2");
}

}  // namespace
}  // namespace shard::unit_test
