// Local products A[I, J] · B[J, K] → C[I, K] (labels I = 0, J = 1, K = 2).
#include "interpreter/planning/local_layout.h"

#include <gtest/gtest.h>

#include "tests/interpreter/planning/matrices.h"

namespace shard::planning::local_layout_test {
namespace {

using testing::kLeft;
using testing::kResult;
using testing::kRight;
using testing::layout_of;
using testing::mesh;

std::variant<Layout, Misfit> product(const Layout& left, const Layout& right) {
  return local_product(kLeft, left, kRight, right, kResult);
}

Misfit::Reason reason(const Layout& left, const Layout& right) {
  const auto result = product(left, right);
  EXPECT_TRUE(std::holds_alternative<Misfit>(result));
  return std::holds_alternative<Misfit>(result) ? std::get<Misfit>(result).reason
                                                : Misfit::Reason::BatchDiffer;
}

TEST(LocalProduct, KeepsTheSplitsOfKeptDimensions) {
  EXPECT_EQ(std::get<Layout>(product(layout_of(mesh(), {"X", ""}), layout_of(mesh(), {"", "Y"}))),
            layout_of(mesh(), {"X", "Y"}));
}

TEST(LocalProduct, IsUnreducedOverTheSplitsOfTheContraction) {
  EXPECT_EQ(std::get<Layout>(product(layout_of(mesh(), {"", "YX"}), layout_of(mesh(), {"YX", ""}))),
            layout_of(mesh(), {"", ""}, "XY"));
}

TEST(LocalProduct, CarriesAnOperandsPartialSums) {
  EXPECT_EQ(
      std::get<Layout>(product(layout_of(mesh(), {"", ""}, "X"), layout_of(mesh(), {"", "Y"}))),
      layout_of(mesh(), {"", "Y"}, "X"));
}

TEST(LocalProduct, NeedsTheContractionSplitAlike) {
  EXPECT_EQ(reason(layout_of(mesh(), {"", "X"}), layout_of(mesh(), {"", ""})),
            Misfit::Reason::ContractedDiffer);
  EXPECT_EQ(reason(layout_of(mesh(), {"", "XY"}), layout_of(mesh(), {"YX", ""})),
            Misfit::Reason::ContractedDiffer);
}

TEST(LocalProduct, NeedsEachAxisOnce) {
  EXPECT_EQ(reason(layout_of(mesh(), {"X", ""}), layout_of(mesh(), {"", "X"})),
            Misfit::Reason::AxisTwice);
}

TEST(LocalProduct, IsNotLinearInTwoPartialSums) {
  EXPECT_EQ(reason(layout_of(mesh(), {"", ""}, "X"), layout_of(mesh(), {"", ""}, "X")),
            Misfit::Reason::NotLinear);
  EXPECT_EQ(reason(layout_of(mesh(), {"", ""}, "X"), layout_of(mesh(), {"", "X"})),
            Misfit::Reason::NotLinear);
  EXPECT_EQ(reason(layout_of(mesh(), {"X", ""}), layout_of(mesh(), {"", ""}, "X")),
            Misfit::Reason::NotLinear);
}

TEST(LocalProduct, NeedsBatchDimensionsSplitAlike) {
  const auto result = local_product({3, 0, 1}, layout_of(mesh(), {"X", "", ""}), {3, 1, 2},
                                    layout_of(mesh(), {"", "", ""}), {3, 0, 2});
  ASSERT_TRUE(std::holds_alternative<Misfit>(result));
  EXPECT_EQ(std::get<Misfit>(result).reason, Misfit::Reason::BatchDiffer);
  EXPECT_EQ(std::get<Misfit>(result).label, 3);
}

}  // namespace
}  // namespace shard::planning::local_layout_test
