#include "runtime/element/number.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace shard::number_test {
namespace {

float through_bf16(float value) { return to_float(to_bf16(value)); }

template <class To, class From>
std::pair<To, std::uint64_t> converted(From value) {
  std::uint64_t clamped = 0;
  const To result = convert<To>(value, clamped);
  return {result, clamped};
}

TEST(Number, RoundsBf16TiesToEven) {
  EXPECT_EQ(through_bf16(1.0f), 1.0f);
  EXPECT_EQ(through_bf16(1.0f + 0x1p-8f), 1.0f);                // tie: down to the even neighbour
  EXPECT_EQ(through_bf16(1.0f + 3 * 0x1p-8f), 1.0f + 0x1p-6f);  // tie: up to the even neighbour
  EXPECT_EQ(through_bf16(1.0f + 0x1p-8f + 0x1p-20f), 1.0f + 0x1p-7f);
  EXPECT_EQ(through_bf16(-1.0f - 3 * 0x1p-8f), -1.0f - 0x1p-6f);
}

TEST(Number, EveryBf16SurvivesTheWayThroughFp32AndFp64) {
  for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
    const Bf16 value{static_cast<std::uint16_t>(bits)};
    const float wide = to_float(value);
    if (std::isnan(wide)) {
      EXPECT_TRUE(std::isnan(through_bf16(wide)));
      EXPECT_TRUE(std::isnan(to_float(to_bf16(static_cast<double>(wide)))));
    } else {
      ASSERT_EQ(to_bf16(wide).bits, bits);
      ASSERT_EQ(to_bf16(static_cast<double>(wide)).bits, bits);
    }
  }
}

TEST(Number, Bf16KeepsNansInfinitiesAndSignedZeros) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(through_bf16(infinity), infinity);
  EXPECT_EQ(through_bf16(-infinity), -infinity);
  EXPECT_EQ(through_bf16(std::numeric_limits<float>::max()), infinity);
  EXPECT_TRUE(std::signbit(through_bf16(-0.0f)));
  const float nan_with_low_payload = std::bit_cast<float>(0x7f800001u);
  EXPECT_TRUE(std::isnan(through_bf16(nan_with_low_payload)));
}

TEST(Number, RoundsFp64ToBf16OnlyOnce) {
  const double above_tie = 1.0 + 0x1p-8 + 0x1p-40;  // fp32 would make it a tie
  EXPECT_EQ(to_float(to_bf16(above_tie)), 1.0f + 0x1p-7f);
  const double below_tie = 1.0 + 3 * 0x1p-8 - 0x1p-40;
  EXPECT_EQ(to_float(to_bf16(below_tie)), 1.0f + 0x1p-7f);
  EXPECT_EQ(to_float(to_bf16(-above_tie)), -1.0f - 0x1p-7f);
  EXPECT_EQ(to_float(to_bf16(1.0 + 0x1p-8)), 1.0f);
}

TEST(Number, RoundsLargeIntegersToBf16OnlyOnce) {
  EXPECT_EQ(to_float(converted<Bf16>(std::int32_t{(1 << 30) + (1 << 22) + 1}).first),
            0x1p30f + 0x1p23f);
  EXPECT_EQ(to_float(converted<Bf16>(std::int32_t{(1 << 30) + (1 << 22)}).first), 0x1p30f);
}

TEST(Number, Int8SaturatesAndCounts) {
  using Clamped = std::pair<std::int8_t, std::uint64_t>;
  EXPECT_EQ(converted<std::int8_t>(std::int32_t{127}), Clamped(127, 0));
  EXPECT_EQ(converted<std::int8_t>(std::int32_t{128}), Clamped(127, 1));
  EXPECT_EQ(converted<std::int8_t>(std::int32_t{-128}), Clamped(-128, 0));
  EXPECT_EQ(converted<std::int8_t>(std::int32_t{-129}), Clamped(-128, 1));
  EXPECT_EQ(converted<std::int8_t>(127.4f), Clamped(127, 0));
  EXPECT_EQ(converted<std::int8_t>(127.6f), Clamped(127, 1));
  EXPECT_EQ(converted<std::int8_t>(-1e30), Clamped(-128, 1));
}

TEST(Number, RoundsFractionsToIntegersTiesToEven) {
  EXPECT_EQ(converted<std::int8_t>(2.5).first, 2);
  EXPECT_EQ(converted<std::int8_t>(3.5).first, 4);
  EXPECT_EQ(converted<std::int8_t>(-2.5f).first, -2);
}

TEST(Number, ANanBecomesIntegerZeroAndCounts) {
  EXPECT_EQ(converted<std::int8_t>(std::nanf("")), (std::pair<std::int8_t, std::uint64_t>(0, 1)));
  EXPECT_EQ(converted<std::int32_t>(std::nan("")), (std::pair<std::int32_t, std::uint64_t>(0, 1)));
}

TEST(Number, Int32IsClampedAtItsEnds) {
  using Clamped = std::pair<std::int32_t, std::uint64_t>;
  EXPECT_EQ(converted<std::int32_t>(2147483648.0f), Clamped(2147483647, 1));
  EXPECT_EQ(converted<std::int32_t>(2147483647.0), Clamped(2147483647, 0));
  EXPECT_EQ(converted<std::int32_t>(-2147483648.0f),
            Clamped(std::numeric_limits<std::int32_t>::min(), 0));
}

