#include "interpreter/ir/symbols.h"

#include <gtest/gtest.h>

#include "interpreter/ir/frames.h"
#include "tests/interpreter/support/scripts.h"

namespace shard::symbols_test {
namespace {

using testing::Ran;

const LiveCopy& newest(const Scope& scope, const std::string& name) {
  return scope.held.of(*scope.names.find_array(name)).back();
}

void bind(Scope& scope, const std::string& name, std::int64_t value) {
  scope.names.bindings[name] = {
      .name = name, .value = Quantity{Formula(value), kPlain}, .span = {}};
}

TEST(Scope, InternsEachNameOnce) {
  Scope scope;
  const DimensionId i = scope.intern_dimension("I");
  EXPECT_EQ(scope.intern_dimension("I"), i);
  EXPECT_NE(scope.intern_dimension("J"), i);
  EXPECT_EQ(scope.names.find_dimension("I"), i);
  EXPECT_EQ(scope.names.find_dimension("K"), std::nullopt);
}

TEST(Scope, TellsLetterCasesApart) {
  Scope scope;
  EXPECT_NE(scope.intern_dimension("i"), scope.intern_dimension("I"));
}

TEST(Scope, ASizeIsItsBindingOrASymbol) {
  Scope scope;
  const DimensionId i = scope.intern_dimension("I");
  EXPECT_EQ(scope.size_of(i), Amount::symbol("I"));
  bind(scope, "I", 64);
  EXPECT_EQ(scope.size_of(i), Amount(64));
}

TEST(Scope, AWrittenLengthIsItself) {
  Scope scope;
  EXPECT_EQ(scope.size_of(scope.intern_length(48000)), Amount(48000));
}

TEST(Scope, ASymbolThatReadsLikeAnAxisIsMarked) {
  Scope scope;
  scope.machine.machine.mesh.axes.add({.name = "X", .size = Amount::symbol("X")});
  EXPECT_EQ(scope.symbol_of(scope.intern_dimension("X")), "|X|");
  EXPECT_EQ(scope.symbol_of(scope.intern_dimension("C")), "|C|");
  EXPECT_EQ(scope.symbol_of(scope.intern_dimension("B")), "B");
}

TEST(Scope, RenamedDimensionsHaveOneLength) {
  Scope scope;
  const DimensionId i = scope.intern_dimension("I");
  const DimensionId k = scope.intern_dimension("K");
  scope.identify_lengths(i, k);
  EXPECT_EQ(scope.size_of(i), scope.size_of(k));
  bind(scope, "K", 32);
  EXPECT_EQ(scope.size_of(i), Amount(32));
  EXPECT_EQ(scope.size_of(k), Amount(32));
}

TEST(Scope, ChainsOfRenamingsEnd) {
  Scope scope;
  const DimensionId i = scope.intern_dimension("I");
  const DimensionId j = scope.intern_dimension("J");
  const DimensionId k = scope.intern_dimension("K");
  scope.identify_lengths(i, j);
  scope.identify_lengths(j, k);
  scope.identify_lengths(k, i);
  EXPECT_EQ(scope.size_of(i), scope.size_of(k));
  EXPECT_EQ(scope.size_of(j), scope.size_of(k));
}

TEST(Scope, RenamingKeepsAKnownLength) {
  Scope scope;
  const DimensionId i = scope.intern_dimension("I");
  const DimensionId k = scope.intern_dimension("K");
  bind(scope, "I", 8);
  scope.identify_lengths(k, i);
  EXPECT_EQ(scope.size_of(k), Amount(8));
  EXPECT_EQ(scope.size_of(i), Amount(8));
}

TEST(Scope, ARenamedDimensionOfKnownLengthCostsAsMuch) {
  EXPECT_EQ(testing::value_of("bytes(B)", "I = 64\nA: bf16[I]\nA[K] → B[K]"), "128 B");
}

TEST(Scope, DescribesACopyAsTheScriptWritesIt) {
  const Ran ran("mesh {X: 4, Y: 2}\nA: bf16[I_{XY}, J]");
  const Scope& scope = ran.session.state().scope;
  EXPECT_EQ(scope.describe(*scope.names.find_array("A"), newest(scope, "A").layout),
            "A[I_{XY}, J]");
}

TEST(Scope, HoldsSeveralCopiesOfAnArray) {
  const Ran ran("mesh {X: 4}\nI = 64\nA[I_X] → B[I_X]\nB[I] = AllGather_X B[I_X]\n");
  const Scope& scope = ran.session.state().scope;
  const ArrayId b = *scope.names.find_array("B");
  const LiveCopies& copies = scope.held.of(b);
  ASSERT_EQ(copies.size(), 2U);
  EXPECT_EQ(scope.describe(b, copies[0].layout), "B[I_X]");
  EXPECT_EQ(scope.describe(b, copies[1].layout), "B[I]");
}

TEST(Scope, WritingALayoutAgainReplacesTheCopy) {
  const Ran ran(
      "mesh {X: 4}\nI = 64\nA[I_X] → B[I_X]\nB[I] = AllGather_X B[I_X]\nB[I] = AllGather_X "
      "B[I_X]\n");
  const Scope& scope = ran.session.state().scope;
  EXPECT_EQ(scope.held.of(*scope.names.find_array("B")).size(), 2U);
}

TEST(Scope, CopiesHoldNoAxesOfSizeOne) {
  const Ran ran("mesh {X: 1, Y: 2}\nA: bf16[I_X, J_Y]");
  const Scope& scope = ran.session.state().scope;
  EXPECT_EQ(scope.describe(*scope.names.find_array("A"), newest(scope, "A").layout), "A[I, J_Y]");
}

TEST(AdoptMesh, InputsStayOnAxesOfTheSameName) {
  const Ran ran("mesh {X: 4, Y: 2}\nA: bf16[I_Y, J]\nmesh {Y: 8, X: 2}");
  const Scope& scope = ran.session.state().scope;
  ASSERT_TRUE(scope.names.find_array("A").has_value());
  EXPECT_EQ(scope.describe(*scope.names.find_array("A"), newest(scope, "A").layout), "A[I_Y, J]");
}

TEST(AdoptMesh, InputsOnAxesThatAreGoneAreForgotten) {
  const Ran ran("mesh {X: 4, Y: 2}\nA: bf16[I_Y, J]\nB: bf16[I, J]\nmesh {X: 8}");
  EXPECT_FALSE(ran.session.state().scope.names.find_array("A").has_value());
  EXPECT_TRUE(ran.session.state().scope.names.find_array("B").has_value());
}

TEST(AdoptMesh, ComputedArraysAreGoneWithTheirDevices) {
  const Ran ran("mesh {X: 4}\nI = 64\nA[I_X] → B[I_X]\nmesh {X: 8}");
  EXPECT_TRUE(ran.session.state().scope.names.find_array("A").has_value());
  EXPECT_FALSE(ran.session.state().scope.names.find_array("B").has_value());
}

TEST(AdoptMesh, ASuppositionKeepsComputedArrays) {
  const Ran ran("mesh {X: 4}\nI = 64\nA[I_X] → B[I_X]\n");
  const Scope& written = ran.session.state().scope;
  const Scope supposed = supposition_scope(written, written);
  EXPECT_TRUE(supposed.supposition);
  EXPECT_TRUE(supposed.names.find_array("B").has_value());
}

TEST(SuppositionScope, TakesSizesFromWhereItIsRead) {
  const Ran written("A: bf16[I]");
  const Ran read("A: bf16[I]\nI = 64");
  const Scope scope = supposition_scope(written.session.state().scope, read.session.state().scope);
  EXPECT_EQ(scope.size_of(*scope.names.find_dimension("I")), Amount(64));
}

TEST(LearnNames, NamesOfABlockAreKnownBehindIt) {
  EXPECT_EQ(testing::kinds("T = time { AllGather_X A[I_X] → A[I] }\nprint I"), testing::Kinds{});
}

}  // namespace
}  // namespace shard::symbols_test
