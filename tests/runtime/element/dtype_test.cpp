#include "runtime/element/dtype.h"

#include <gtest/gtest.h>

#include <array>

namespace shard::dtype_test {
namespace {

constexpr std::array kAll{DType::Fp64,    DType::Fp32,  DType::Bf16,   DType::Fp16, DType::Fp8E4M3,
                          DType::Fp8E5M2, DType::Int32, DType::UInt32, DType::Int8, DType::Int4};

TEST(DType, Bytes) {
  EXPECT_EQ(bytes_of(DType::Fp32), Rational(4));
  EXPECT_EQ(bytes_of(DType::Bf16), Rational(2));
  EXPECT_EQ(bytes_of(DType::Int4), Rational::fraction(1, 2));
}

TEST(DType, EveryCanonicalNameParsesBack) {
  for (const DType dtype : kAll) EXPECT_EQ(parse_dtype(name_of(dtype)), dtype) << name_of(dtype);
}

TEST(DType, OtherSpellingsInAnyCase) {
  EXPECT_EQ(parse_dtype("bfloat16"), DType::Bf16);
  EXPECT_EQ(parse_dtype("BF16"), DType::Bf16);
  EXPECT_EQ(parse_dtype("f32"), DType::Fp32);
  EXPECT_EQ(parse_dtype("Float32"), DType::Fp32);
  EXPECT_EQ(parse_dtype("s8"), DType::Int8);
  EXPECT_EQ(parse_dtype("f8E5M2"), DType::Fp8E5M2);
  EXPECT_EQ(parse_dtype("bf17"), std::nullopt);
}

TEST(DType, AccumulatesInAWiderType) {
  EXPECT_EQ(accumulation_type(DType::Bf16), DType::Fp32);
  EXPECT_EQ(accumulation_type(DType::Fp8E4M3), DType::Fp32);
  EXPECT_EQ(accumulation_type(DType::Int8), DType::Fp64);
  EXPECT_EQ(accumulation_type(DType::Int32), DType::Fp64);
  EXPECT_EQ(accumulation_type(DType::Fp64), DType::Fp64);
  for (const DType dtype : kAll) {
    EXPECT_GE(bytes_of(accumulation_type(dtype)), bytes_of(dtype)) << name_of(dtype);
    EXPECT_FALSE(is_integer(accumulation_type(dtype))) << name_of(dtype);
  }
}

// As in JAX, but for fp8, which JAX promotes to nothing.
TEST(DType, ThePromotedTypeIsTheNarrowestThatHoldsBoth) {
  EXPECT_EQ(common_type(DType::Bf16, DType::Fp32), DType::Fp32);
  EXPECT_EQ(common_type(DType::Fp16, DType::Fp32), DType::Fp32);
  EXPECT_EQ(common_type(DType::Bf16, DType::Fp16), DType::Fp32);
  EXPECT_EQ(common_type(DType::Fp32, DType::Fp64), DType::Fp64);
  EXPECT_EQ(common_type(DType::Fp8E4M3, DType::Bf16), DType::Bf16);
  EXPECT_EQ(common_type(DType::Fp8E5M2, DType::Fp16), DType::Fp16);
  EXPECT_EQ(common_type(DType::Fp8E4M3, DType::Fp8E5M2), std::nullopt);
  EXPECT_EQ(common_type(DType::UInt32, DType::Int32), DType::Int32);
  EXPECT_EQ(common_type(DType::Int8, DType::UInt32), DType::Int32);
  for (const DType a : kAll) {
    EXPECT_EQ(common_type(a, a), a);
    for (const DType b : kAll) {
      EXPECT_EQ(common_type(a, b), common_type(b, a)) << name_of(a) << " " << name_of(b);
    }
  }
}

TEST(DType, UnitRoundoffIsHalfTheGapAboveOne) {
  EXPECT_EQ(unit_roundoff(DType::Fp32), 0x1p-24);
  EXPECT_EQ(unit_roundoff(DType::Bf16), 0x1p-8);
  EXPECT_EQ(unit_roundoff(DType::Int8), 0.0);
}

}  // namespace
}  // namespace shard::dtype_test
