// The documents' four cases of a product A[I, J] · B[J, K] → C[I, K] (labels I = 0, J = 1, K = 2).
#include "interpreter/planning/product_cases.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "interpreter/planning/local_layout.h"
#include "tests/interpreter/planning/matrices.h"

namespace shard::planning::product_cases_test {
namespace {

using testing::kLeft;
using testing::kResult;
using testing::kRight;
using testing::layout_of;
using testing::mesh;

using Pair = std::pair<Layout, Layout>;
using Dims = std::vector<std::string>;

Pair pair(const Dims& left, const Dims& right) {
  return {layout_of(mesh(), left), layout_of(mesh(), right)};
}

std::vector<Pair> candidates(const Dims& left, const Dims& right,
                             const std::optional<Layout>& target = std::nullopt) {
  const Layout a = layout_of(mesh(), left);
  const Layout b = layout_of(mesh(), right);
  return candidate_layouts({kLeft, a}, {kRight, b}, kResult, target);
}

bool has(const std::vector<Pair>& pairs, const Pair& wanted) {
  return std::find(pairs.begin(), pairs.end(), wanted) != pairs.end();
}

TEST(Cases, Case1MultipliesAsItStands) {
  const auto pairs = candidates({"X", ""}, {"", "Y"});
  ASSERT_FALSE(pairs.empty());
  EXPECT_EQ(pairs.front(), pair({"X", ""}, {"", "Y"}));
}

TEST(Cases, Case2GathersTheContractedDimension) {
  EXPECT_TRUE(has(candidates({"", "X"}, {"", ""}), pair({"", ""}, {"", ""})));
}

TEST(Cases, Case2MaySliceTheOtherOperandInstead) {
  EXPECT_TRUE(has(candidates({"", "X"}, {"", ""}), pair({"", "X"}, {"X", ""})));
}

TEST(Cases, Case3MultipliesPartialSums) {
  const auto pairs = candidates({"", "X"}, {"X", ""});
  ASSERT_FALSE(pairs.empty());
  EXPECT_EQ(pairs.front(), pair({"", "X"}, {"X", ""}));
  EXPECT_FALSE(has(pairs, pair({"", ""}, {"", ""})));
}

TEST(Cases, Case4GathersOneOfTheTwo) {
  const auto pairs = candidates({"X", ""}, {"", "X"});
  EXPECT_TRUE(has(pairs, pair({"", ""}, {"", "X"})));
  EXPECT_TRUE(has(pairs, pair({"X", ""}, {"", ""})));
  EXPECT_FALSE(has(pairs, pair({"X", ""}, {"", "X"})));
}

TEST(Cases, TheTargetsLayoutIsACandidate) {
  const Layout target = layout_of(mesh(), {"Y", ""});
  EXPECT_TRUE(has(candidates({"X", ""}, {"", ""}, target), pair({"Y", ""}, {"", ""})));
}

TEST(Cases, EveryCandidateMultipliesLocally) {
  for (const auto& [left, right] : candidates({"X", "Y"}, {"", "XY"})) {
    EXPECT_FALSE(reused_axis(left).has_value());
    EXPECT_FALSE(reused_axis(right).has_value());
    EXPECT_TRUE(std::holds_alternative<Layout>(local_product(kLeft, left, kRight, right, kResult)));
  }
}

TEST(Cases, ABatchDimensionMeetsInOneOfItsLayouts) {
  const Labels left = {3, 0, 1};
  const Labels right = {3, 1, 2};
  const Layout a = layout_of(mesh(), {"X", "", ""});
  const Layout b = layout_of(mesh(), {"", "", ""});
  const auto pairs = candidate_layouts({left, a}, {right, b}, {3, 0, 2}, std::nullopt);
  EXPECT_TRUE(has(pairs, pair({"X", "", ""}, {"X", "", ""})));
  EXPECT_TRUE(has(pairs, pair({"", "", ""}, {"", "", ""})));
}

}  // namespace
}  // namespace shard::planning::product_cases_test