TEST(Number, ElementsOfEveryTypeReadBackAsWritten) {
  for (DType dtype : {DType::Fp64, DType::Fp32, DType::Bf16, DType::Int32, DType::Int8}) {
    std::array<std::byte, 4 * sizeof(double)> buffer{};
    EXPECT_FALSE(write_element(buffer.data(), dtype, 2, -7.0)) << name_of(dtype);
    EXPECT_EQ(read_element(buffer.data(), dtype, 2), -7.0) << name_of(dtype);
    EXPECT_EQ(read_element(buffer.data(), dtype, 1), 0.0) << name_of(dtype);
    EXPECT_EQ(read_element(buffer.data(), dtype, 3), 0.0) << name_of(dtype);
  }
}

TEST(Number, WritingSaysWhetherItClamped) {
  std::byte cell{};
  EXPECT_TRUE(write_element(&cell, DType::Int8, 0, 1000.0));
  EXPECT_EQ(read_element(&cell, DType::Int8, 0), 127.0);
}

// Every pattern is read exactly and written back as itself.
template <class T>
void survives_fp64() {
  constexpr std::uint32_t kPatterns = std::uint32_t{1} << (8 * sizeof(T));
  for (std::uint32_t bits = 0; bits < kPatterns; ++bits) {
    const T value{static_cast<typename T::Bits>(bits)};
    const auto [wide, clamped] = converted<double>(value);
    const auto [back, more] = converted<T>(wide);
    if (std::isnan(wide))
      ASSERT_TRUE(std::isnan(to_double(back)));
    else
      ASSERT_EQ(back.bits, bits);
  }
}

TEST(Number, EverySmallFloatSurvivesTheWayThroughFp64) {
  survives_fp64<Fp16>();
  survives_fp64<Fp8E4M3>();
  survives_fp64<Fp8E5M2>();
}

template <class T>
double through(double value) {
  return to_double(converted<T>(value).first);
}

TEST(Number, SmallFloatsRoundTiesToEven) {
  EXPECT_EQ(through<Fp16>(1 + 0x1p-11), 1);
  EXPECT_EQ(through<Fp16>(1 + 3 * 0x1p-11), 1 + 0x1p-9);
  EXPECT_EQ(through<Fp16>(1 + 0x1p-11 + 0x1p-40), 1 + 0x1p-10);
  EXPECT_EQ(through<Fp8E4M3>(17), 16);
  EXPECT_EQ(through<Fp8E4M3>(19), 20);
  EXPECT_EQ(through<Fp8E5M2>(9), 8);
  EXPECT_EQ(through<Fp8E5M2>(-11), -12);
}

TEST(Number, SmallFloatsHaveSubnormals) {
  EXPECT_EQ(through<Fp16>(0x1p-24), 0x1p-24);
  EXPECT_EQ(through<Fp16>(0x1p-25), 0);
  EXPECT_EQ(through<Fp16>(3 * 0x1p-26), 0x1p-24);
  EXPECT_EQ(through<Fp8E4M3>(0x1p-9), 0x1p-9);
  EXPECT_EQ(through<Fp8E5M2>(0x1p-16), 0x1p-16);
  EXPECT_TRUE(std::signbit(through<Fp8E5M2>(-0x1p-30)));
}

// E4M3 has no infinity: what is too large is no number (OCP 8-bit floating point, "FP8 formats").
TEST(Number, SmallFloatsEndWhereTheirFormatsDo) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(through<Fp16>(65504), 65504);
  EXPECT_EQ(through<Fp16>(65519), 65504);
  EXPECT_EQ(through<Fp16>(65520), infinity);
  EXPECT_EQ(through<Fp8E5M2>(57344), 57344);
  EXPECT_EQ(through<Fp8E5M2>(-1e6), -infinity);
  EXPECT_EQ(through<Fp8E4M3>(448), 448);
  EXPECT_EQ(through<Fp8E4M3>(463), 448);
  EXPECT_TRUE(std::isnan(through<Fp8E4M3>(480)));
  EXPECT_TRUE(std::isnan(through<Fp8E4M3>(infinity)));
}

TEST(Number, Int4AndUnsignedIntegersAreClamped) {
  EXPECT_EQ(converted<Int4>(7.4).first.value, 7);
  EXPECT_EQ(converted<Int4>(7.4).second, 0U);
  EXPECT_EQ(converted<Int4>(8.0).first.value, 7);
  EXPECT_EQ(converted<Int4>(-9.0).first.value, -8);
  EXPECT_EQ(converted<Int4>(300.0).second, 1U);
  EXPECT_EQ(converted<std::uint32_t>(std::int32_t{-1}).first, 0U);
  EXPECT_EQ(converted<std::uint32_t>(std::int32_t{-1}).second, 1U);
  EXPECT_EQ(converted<std::int32_t>(std::uint32_t{4'000'000'000U}).second, 1U);
}

}  // namespace
}  // namespace shard::number_test
