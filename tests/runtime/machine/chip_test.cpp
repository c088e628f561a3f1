#include "runtime/machine/chip.h"

#include "tests/runtime/support/machines.h"

namespace shard::chip_test {
namespace {

using testing::tpu_v5e;

TEST(Chip, WithoutFiguresHasSymbols) {
  const Chip chip = unknown_chip();
  EXPECT_EQ(rate_of(chip, DType::Bf16).flops_per_second, Formula::symbol("C"));
  EXPECT_EQ(axis_bandwidth(chip), Formula::symbol("W"));
  EXPECT_EQ(one_way_bandwidth(chip), Formula::symbol("W") / Formula(2));
  EXPECT_EQ(hbm_bandwidth(chip), Formula::symbol("W_hbm"));
  EXPECT_EQ(dcn_bandwidth(chip), Formula::symbol("W_dcn"));
}

TEST(Chip, AnAxisHasBothDirectionsOfItsLinks) {
  EXPECT_EQ(one_way_bandwidth(tpu_v5e()), Formula(45'000'000'000));
  EXPECT_EQ(axis_bandwidth(tpu_v5e()), Formula(90'000'000'000));
}

TEST(Chip, RatesAreByDType) {
  const Rate rate = rate_of(tpu_v5e(), DType::Int8);
  EXPECT_EQ(rate.flops_per_second, Formula(394'000'000'000'000));
  EXPECT_FALSE(rate.borrowed);
}

TEST(Chip, ADTypeWithoutARateBorrowsThatOfBf16) {
  const Rate rate = rate_of(tpu_v5e(), DType::Fp32);
  EXPECT_EQ(rate.flops_per_second, Formula(197'000'000'000'000));
  EXPECT_EQ(rate.borrowed, DType::Fp32);
}

TEST(Chip, BothFormatsOfFp8RunAtTheOneFigure) {
  Chip chip = tpu_v5e();
  chip.rates[DType::Fp8E4M3] = 5;
  EXPECT_EQ(rate_of(chip, DType::Fp8E5M2).flops_per_second, Formula(5));
  EXPECT_FALSE(rate_of(chip, DType::Fp8E5M2).borrowed);
}

TEST(Chip, IntegersOf32BitsRunAtTheOneFigure) {
  Chip chip = tpu_v5e();
  EXPECT_EQ(rate_of(chip, DType::UInt32).borrowed, DType::UInt32);
  chip.rates[DType::Int32] = 5;
  EXPECT_EQ(rate_of(chip, DType::UInt32).flops_per_second, Formula(5));
}

}  // namespace
}  // namespace shard::chip_test
