#include "runtime/machine/mesh_splits.h"

#include <gtest/gtest.h>

namespace shard::mesh_splits_test {
namespace {

TEST(MeshSplits, AxesOfLengthOneAreNone) {
  EXPECT_EQ(longer_than_one({2, 1, 2, 1}), (AxisLengths{2, 2}));
  EXPECT_EQ(torus_splits({2, 2, 1}, 1), (std::vector<MeshSplit>{{{2, 2}}}));
  EXPECT_EQ(divisor_splits(1, 2), (std::vector<MeshSplit>{{{}, {}}}));
}

TEST(MeshSplits, EqualAxesOfATorusDifferInNothing) {
  EXPECT_EQ(torus_splits({4, 4}, 2),
            (std::vector<MeshSplit>{{{4, 4}, {}}, {{4}, {4}}, {{}, {4, 4}}}));
  EXPECT_EQ(torus_splits({2, 4}, 2).size(), 4U);
}

TEST(MeshSplits, OfANumberOfDevicesAllDivisors) {
  EXPECT_EQ(divisor_splits(8, 2),
            (std::vector<MeshSplit>{{{}, {8}}, {{2}, {4}}, {{4}, {2}}, {{8}, {}}}));
  EXPECT_EQ(divisor_splits(72, 1), (std::vector<MeshSplit>{{{72}}}));
}

TEST(MeshSplits, NoAxesTakeNothing) {
  EXPECT_TRUE(torus_splits({4, 4}, 0).empty());
  EXPECT_TRUE(divisor_splits(8, 0).empty());
}

TEST(MeshSplits, OnlyATorusHasAxesToTake) {
  Chip chip;
  chip.wrap = WrapRule::Cube4;
  EXPECT_TRUE(is_torus(chip, Slice{.lengths = {4, 4}, .wraparound = {}}));
  for (const WrapRule rule : {WrapRule::Switch, WrapRule::Full}) {
    chip.wrap = rule;
    EXPECT_FALSE(is_torus(chip, Slice{.lengths = {8}, .wraparound = {}}));
  }
}

}  // namespace
}  // namespace shard::mesh_splits_test
