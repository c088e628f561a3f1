// Copies of arrays, inputs, and what `strict` wants of them.
#include <gtest/gtest.h>

#include "tests/interpreter/support/scripts.h"

namespace shard::copies_test {
namespace {

using testing::kinds;
using testing::Kinds;

const std::string kMesh = "mesh {X: 4, Y: 2}\n";
const std::string kSizes = "I = 64, J = 64, K = 64\n";

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

}  // namespace
}  // namespace shard::copies_test
