#include "runtime/execute/input_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/runtime/support/meshes.h"
#include "tests/runtime/support/written_plan.h"

namespace shard::input_values_test {
namespace {

using testing::observed;
using testing::Observed;
using testing::WrittenPlan;

TEST(InputValue, IsAPureFunctionOfSeedAndIndex) {
  EXPECT_EQ(input_value(InputValues::Normal, "A", 7), input_value(InputValues::Normal, "A", 7));
  EXPECT_NE(input_value(InputValues::Normal, "A", 7), input_value(InputValues::Normal, "B", 7));
  EXPECT_NE(input_value(InputValues::Normal, "A", 7), input_value(InputValues::Normal, "A", 8));
}

TEST(InputValue, IntegersAreSmallAndBalanced) {
  std::map<double, int> counts;
  for (std::uint64_t i = 0; i < 16000; ++i) ++counts[input_value(InputValues::Integers, "A", i)];
  ASSERT_EQ(counts.size(), 5u);
  EXPECT_NEAR(counts[0], 8000, 300);
  EXPECT_NEAR(counts[1], 3000, 200);
  EXPECT_NEAR(counts[-1], 3000, 200);
  EXPECT_NEAR(counts[2], 1000, 150);
  EXPECT_NEAR(counts[-2], 1000, 150);
}

TEST(InputValue, NormalHasMeanZeroAndVarianceOne) {
  double sum = 0;
  double squares = 0;
  constexpr int kCount = 40000;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const double value = input_value(InputValues::Normal, "A", i);
    ASSERT_TRUE(std::isfinite(value));
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / kCount, 0.0, 0.02);
  EXPECT_NEAR(squares / kCount, 1.0, 0.03);
}

TEST(Inputs, EveryLayoutHoldsTheSameArray) {
  for (DType dtype : {DType::Fp64, DType::Fp32, DType::Bf16, DType::Int8}) {
    for (InputValues values : {InputValues::Integers, InputValues::Normal}) {
      WrittenPlan script({2, 3});
      const CopyId whole = script.input("A", {4, 6}, replicated(2), dtype);
      const CopyId split = script.input("A", {4, 6}, {{{kX}, {kY}}, {}}, dtype);
      const CopyId partial = script.input("A", {4, 6}, {{{kX}, {}}, {kY}}, dtype);
      const Observed seen = observed(script, 2, values);
      EXPECT_EQ(seen.values.at(whole), seen.values.at(split));
      EXPECT_EQ(seen.values.at(whole), seen.values.at(partial));
      for (std::uint64_t i = 0; i < 24; ++i) {
        EXPECT_EQ(seen.values.at(whole)[i], rounded_to(dtype, input_value(values, "A", i)));
      }
    }
  }
}

TEST(Inputs, PartialSumsAreSpreadOverTheDevices) {
  WrittenPlan script({3});
  const CopyId partial = script.input("A", {300}, {{{}}, {kX}});
  const Observed seen = observed(script);
  for (const auto& shard : seen.arrays.at(partial).shards) {
    int filled = 0;
    for (std::size_t i = 0; i < 300; ++i)
      filled += read_element(shard->data(), DType::Fp32, i) != 0 ? 1 : 0;
    EXPECT_GT(filled, 20);
    EXPECT_LT(filled, 90);
  }
}

}  // namespace
}  // namespace shard::input_values_test
