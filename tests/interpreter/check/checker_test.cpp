// The eight rules of "What is checked" (docs/language.md), one suite each, through whole scripts.
#include <gtest/gtest.h>

#include "tests/interpreter/support/scripts.h"

namespace shard {
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

TEST(ContractionRule, OperandsHaveOneElementType) {
  EXPECT_EQ(kinds("A: bf16[I, J]\nB: fp32[J, K]\nA[I, J] · B[J, K] → C[I, K]"),
            Kinds{"DtypeMismatch"});
  EXPECT_EQ(kinds("A: bf16[I, J]\nB: int8[J, K]\nA[I, J] · B[J, K] → C[I, K]"), Kinds{});
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
  EXPECT_EQ(testing::steps(kMesh + "I = 64\nA[I_{XY}] → A[I_{YX}]"),
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

// ---------------------------------------------------------------- copies, inputs, strict

TEST(Copies, BracketsSelectACopyThatThereIs) {
  const std::string made = kMesh + kSizes + "L = 64\nA[I_X, J] · B[J, K_Y] → C[I_X, K_Y]\n";
  EXPECT_EQ(kinds(made + "C[I_X, K_Y] · D[K, L] → E[I_X, L]"), Kinds{});
  EXPECT_EQ(kinds(made + "C[I_X, K] · D[K, L] → E[I_X, L]"), Kinds{"NoSuchCopy"});
}

TEST(Copies, TheHelpForAMissingCopyMendsIt) {
  const std::string made = kMesh + kSizes + "L = 64\nA[I_X, J] · B[J, K_Y] → C[I_X, K_Y]\n";
  const std::string use = "C[I_X, K] · D[K, L] → E[I_X, L]\n";
  const auto help = testing::helps(made + use);
  ASSERT_EQ(help.size(), 1U);
  EXPECT_EQ(kinds(made + help.front() + "\n" + use), Kinds{});
}

TEST(Copies, ACollectiveOfTheSameNameKeepsTheOther) {
  EXPECT_EQ(kinds(kMesh + kSizes +
                  "A[I_X, J] → B[I_X, J]\nB[I, J] = AllGather_X B[I_X, J]\n"
                  "B[I_X, J] → D[I_X, J]\nB[I, J] → E[I, J]"),
            Kinds{});
}

TEST(Copies, ANewArrayDropsTheOldCopies) {
  EXPECT_EQ(kinds(kMesh + kSizes +
                  "A[I_X, J] → B[I_X, J]\nB[I, J] = AllGather_X B[I_X, J]\n"
                  "D[I, J] → B[I, J]\nB[I_X, J] → E[I_X, J]"),
            Kinds{"NoSuchCopy"});
}

TEST(Copies, ADroppedArrayIsGone) {
  const std::string made = kMesh + kSizes + "A[I_X, J] → B[I_X, J]\ndrop B\n";
  EXPECT_EQ(kinds(made + "B → C[I, J]"), Kinds{"DroppedArray"});
  EXPECT_EQ(kinds(kMesh + kSizes + "A[I_X, J] → B[I_X, J]\ndrop B[I, J]"), Kinds{"NoSuchCopy"});
}

TEST(Inputs, ASecondLayoutIsAnotherCopyWithAWarning) {
  EXPECT_EQ(kinds(kMesh + kSizes + "A[I_X, J] · B[J, K] → C[I_X, K]\nA[I, J] → D[I, J]"),
            Kinds{"SecondInputLayout"});
}

TEST(Inputs, ANameOneSlipAwayDrawsAWarning) {
  const std::string declared = "Weights: bf16[D, F]\n";
  EXPECT_EQ(kinds(declared + "In[B, D] · Wieghts[D, F] → Out[B, F]"), Kinds{"SuspiciousName"});
  for (const char* meant : {"dWeights", "Weights2", "Weights'", "Other"}) {
    EXPECT_EQ(kinds(declared + "In[B, D] · " + meant + "[D, F] → Out[B, F]"), Kinds{}) << meant;
  }
}

TEST(Inputs, ShortNamesAreNotSuspicious) {
  EXPECT_EQ(kinds("Win: bf16[D, F]\nIn[B, D] · Wni[D, F] → Out[B, F]"), Kinds{});
}

TEST(Strict, WantsDeclaredInputs) {
  EXPECT_EQ(kinds(kMesh + "strict\nA[I_X] → B[I_X]"), Kinds{"UndeclaredInput"});
  EXPECT_EQ(kinds(kMesh + "strict\nA: bf16[I_X]\nA[I_X] → B[I_X]"), Kinds{});
}

TEST(Strict, WantsWrittenCommunication) {
  const std::string head = kMesh + kSizes + "strict\nA: bf16[I, J_X]\nB: bf16[J_X, K]\n";
  EXPECT_EQ(kinds(head + "A[I, J_X] · B[J_X, K] → C[I, K]"), Kinds{"InferredCommunication"});
  EXPECT_EQ(kinds(head + "A[I, J_X] ·LOCAL B[J_X, K] → C[I, K]{U_X}\nC[I, K] = AllReduce_X C[I, "
                         "K]{U_X}"),
            Kinds{});
}

TEST(Strict, ASliceIsNoCommunication) {
  EXPECT_EQ(kinds(kMesh + kSizes + "strict\nA: bf16[I, J]\nA[I, J] → B[I_X, J]"), Kinds{});
}

// ---------------------------------------------------------------- one mistake, one error

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

// ---------------------------------------------------------------- the machine

TEST(Machine, AMeshHasTheSlicesDevices) {
  EXPECT_EQ(kinds("hardware TPUv5p 4x4x4\nmesh {X: 4x4, Y: 4}"), Kinds{});
  EXPECT_EQ(kinds("hardware TPUv5p 4x4x4\nmesh {X: 4, Y: 4}"), Kinds{"MeshMismatch"});
  EXPECT_EQ(kinds("mesh {X: 4, Y: 4}\nhardware TPUv5p 4x4x4"), Kinds{"MeshMismatch"});
}

TEST(Machine, SeveralWaysToLayAMeshAreAnError) {
  EXPECT_EQ(kinds("hardware TPUv5p 2x4x8\nmesh {X: 8, Y: 8}"), Kinds{"AmbiguousMesh"});
  EXPECT_EQ(kinds("hardware TPUv5p 2x4x8\nmesh {X: 2x4, Y: 8}"), Kinds{});
}

TEST(Machine, TheHelpForAnAmbiguousMeshMendsIt) {
  const auto help = testing::helps("hardware TPUv5p 2x4x8\nmesh {X: 8, Y: 8}");
  ASSERT_EQ(help.size(), 2U);
  for (const std::string& line : help)
    EXPECT_EQ(kinds("hardware TPUv5p 2x4x8\n" + line), Kinds{}) << line;
}

TEST(Machine, ASliceHasTheChipsAxes) {
  EXPECT_EQ(kinds("hardware TPUv5e 4x4x4"), Kinds{"BadSlice"});
  EXPECT_EQ(kinds("hardware TPUv5e 4x4"), Kinds{});
  EXPECT_EQ(kinds("hardware TPUv5e 32x32"), Kinds{"SliceLargerThanPod"});
}

TEST(Machine, ChipsHaveTheirFigures) {
  EXPECT_EQ(kinds("chip New {HBM: 16 s}"), Kinds{"UnitMismatch"});
  EXPECT_EQ(kinds("chip New {colour: 3}"), Kinds{"BadChip"});
  EXPECT_EQ(kinds("chip Mine = TPUv5q {HBM: 128 GB}"), Kinds{"UnknownChip"});
  EXPECT_EQ(testing::value_of("chip.HBM", "hardware TPUv5e 2x2 {HBM: 300 MB}"), "300.0 MB");
}

TEST(Machine, AMeshOfTooManyDevicesIsRefused) {
  EXPECT_EQ(kinds("mesh {X: 1024, Y: 1025}"), Kinds{"TooManyDevices"});
  EXPECT_EQ(kinds("mesh {X: 2000000}"), Kinds{"TooManyDevices"});
  EXPECT_EQ(kinds("mesh {X: 9000000000000000000, Y: 9000000000000000000}"),
            Kinds{"TooManyDevices"});
}

TEST(Machine, LimitsAreSaid) {
  std::string dimensions;
  for (int i = 0; i < 17; ++i) dimensions += (i == 0 ? "d" : ", d") + std::to_string(i);
  EXPECT_EQ(kinds("A[" + dimensions + "] → B[d0]"), Kinds{"TooLarge"});
  EXPECT_EQ(kinds(std::string(101, 'n') + " = 3"), Kinds{"TooLarge"});
  EXPECT_EQ(kinds(std::string(100, 'n') + " = 3"), Kinds{});
}

}  // namespace
}  // namespace shard
