#include "base/format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace shard::format_test {
namespace {

TEST(FormatBytes, CountsBelowAKilobyteAreExact) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(512), "512 B");
  EXPECT_EQ(format_bytes(999), "999 B");
}

TEST(FormatBytes, HalfAByteKeepsItsFraction) { EXPECT_EQ(format_bytes(0.5), "0.5000 B"); }

TEST(FormatBytes, DecimalUnitsWithFourDigits) {
  EXPECT_EQ(format_bytes(1000), "1.000 kB");
  EXPECT_EQ(format_bytes(33554432), "33.55 MB");
  EXPECT_EQ(format_bytes(96e9), "96.00 GB");
  EXPECT_EQ(format_bytes(1.5e12), "1.500 TB");
}

TEST(FormatBytes, RoundingMayReachTheNextUnit) {
  EXPECT_EQ(format_bytes(999'949), "999.9 kB");
  EXPECT_EQ(format_bytes(999'960), "1.000 MB");
}

TEST(FormatSeconds, UnitFitsTheTime) {
  EXPECT_EQ(format_seconds(23.3e-6), "23.30 us");
  EXPECT_EQ(format_seconds(5.965e-3), "5.965 ms");
  EXPECT_EQ(format_seconds(2.395), "2.395 s");
  EXPECT_EQ(format_seconds(559.2e-6), "559.2 us");
  EXPECT_EQ(format_seconds(1e-6), "1.000 us");
  EXPECT_EQ(format_seconds(12.5e-9), "12.50 ns");
  EXPECT_EQ(format_seconds(12.5e-12), "12.50 ps");
}

TEST(FormatSeconds, ZeroHasNoDigits) { EXPECT_EQ(format_seconds(0), "0 s"); }

TEST(FormatSeconds, NegativeDifferencesKeepTheirUnit) {
  EXPECT_EQ(format_seconds(-23.3e-6), "-23.30 us");
}

TEST(FormatSeconds, InfiniteTimesAreSaid) {
  EXPECT_EQ(format_seconds(std::numeric_limits<double>::infinity()), "inf s");
}

TEST(FormatFlops, PrefixesInsteadOfExponents) {
  EXPECT_EQ(format_flops(512), "512 FLOPs");
  EXPECT_EQ(format_flops(137438953472.0), "137.4 GFLOPs");
  EXPECT_EQ(format_flops(2199023255552.0), "2.199 TFLOPs");
  EXPECT_EQ(format_flops(6.3e24), "6.300 YFLOPs");
}

TEST(FormatNumber, IntegersPrintWhole) {
  EXPECT_EQ(format_number(0), "0");
  EXPECT_EQ(format_number(-0.0), "0");
  EXPECT_EQ(format_number(1048576), "1,048,576");
  EXPECT_EQ(format_number(-1000), "-1,000");
  EXPECT_EQ(format_number(999'999'999'999'999), "999,999,999,999,999");
}

TEST(FormatNumber, OthersHaveFourDigitsAndNoIdleZeros) {
  EXPECT_EQ(format_number(13.6912), "13.69");
  EXPECT_EQ(format_number(0.5), "0.5");
  EXPECT_EQ(format_number(2.5e-7), "2.5e-07");
  EXPECT_EQ(format_number(1e15), "1e+15");
}

TEST(FormatInteger, CommasEveryThreeDigits) {
  EXPECT_EQ(format_integer(0), "0");
  EXPECT_EQ(format_integer(999), "999");
  EXPECT_EQ(format_integer(1000), "1,000");
  EXPECT_EQ(format_integer(-123), "-123");
  EXPECT_EQ(format_integer(-123456), "-123,456");
  EXPECT_EQ(format_integer(268435456), "268,435,456");
}

TEST(FormatSignificant, FourDigitsWithTheirZeros) {
  EXPECT_EQ(format_significant(23.3), "23.30");
  EXPECT_EQ(format_significant(559.2), "559.2");
  EXPECT_EQ(format_significant(1234), "1234");
  EXPECT_EQ(format_significant(0.001234), "0.001234");
  EXPECT_EQ(format_significant(9.9996), "10.00");
  EXPECT_EQ(format_significant(0), "0");
}

TEST(FormatSignificant, FarFromOneAnExponentSaysIt) {
  EXPECT_EQ(format_significant(123456), "1.235e+05");
  EXPECT_EQ(format_significant(0.00001), "1.000e-05");
  EXPECT_EQ(format_significant(9999.6), "1.000e+04");
}

TEST(Columns, CodePointsCountOnce) {
  EXPECT_EQ(display_width("A[I_X] · B → C"), 14U);
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(coloured_width("\033[1;31merror:\033[0m A → B"), 12U);
}

TEST(Columns, PaddingFillsUpToTheWidth) {
  EXPECT_EQ(pad_right("→", 3), "→  ");
  EXPECT_EQ(pad_left("·_J", 5), "  ·_J");
}

TEST(Columns, LongTextIsNeverCut) {
  EXPECT_EQ(pad_left("abcd", 3), "abcd");
  EXPECT_EQ(pad_right("abcd", 3), "abcd");
}

}  // namespace
}  // namespace shard::format_test
