// The eight rules of "What is checked" (docs/language.md), one suite each, through whole scripts.
#include <gtest/gtest.h>

#include "tests/interpreter/support/scripts.h"

namespace shard::checker_test {
namespace {

using testing::kinds;
using testing::Kinds;
using testing::marked;

const std::string kMesh = "mesh {X: 4, Y: 2}\n";
const std::string kSizes = "I = 64, J = 64, K = 64\n";

// ---------------------------------------------------------------- 1: axes

TEST(AxisRule, AnAxisSplitsOneDimension) {
  EXPECT_EQ(kinds(kMesh + "A[I_X, J_X] → B[I, J]"), Kinds{"AxisReused"});
  EXPECT_EQ(kinds(kMesh + "A[I_X, J_Y] → B[I, J]"), Kinds{});
}

TEST(AxisRule, AnAxisSplitsADimensionOnce) {
  EXPECT_EQ(kinds(kMesh + "A[I_{XYX}] → B[I]"), Kinds{"AxisReused"});
}

TEST(AxisRule, AnUnreducedAxisSplitsNothing) {
  EXPECT_EQ(kinds(kMesh + "AllReduce_X A[I_X]{U_X} → B[I_X]"), Kinds{"AxisReused"});
}

TEST(AxisRule, MarksTheSecondUseOnly) { EXPECT_EQ(marked(kMesh + "A[I_Y, J_Y] → B[I, J]"), "Y"); }

TEST(AxisRule, AxesAreThoseOfTheMesh) {
  EXPECT_EQ(kinds(kMesh + "A[I_Z] → B[I]"), Kinds{"UnknownAxis"});
  EXPECT_EQ(kinds(kMesh + "AllGather_Z A[I_X] → A[I]"), Kinds{"UnknownAxis"});
  EXPECT_EQ(marked(kMesh + "A[I_{XZ}] → B[I]"), "Z");
}

TEST(AxisRule, AnAxisOfSizeOneIsNoAxis) {
  EXPECT_EQ(kinds("mesh {X: 1, Y: 2}\nA[I_X, J] → B[I, J]\nB[I_X, J] → C[I, J]"), Kinds{});
}

TEST(AxisRule, ADimensionStandsOnceInAnArray) {
  EXPECT_EQ(kinds("A[I, I] → B[I]"), Kinds{"DimensionReused"});
  EXPECT_EQ(kinds("A[8, 8] → B[8, 8]"), Kinds{});
}

// ---------------------------------------------------------------- 2: sizes

TEST(SizeRule, ADimensionDividesByItsAxes) {
  EXPECT_EQ(kinds(kMesh + "I = 6\nA[I_X] → B[I]"), Kinds{"NotDivisible"});
  EXPECT_EQ(kinds(kMesh + "I = 6\nA[I_Y] → B[I]"), Kinds{});
  EXPECT_EQ(kinds(kMesh + "I = 12\nA[I_{XY}] → B[I]"), Kinds{"NotDivisible"});
  EXPECT_EQ(kinds(kMesh + "A[6_X] → B[6]"), Kinds{"NotDivisible"});
}

TEST(SizeRule, BracketsRenameDimensionsOfEqualSize) {
  EXPECT_EQ(kinds("I = 64, J = 32, K = 64\nA: bf16[I, J]\nA[K, J] → B[K, J]"), Kinds{});
  EXPECT_EQ(kinds("I = 64, J = 32, K = 8\nA: bf16[I, J]\nA[K, J] → B[K, J]"),
            Kinds{"SizeMismatch"});
}

TEST(SizeRule, TheSameNamesInAnotherOrderAreAnError) {
  EXPECT_EQ(kinds("A: bf16[I, J]\nA[J, I] · C[I, K] → B[J, K]"), Kinds{"TransposedUse"});
}

TEST(SizeRule, ATransposeIsAFlow) { EXPECT_EQ(kinds("A[I, J] → B[J, I]"), Kinds{}); }

TEST(SizeRule, BracketsNameAllDimensions) {
  EXPECT_EQ(kinds("A: bf16[I, J]\nA[I] → B[I]"), Kinds{"RankMismatch"});
}

TEST(SizeRule, ASizeIsBoundOnce) {
  EXPECT_EQ(kinds("B = 512\nA[B] → C[B]\nB = 1024"), Kinds{"SizeRebound"});
  EXPECT_EQ(kinds("B = 512\nA[B] → C[B]\nB = 512"), Kinds{});
  EXPECT_EQ(kinds("B = 512\nB = 1024"), Kinds{"SizeRebound"});
}

TEST(SizeRule, DeclarationsGiveSizes) {
  EXPECT_EQ(testing::value_of("I * J", "A[I, J]: fp32[8, 4]"), "32");
  EXPECT_EQ(kinds("I = 9\nA[I, J]: fp32[8, 4]"), Kinds{"SizeMismatch"});
  EXPECT_EQ(kinds("A[I, J]: fp32[8]"), Kinds{"RankMismatch"});
}

TEST(SizeRule, ALengthIsAPositiveWholeNumber) {
  for (const char* size : {"0", "-4", "2.5", "512 MB"}) {
    EXPECT_EQ(kinds(std::string("B = ") + size + "\nA[B] → C[B]"), Kinds{"BadArgument"}) << size;
    EXPECT_EQ(kinds(std::string("A: bf16[B]\nB = ") + size), Kinds{"BadArgument"}) << size;
  }
}

// ---------------------------------------------------------------- 3: contraction

TEST(ContractionRule, SharedDimensionsThatTheTargetLacksAreContracted) {
  EXPECT_EQ(kinds("A[I, J] · B[J, K] → C[I, K]"), Kinds{});
  EXPECT_EQ(kinds("A[I, J, L] · B[J, L, K] → C[I, K]"), Kinds{});
}

TEST(ContractionRule, SharedDimensionsOfTheTargetAreBatch) {
  EXPECT_EQ(kinds("A[B, I, J] · C[B, J, K] → D[B, I, K]"), Kinds{});
  EXPECT_EQ(testing::value_of("flops { A[B, I, J] · C[B, J, K] → D[B, I, K] }",
                              "B = 2, I = 3, J = 5, K = 7"),
            "420 FLOPs");
}

TEST(ContractionRule, DimensionsOfLaterOperandsAreKept) {
  EXPECT_EQ(kinds("A[I, J] · B[J, K] · C[K, L] → D[I, L]"), Kinds{});
  EXPECT_EQ(kinds("A[I, J] · B[J, K] · C[J, L] → D[I, K, L]"), Kinds{});
  EXPECT_EQ(kinds("A[I, J] · B[J, K] · C[K, J] → D[I, J]"), Kinds{"KeptDimension"});
}

TEST(ContractionRule, TwoSharedDimensionsNeedATargetOrAnIndex) {
  EXPECT_EQ(kinds("A[I, J, K] · B[J, K, L]"), Kinds{"AmbiguousContraction"});
  EXPECT_EQ(kinds("A[I, J, K] ·_J B[J, K, L]"), Kinds{});
  EXPECT_EQ(kinds("A[I, J, K] ·_{J,K} B[J, K, L]"), Kinds{});
  EXPECT_EQ(kinds("T = A[I, J] ·_I B[I, J]"), Kinds{"DimensionReused"});
  EXPECT_EQ(kinds("A[I, J] ·_I B[I, J] → C[J]"), Kinds{});
}

TEST(ContractionRule, TheIndexIsInBothOperandsAndNotInTheTarget) {
  EXPECT_EQ(kinds("A[I, J] ·_I B[J, K] → C[J, K]"), Kinds{"BadContraction"});
  EXPECT_EQ(kinds("A[I, J] ·_T B[J, K] → C[I, K]"), Kinds{"UnknownDimension"});
  EXPECT_EQ(kinds("A[I, J] ·_J B[J, K] → C[I, J, K]"), Kinds{"TargetMismatch"});
  EXPECT_EQ(kinds("A[I, J, L] ·_J B[J, L, K] → C[I, K]"), Kinds{"BadContraction"});
}

TEST(ContractionRule, ADimensionOfOneOperandDoesNotDisappear) {
  EXPECT_EQ(kinds("A[I, J] · B[J, K] → C[I]"), Kinds{"DroppedDimension"});
}

TEST(ContractionRule, TheTargetHasNoNewDimension) {
  EXPECT_EQ(kinds("A[I, J] · B[J, K] → C[I, K, L]"), Kinds{"TargetMismatch"});
}

TEST(ContractionRule, TheTargetFixesTheOrder) {
  EXPECT_EQ(kinds("A[I, J] · B[J, K] → C[K, I]\nC[K, I] → D[K, I]"), Kinds{});
}

TEST(ContractionRule, OperandsShareADimension) {
  EXPECT_EQ(kinds("A[I, J] · B[K, L]"), Kinds{"NoSharedDimension"});
}

TEST(ContractionRule, TypesAreThoseThatATypeHoldsBothOf) {
  const auto product = [](const std::string& left, const std::string& right) {
    return kinds("A: " + left + "[I, J]\nB: " + right +
                 "[J, K]\nA[I, J] · B[J, K] → C[I, K]\nD[I, K] = A[I, J] ·_J B[J, K]");
  };
  EXPECT_EQ(product("bf16", "fp32"), Kinds{});
  EXPECT_EQ(product("bf16", "fp16"), (Kinds{"WiderType", "WiderType"}));
  EXPECT_EQ(product("fp8e5m2", "bf16"), Kinds{});
  EXPECT_EQ(product("bf16", "int8"), Kinds{});
  EXPECT_EQ(product("fp8", "fp8e5m2"), (Kinds{"DtypeMismatch", "DtypeMismatch"}));
  EXPECT_EQ(kinds("A: fp8[I]\nB: fp8e5m2[I]\nC[I] = A + B"), Kinds{"DtypeMismatch"});
  EXPECT_EQ(kinds("A: fp8[I]\nB: fp8e5m2[I]\nC[I] = bf16(A) + B"), Kinds{});
  EXPECT_EQ(kinds("A: bf16[I]\nB: fp8[I]\nC[I] = fp8e5m2(A) + B"), Kinds{"DtypeMismatch"});
  EXPECT_EQ(kinds("A: fp8[I]\nC[I] = fp8e5m2(iota_I) + A"), Kinds{"DtypeMismatch"});
  EXPECT_EQ(kinds("A: fp8[I]\nC[I] = A + fp8e5m2(iota_I)"), Kinds{"DtypeMismatch"});
}

TEST(CastRule, PartialSumsAreCastToTheTypesOfSumsAlone) {
  const std::string sums = kMesh + "A: bf16[I, J_X]\ns[I]{U_X} = sum_J(A)\n";
  EXPECT_EQ(kinds(sums + "t[I]{U_X} = fp32(s)"), Kinds{});
  EXPECT_EQ(kinds(sums + "t[I]{U_X} = bf16(s)"), Kinds{"UnreducedOperand"});
  EXPECT_EQ(kinds("x = fp32(3)"), Kinds{"NotScalar"});
}

TEST(DeclarationWithValue, IsTheDeclarationAndTheAssignment) {
  EXPECT_EQ(kinds(kMesh + "B: bf16[I_X]\nA: fp32[I_X] = B + 1"), Kinds{});
  EXPECT_EQ(kinds(kMesh + "A: fp32[I_X] = zeros, B[I]: bf16 = -1e30\nC[I] = A + B"), Kinds{});
  EXPECT_EQ(kinds("B: bf16[J]\nA: fp32[I] = B + 1"), Kinds{"DroppedDimension"});
  EXPECT_EQ(kinds("A: fp32[I] = zeros\nA: fp32[I] = ones"), Kinds{"Redeclared"});
  EXPECT_EQ(kinds("A: fp32[I] = 3 us"), Kinds{"UnitMismatch"});
  EXPECT_EQ(kinds("A[I] = 3"), Kinds{"NotArray"});
}

// ---------------------------------------------------------------- 4: ·LOCAL

TEST(LocalRule, TheTargetSaysThatItIsUnreduced) {
  EXPECT_EQ(kinds(kMesh + "A[I, J_X] ·LOCAL B[J_X, K] → C[I, K]{U_X}"), Kinds{});
  EXPECT_EQ(kinds(kMesh + "A[I, J_X] ·LOCAL B[J_X, K] → C[I, K]"), Kinds{"LocalNeedsUnreduced"});
}

TEST(LocalRule, EveryAxisOfTheContractionIsUnreduced) {
  EXPECT_EQ(kinds(kMesh + "A[I, J_{XY}] ·LOCAL B[J_{XY}, K] → C[I, K]{U_{XY}}"), Kinds{});
  EXPECT_EQ(kinds(kMesh + "A[I, J_{XY}] ·LOCAL B[J_{XY}, K] → C[I, K]{U_X}"),
            Kinds{"LocalNeedsCommunication"});
}

TEST(LocalRule, OperandsAreContractedAsTheyAre) {
  EXPECT_EQ(kinds(kMesh + "A[I, J_X] ·LOCAL B[J, K] → C[I, K]{U_X}"),
            Kinds{"LocalNeedsCommunication"});
  EXPECT_EQ(kinds(kMesh + "A[I_X, J] ·LOCAL B[J, K_X] → C[I_X, K]"),
            Kinds{"LocalNeedsCommunication"});
}

TEST(LocalRule, TheTargetIsWhatTheOperandsLeave) {
  EXPECT_EQ(kinds(kMesh + "A[I_X, J] ·LOCAL B[J, K_Y] → C[I_X, K_Y]"), Kinds{});
  EXPECT_EQ(kinds(kMesh + "A[I_X, J] ·LOCAL B[J, K] → C[I, K]"), Kinds{"LocalNeedsCommunication"});
}

TEST(LocalRule, NothingIsUnreducedWithoutASplitContraction) {
  EXPECT_EQ(kinds(kMesh + "A[I_X, J] ·LOCAL B[J, K] → C[I_X, K]"), Kinds{});
}

// ---------------------------------------------------------------- 5: collectives

TEST(CollectiveRule, AllGatherRemovesTheNamedAxes) {
  EXPECT_EQ(kinds(kMesh + "AllGather_X A[I_X, J_Y] → A[I, J_Y]"), Kinds{});
  EXPECT_EQ(kinds(kMesh + "AllGather_{XY} A[I_{XY}, J] → A[I, J]"), Kinds{});
  EXPECT_EQ(kinds(kMesh + "AllGather_X A[I_X, J_Y] → A[I, J]"), Kinds{"WrongCollective"});
  EXPECT_EQ(kinds(kMesh + "AllGather_X A[I_Y, J] → A[I_Y, J]"), Kinds{"NotSharded"});
}

TEST(CollectiveRule, ReduceScatterTurnsUnreducedIntoTheMinorAxis) {
  EXPECT_EQ(kinds(kMesh + "ReduceScatter_{X,J} A[I, J]{U_X} → A[I, J_X]"), Kinds{});
  EXPECT_EQ(kinds(kMesh + "ReduceScatter_{X,J} A[I, J_Y]{U_X} → A[I, J_{YX}]"), Kinds{});
  EXPECT_EQ(kinds(kMesh + "ReduceScatter_{X,J} A[I, J_Y]{U_X} → A[I, J_{XY}]"),
            Kinds{"WrongCollective"});
  EXPECT_EQ(kinds(kMesh + "ReduceScatter_{X,J} A[I, J] → A[I, J_X]"), Kinds{"NotUnreduced"});
}

TEST(CollectiveRule, ReduceScatterNeedsADimension) {
  EXPECT_EQ(kinds(kMesh + "ReduceScatter_X A[I, J]{U_X} → A[I_X, J]"), Kinds{});
  EXPECT_EQ(kinds(kMesh + "ReduceScatter_X A[I, J]{U_X}"), Kinds{"AmbiguousCollective"});
  EXPECT_EQ(kinds(kMesh + "ReduceScatter_{X,T} A[I, J]{U_X}"), Kinds{"UnknownDimension"});
}

TEST(CollectiveRule, AllReduceRemovesUnreduced) {
  EXPECT_EQ(kinds(kMesh + "AllReduce_X A[I, J]{U_X} → A[I, J]"), Kinds{});
  EXPECT_EQ(kinds(kMesh + "AllReduce A[I, J]{U_{XY}} → A[I, J]{U_Y}"), Kinds{});
  EXPECT_EQ(kinds(kMesh + "AllReduce_X A[I, J] → A[I, J]"), Kinds{"NotUnreduced"});
  EXPECT_EQ(kinds(kMesh + "AllReduce_X A[I, J]{U_X} → A[I_X, J]"), Kinds{"WrongCollective"});
}

TEST(CollectiveRule, AllToAllMovesASubscript) {
  EXPECT_EQ(kinds(kMesh + "AllToAll_{X,J} A[I_X, J] → A[I, J_X]"), Kinds{});
  EXPECT_EQ(kinds(kMesh + "AllToAll_X A[I_X, J] → A[I, J_X]"), Kinds{});
  EXPECT_EQ(kinds(kMesh + "AllToAll_{X,I} A[I_X, J] → A[I_X, J]"), Kinds{"WrongCollective"});
  EXPECT_EQ(kinds(kMesh + "AllToAll_{X,J} A[I, J] → A[I, J_X]"), Kinds{"NotSharded"});
}

TEST(CollectiveRule, ShiftKeepsTheLayout) {
  EXPECT_EQ(kinds(kMesh + "Shift_X A[I_X, J] → B[I_X, J]"), Kinds{});
  EXPECT_EQ(kinds(kMesh + "Shift_{X,-1} A[I_X, J] → B[I_X, J]"), Kinds{});
  EXPECT_EQ(kinds(kMesh + "Shift_X A[I, J] → B[I, J]"), Kinds{"NotSharded"});
  EXPECT_EQ(kinds(kMesh + "Shift_{X,0.5} A[I_X, J] → B[I_X, J]"), Kinds{"BadArgument"});
}

TEST(CollectiveRule, NamesTheCollectiveThatWouldDoIt) {
  EXPECT_EQ(testing::helps(kMesh + "AllGather_X B[I_X, J] → B[I, J_X]"),
            testing::Lines{"AllToAll_{X,J} B[I_X, J] → B[I, J_X]"});
}

TEST(CollectiveRule, AxesFollowFromTheTarget) {
  EXPECT_EQ(kinds(kMesh + "AllGather A[I_{XY}, J] → A[I_X, J]"), Kinds{});
  EXPECT_EQ(kinds(kMesh + "AllToAll A[I_X, J] → A[I, J_X]"), Kinds{});
  EXPECT_EQ(kinds(kMesh + "AllGather A[I_X, J]"), Kinds{"AmbiguousCollective"});
}

TEST(CollectiveRule, IndexOfALongAxisIsRead) {
  EXPECT_EQ(kinds("mesh {data: 4, model: 2}\nAllGather_{data,model} A[I_data, J_model] → A[I, J]"),
            Kinds{});
}

// ---------------------------------------------------------------- 6: order of axes

TEST(OrderRule, RemovingTheMinorAxisIsAPlainAllGather) {
  EXPECT_EQ(kinds(kMesh + "AllGather_Y A[I_{XY}] → A[I_X]"), Kinds{});
}

TEST(OrderRule, RemovingAnEarlierAxisIsNoted) {
  EXPECT_EQ(kinds(kMesh + "AllGather_X A[I_{XY}] → A[I_Y]"), Kinds{"MajorAxisRemoved"});
}

TEST(OrderRule, RemovingAnEarlierAxisIsAPermuteAndAnAllGather) {
  EXPECT_EQ(testing::steps(kMesh + "I = 64\nAllGather_X A[I_{XY}] → A[I_Y]"),
            (testing::Lines{"CollectivePermute_{XY} A[I_{XY}] → A[I_{YX}]",
                            "AllGather_X A[I_{YX}] → A[I_Y]"}));
}

TEST(OrderRule, OrdersOfAxesAreDifferentLayouts) {
  EXPECT_EQ(testing::steps(kMesh + "I = 67108864\nA[I_{XY}] → A[I_{YX}]"),
            testing::Lines{"CollectivePermute_{XY} A[I_{XY}] → A[I_{YX}]"});
}

// ---------------------------------------------------------------- 7: unreduced values

const std::string kUnreduced =
    kMesh + kSizes + "L = 64, M = 64\nA[I, J_X] ·LOCAL B[J_X, K] → C[I, K]{U_X}\n";

TEST(UnreducedRule, AProductOfTwoIsAnError) {
  EXPECT_EQ(kinds(kUnreduced + "D[K, M_X] ·LOCAL E[M_X, L] → F[K, L]{U_X}\n"
                               "C[I, K]{U_X} · F[K, L]{U_X} → G[I, L]"),
            Kinds{"UnreducedOperand"});
}

TEST(UnreducedRule, AnOperandThatTheAxisSplitsIsAnError) {
  EXPECT_EQ(kinds(kUnreduced + "C[I, K]{U_X} · D[K_X, L] → E[I, L]"), Kinds{"UnreducedOperand"});
}

TEST(UnreducedRule, AProductWithAReducedOperandIsLinear) {
  EXPECT_EQ(kinds(kUnreduced + "C[I, K]{U_X} · D[K, L] → E[I, L]{U_X}"), Kinds{});
  EXPECT_EQ(kinds(kUnreduced + "C[I, K]{U_X} · D[K, L_Y] → E[I, L_Y]"), Kinds{});
}

TEST(UnreducedRule, ReducedValuesDoNotBecomeUnreduced) {
  EXPECT_EQ(kinds(kMesh + "A[I_X, J] · B[J, K] → C[I_X, K]{U_Y}"), Kinds{"ResultUnreduced"});
  EXPECT_EQ(kinds(kMesh + "A[I, J_X] → B[I, J]{U_X}"), Kinds{"ResultUnreduced"});
}

TEST(UnreducedRule, UnreducedValuesMayBeCopied) {
  EXPECT_EQ(kinds(kUnreduced + "C[I, K]{U_X} → D[I, K]{U_X}"), Kinds{});
}

// ---------------------------------------------------------------- 8: names alone

TEST(NamesAlone, LayoutsAreCheckedWithoutMesh) {
  EXPECT_EQ(kinds("A[I_X, J] · B[J, K_Y] → C[I_X, K_Y]"), Kinds{});
  EXPECT_EQ(kinds("A[I_X, J_X] → B[I, J]"), Kinds{"AxisReused"});
  EXPECT_EQ(kinds("A[I, J_X] ·LOCAL B[J_X, K] → C[I, K]"), Kinds{"LocalNeedsUnreduced"});
}

TEST(NamesAlone, CollectivesAreCheckedWithoutSizes) {
  EXPECT_EQ(kinds("AllGather_X A[I_Y] → A[I_Y]"), Kinds{"NotSharded"});
  EXPECT_EQ(kinds("AllReduce_X A[I] → A[I]"), Kinds{"NotUnreduced"});
}

}  // namespace
}  // namespace shard::checker_test
