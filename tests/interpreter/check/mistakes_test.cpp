// One mistake is one error: names are known as far as they can be.
#include <gtest/gtest.h>

#include "tests/interpreter/support/scripts.h"

namespace shard::mistakes_test {
namespace {

using testing::kinds;
using testing::Kinds;

const std::string kMesh = "mesh {X: 4, Y: 2}\n";
const std::string kSizes = "I = 64, J = 64, K = 64\n";

TEST(Mistakes, AWrongArrayIsKnownAsWritten) {
  EXPECT_EQ(
      kinds(kMesh + kSizes + "A[I_Q, J] · B[J, K] → C[I, K]\nC[I, K] → D[I, K]\nprint bytes(C)\n"),
      Kinds{"UnknownAxis"});
}

TEST(Mistakes, AWrongScalarIsNotUnknownLater) {
  EXPECT_EQ(kinds("T = 2 * Q\nprint T\nprint T + 1"), Kinds{"UnknownName"});
}

TEST(Mistakes, AWrongCostBlockIsNotUnknownLater) {
  EXPECT_EQ(kinds(kMesh + "c = cost { A[I_Q] → B[I] }\nprint c.time\nprint c.flops"),
            Kinds{"UnknownAxis"});
}

TEST(Mistakes, AnUnknownChipIsOneError) {
  EXPECT_EQ(kinds("hardware TPUv99 4x4x4\nprint chip.HBM\nprint chip.C"), Kinds{"UnknownChip"});
}

TEST(Mistakes, AMeshThatDoesNotFitHasItsAxes) {
  EXPECT_EQ(kinds("hardware TPUv5p 4x4x4\nmesh {X: 5, Y: 4}\nA[I_X, J_Y] → B[I, J]\nprint |X|"),
            Kinds{"MeshMismatch"});
}

TEST(Mistakes, AWrongTargetIsOneError) {
  EXPECT_EQ(kinds("A[I, J] · B[J, I] → C[I, I]"), Kinds{"DimensionReused"});
  EXPECT_EQ(kinds(kMesh + "I = 6\nReduceScatter_{X,I} A[I, J]{U_X} → A[I_X, J]"),
            Kinds{"NotDivisible"});
}

TEST(Mistakes, CheckingGoesOnBehindEach) {
  EXPECT_EQ(kinds(kMesh + "A[I_Q, J] → B[I, J]\nC[I_X, J_X] → D[I, J]\nprint 1 GB + 1 s"),
            (Kinds{"UnknownAxis", "AxisReused", "UnitMismatch"}));
}

}  // namespace
}  // namespace shard::mistakes_test
