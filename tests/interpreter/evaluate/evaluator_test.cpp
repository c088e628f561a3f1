#include "interpreter/evaluate/evaluator.h"

#include <gtest/gtest.h>

#include "tests/interpreter/support/scripts.h"

namespace shard::evaluator_test {
namespace {

using testing::kinds;
using testing::Kinds;
using testing::value_of;

const std::string kV5p = "hardware TPUv5p 4x4x4\nmesh {X: 4x4, Y: 4}\n";

// ---------------------------------------------------------------- arithmetic and units

TEST(Evaluator, ComputesWithTheUsualPrecedence) {
  EXPECT_EQ(value_of("2 + 3 * 4"), "14");
  EXPECT_EQ(value_of("(2 + 3) * 4"), "20");
  EXPECT_EQ(value_of("2 * 3^2"), "18");
  EXPECT_EQ(value_of("-2^2"), "-4");
  EXPECT_EQ(value_of("2^3^2"), "512");
  EXPECT_EQ(value_of("10 - 3 - 2"), "5");
  EXPECT_EQ(value_of("12 / 3 / 2"), "2");
}

TEST(Evaluator, NumbersAreExact) {
  EXPECT_EQ(value_of("0.1 + 0.2 - 0.3"), "0");
  EXPECT_EQ(value_of("2^100 / 2^98"), "4");
  EXPECT_EQ(value_of("1/3 + 1/3 + 1/3"), "1");
}

TEST(Evaluator, ReadsSuffixesAndUnits) {
  EXPECT_EQ(value_of("48k"), "48,000");
  EXPECT_EQ(value_of("1Ki"), "1,024");
  EXPECT_EQ(value_of("48_000 - 48k"), "0");
  EXPECT_EQ(value_of("1 GiB / 1 MiB"), "1,024");
  EXPECT_EQ(value_of("2 GB"), "2.000 GB");
}

TEST(Evaluator, UnitsMultiplyAndDivide) {
  EXPECT_EQ(value_of("9 GB / (4.5e9 B/s)"), "2.000 s");
  EXPECT_EQ(value_of("1e12 B/s * 1 ms"), "1.000 GB");
  EXPECT_EQ(value_of("4 GB / 2 GB"), "2");
  EXPECT_EQ(value_of("1 / (2 s) * (4 s)"), "2");
}

TEST(Evaluator, AddsOnlyLikeToLike) {
  EXPECT_EQ(value_of("1 GB + 500 MB"), "1.500 GB");
  EXPECT_EQ(kinds("print 16 GB + 3 us"), Kinds{"UnitMismatch"});
  EXPECT_EQ(kinds("print 16 GB - 3"), Kinds{"UnitMismatch"});
}

TEST(Evaluator, ComparesOnlyLikeWithLike) {
  EXPECT_EQ(value_of("3 us < 4 us"), "true");
  EXPECT_EQ(value_of("1 GB == 1000 MB"), "true");
  EXPECT_EQ(value_of("1 GB != 1 GiB"), "true");
  EXPECT_EQ(kinds("print 3 GB < 2 s"), Kinds{"UnitMismatch"});
}

TEST(Evaluator, ExponentsArePlainNumbers) {
  EXPECT_EQ(kinds("print 2^(3 us)"), Kinds{"UnitMismatch"});
  EXPECT_EQ(value_of("2^-1"), "0.5");
}

TEST(Evaluator, DivisionByZeroIsAnError) {
  EXPECT_EQ(kinds("print 1 / 0"), Kinds{"DivisionByZero"});
  EXPECT_EQ(kinds("B = 4, D = 4\nprint B / (B - D)"), Kinds{"DivisionByZero"});
}

TEST(Evaluator, OverflowIsAnErrorAndNeverAWrongNumber) {
  EXPECT_EQ(kinds("print 2^100 * 2^100"), Kinds{"NumberTooLarge"});
  EXPECT_EQ(kinds("B = 9_000_000_000_000_000_000\nprint B * B * B"), Kinds{"NumberTooLarge"});
}

TEST(Evaluator, LogicNeedsConditions) {
  EXPECT_EQ(value_of("1 < 2 and 3 < 4"), "true");
  EXPECT_EQ(value_of("1 < 2 and 4 < 3"), "false");
  EXPECT_EQ(value_of("2 < 1 or 3 < 4"), "true");
  EXPECT_EQ(value_of("not 2 < 1"), "true");
  EXPECT_EQ(kinds("print 1 and 2 < 3"), Kinds{"BadArgument"});
  EXPECT_EQ(kinds("print (1 < 2) + 3"), Kinds{"NotScalar"});
}

// ---------------------------------------------------------------- functions

TEST(Functions, ComputeNumbers) {
  EXPECT_EQ(value_of("min(3, 2, 5)"), "2");
  EXPECT_EQ(value_of("max(3, 2, 5)"), "5");
  EXPECT_EQ(value_of("sum(1, 2, 3)"), "6");
  EXPECT_EQ(value_of("sqrt(16)"), "4");
  EXPECT_EQ(value_of("rsqrt(16)"), "0.25");
  EXPECT_EQ(value_of("round(2.5)"), "2");
  EXPECT_EQ(value_of("round(-3.5)"), "-4");
  EXPECT_EQ(value_of("ceil(2.1)"), "3");
  EXPECT_EQ(value_of("floor(2.9)"), "2");
  EXPECT_EQ(value_of("ceil(-2.1)"), "-2");
  EXPECT_EQ(value_of("log2(1024)"), "10");
}

TEST(Functions, KeepTheUnitOfTheirArguments) {
  EXPECT_EQ(value_of("max(3 us, 2 us)"), "3.000 us");
  EXPECT_EQ(kinds("print max(3 us, 2)"), Kinds{"UnitMismatch"});
  EXPECT_EQ(kinds("print sqrt(4 s)"), Kinds{"UnitMismatch"});
}

TEST(Functions, WantTheRightArguments) {
  for (const char* call : {"sqrt(1, 2)", "sqrt()", "min()", "sqrt(-1)", "log2(0)"})
    EXPECT_EQ(kinds(std::string("print ") + call), Kinds{"BadArgument"}) << call;
  EXPECT_EQ(kinds("print average(3)"), Kinds{"UnknownFunction"});
}

TEST(Functions, BytesArePerDevice) {
  const std::string sizes = "mesh {X: 4, Y: 2}\nI = 64, J = 32\n";
  EXPECT_EQ(value_of("bytes(A[I_X, J])", sizes), "1.024 kB");
  EXPECT_EQ(value_of("bytes(A[I_{XY}, J])", sizes), "512 B");
  EXPECT_EQ(value_of("bytes(fp32[I, J])", sizes), "8.192 kB");
  EXPECT_EQ(value_of("bytes(int8[64_X, 32])", sizes), "512 B");
}

TEST(Functions, TotalBytesCountReplicas) {
  const std::string sizes = "mesh {X: 4, Y: 2}\nI = 64, J = 32\n";
  EXPECT_EQ(value_of("total_bytes(A[I_{XY}, J])", sizes), "4.096 kB");
  EXPECT_EQ(value_of("total_bytes(A[I_X, J])", sizes), "8.192 kB");
  EXPECT_EQ(value_of("total_bytes(A[I, J])", sizes), "32.77 kB");
}

TEST(Functions, BytesOfABareNameAreItsNewestCopys) {
  const std::string made = "mesh {X: 4}\nI = 64\nA[I_X] → B[I_X]\nB[I] = AllGather_X B[I_X]\n";
  EXPECT_EQ(value_of("bytes(B)", made), "128 B");
  EXPECT_EQ(value_of("bytes(B[I_X])", made), "32 B");
}

TEST(Functions, BytesOfAnInt4AreHalf) { EXPECT_EQ(value_of("bytes(int4[64])"), "32 B"); }

// ---------------------------------------------------------------- names

TEST(NamesInArithmetic, AreScalarsThenDimensionsThenAxes) {
  EXPECT_EQ(value_of("T", "T = 7"), "7");
  EXPECT_EQ(value_of("I", "I = 64\nA: bf16[I]"), "64");
  EXPECT_EQ(value_of("X", "mesh {X: 4}"), "4");
  EXPECT_EQ(value_of("X", "mesh {X: 4}\nX = 9"), "9");
  EXPECT_EQ(value_of("|X|", "mesh {X: 4}"), "4");
}

TEST(NamesInArithmetic, WithoutAValueAreSymbols) {
  EXPECT_EQ(value_of("2*I*J*K / |X|", "A[I_X, J] · B[J, K] → C[I_X, K]"), "2·I·J·K / X");
  EXPECT_EQ(value_of("bytes(A[I_X, J])", "J = 8\nA: bf16[I_X, J]"), "16·I / X B");
}

TEST(NamesInArithmetic, ThatNothingDeclaresAreUnknown) {
  EXPECT_EQ(kinds("print Q"), Kinds{"UnknownName"});
  EXPECT_EQ(kinds("print |Q|"), Kinds{"UnknownName"});
}

TEST(NamesInArithmetic, OfArraysAreNoScalars) {
  EXPECT_EQ(kinds("A: bf16[I, J]\nif 2 + A > 3 { print 1 }"), Kinds{"NotScalar"});
  EXPECT_EQ(kinds("A: bf16[I, J]\nif 2 + A[I, J] > 3 { print 1 }"), Kinds{"NotScalar"});
}

TEST(NamesInArithmetic, AreAmbiguousBesideAFigureOfTheChip) {
  EXPECT_EQ(kinds(kV5p + "C = 512\nprint 2 * C"), Kinds{"AmbiguousName"});
  EXPECT_EQ(kinds(kV5p + "C = 512\nprint chip.C / 2\nprint 2"), Kinds{});
  EXPECT_EQ(kinds(kV5p + "C = 512\nA: bf16[C]\nprint |C|"), Kinds{});
}

TEST(NamesInArithmetic, AreTheScriptsWhileNoChipIsDeclared) {
  EXPECT_EQ(value_of("2 * C", "C = 512"), "1,024");
}

TEST(NamesInArithmetic, TheHelpForAnAmbiguousNameMendsIt) {
  EXPECT_EQ(kinds(kV5p + "C = 512\nprint 2 * chip.C"), Kinds{});
  EXPECT_EQ(kinds(kV5p + "C = 512\nprint 2 * |C|"), Kinds{});
}

TEST(NamesInArithmetic, DevicesIsTheirNumber) {
  EXPECT_EQ(value_of("devices", kV5p), "64");
  EXPECT_EQ(kinds("print devices"), Kinds{"NoMesh"});
}

// ---------------------------------------------------------------- the chip

TEST(Chip, HasItsFigures) {
  EXPECT_EQ(value_of("chip.C / (1e12 FLOP/s)", kV5p), "459");
  EXPECT_EQ(value_of("chip.HBM", kV5p), "96.00 GB");
  EXPECT_EQ(value_of("chip.W_ici / chip.W1", kV5p), "2");
  EXPECT_EQ(value_of("C / (1e12 FLOP/s)", kV5p), "459");
}

TEST(Chip, HasNoOtherFigures) {
  EXPECT_EQ(kinds(kV5p + "print chip.flops"), Kinds{"UnknownField"});
  EXPECT_EQ(kinds("mesh {X: 4}\nprint chip.HBM"), Kinds{"NoHardware"});
}

TEST(Chip, IsASymbolWhileNoneIsDeclared) { EXPECT_EQ(kinds("print 2 FLOP / chip.C"), Kinds{}); }

// ---------------------------------------------------------------- suppositions

const std::string kCost =
    kV5p + "B = 512, D = 256\nc = cost { In[B, D] = AllGather_{XY} In[B_X, D_Y] }\n";

TEST(Supposition, HasFigures) {
  EXPECT_EQ(value_of("c.flops", kCost), "0 FLOPs");
  EXPECT_EQ(value_of("c.math == 0 s", kCost), "true");
  EXPECT_EQ(value_of("c.comms > 0 s", kCost), "true");
  EXPECT_EQ(value_of("c.time == c.comms", kCost), "true");
  EXPECT_EQ(value_of("c.lower <= c.time and c.time <= c.upper", kCost), "true");
  EXPECT_EQ(value_of("c.fits", kCost), "true");
}

TEST(Supposition, HasNoOtherFigures) {
  EXPECT_EQ(kinds(kCost + "print c.maths"), Kinds{"UnknownField"});
  EXPECT_EQ(kinds("x = 3\nprint x.time"), Kinds{"UnknownField"});
}

TEST(Supposition, CountsCommsPerAxis) {
  const std::string one =
      kV5p + "B = 512, D = 256\nc = cost { In[B, D] = AllGather_X In[B_X, D] }\n";
  EXPECT_EQ(value_of("c.comms(X) == c.comms", one), "true");
  EXPECT_EQ(value_of("c.comms(Y)", one), "0 s");
  EXPECT_EQ(kinds(one + "print c.comms(Q)"), Kinds{"UnknownAxis"});
}

TEST(Supposition, NeverTouchesTheScript) {
  EXPECT_EQ(kinds("mesh {X: 4}\nI = 64\nc = cost { A[I_X] → B[I_X] }\nB → C[I]"),
            Kinds{"UnknownName"});
  EXPECT_EQ(value_of("devices", "mesh {X: 4}\nc = cost { mesh {X: 8} }"), "4");
}

TEST(Supposition, MayExceedTheMemory) {
  const std::string large =
      "hardware TPUv5e 2x2\nmesh {X: 2, Y: 2}\nc = cost { A[1M_X, 1M] → B[1M_X, 1M] }\n";
  EXPECT_EQ(kinds(large), Kinds{});
  EXPECT_EQ(value_of("c.fits", large), "false");
}

TEST(Supposition, IsPlannedAnewWithTheSizesInForce) {
  EXPECT_EQ(value_of("c.flops", "c = cost { A[I, J] · B[J, K] → D[I, K] }\nI = 2, J = 3, K = 5"),
            "60 FLOPs");
}

TEST(Supposition, TimeAndFlopsOfABlock) {
  EXPECT_EQ(value_of("flops { A[I, J] · B[J, K] → D[I, K] }", "I = 2, J = 3, K = 5"), "60 FLOPs");
  EXPECT_EQ(value_of("time { AllGather_X A[I_X] → A[I] } > 0 s", kV5p + "I = 4096\n"), "true");
}

TEST(Supposition, OfNothingCostsNothing) {
  EXPECT_EQ(value_of("c.flops", "c = cost { }"), "0 FLOPs");
}

TEST(Supposition, HoldsNoAnswers) {
  EXPECT_EQ(kinds("c = cost { print 3 }"), Kinds{"BadArgument"});
}

TEST(Supposition, IsNoNumber) { EXPECT_EQ(kinds(kCost + "print c + 1"), Kinds{"NotScalar"}); }

// ---------------------------------------------------------------- comparing formulas

TEST(SymbolicComparison, IsDecidedWhereItHoldsForAllSizes) {
  const std::string names = "A[B, D] → C[B, D]\n";
  EXPECT_EQ(value_of("B < 2*B", names), "true");
  EXPECT_EQ(value_of("2*B*D == D*B*2", names), "true");
  EXPECT_EQ(value_of("B*D < B", names), "undecided");
}

TEST(SymbolicComparison, ThatNeedsSizesIsUndecidable) {
  const testing::Ran ran("A[B, D] → C[B, D]\nexpect 2*B < 3*D", testing::running());
  EXPECT_EQ(testing::kinds_of(ran.outcome), Kinds{"Undecidable"});
}

}  // namespace
}  // namespace shard::evaluator_test
