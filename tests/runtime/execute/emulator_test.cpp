#include "runtime/execute/emulator.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/runtime/support/meshes.h"
#include "tests/runtime/support/written_plan.h"

namespace shard::emulator_test {
namespace {

using testing::observed;
using testing::Observed;
using testing::WrittenPlan;

Numbers matrix_product(const Numbers& left, const Numbers& right, std::size_t rows, std::size_t sum,
                       std::size_t columns) {
  Numbers result(rows * columns, 0.0);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < sum; ++k) {
      for (std::size_t j = 0; j < columns; ++j)
        result[i * columns + j] += left[i * sum + k] * right[k * columns + j];
    }
  }
  return result;
}

// --- The documents' case 3 ---

TEST(Run, Case3ReducesByAllReduceOrReduceScatter) {
  for (DType dtype : {DType::Fp32, DType::Bf16}) {
    WrittenPlan script({4});
    const CopyId a = script.input("A", {8, 32}, {{{}, {kX}}, {}}, dtype);
    const CopyId b = script.input("B", {32, 12}, {{{kX}, {}}, {}}, dtype);
    const CopyId c = script.copy("C", {8, 12}, {{{}, {}}, {kX}}, dtype);
    const CopyId all = script.copy("C", {8, 12}, replicated(2), dtype);
    const CopyId part = script.copy("C", {8, 12}, {{{}, {kX}}, {}}, dtype);
    script.multiply(a, b, c);
    script.collective(CollectiveKind::AllReduce, {kX}, c, all);
    script.collective(CollectiveKind::ReduceScatter, {kX}, c, part);
    const Observed seen = observed(script);
    EXPECT_FALSE(seen.report.fault);
    const auto expected = matrix_product(seen.values.at(a), seen.values.at(b), 8, 32, 12);
    EXPECT_EQ(seen.values.at(c), expected);
    EXPECT_EQ(seen.values.at(all), expected);
    EXPECT_EQ(seen.values.at(part), expected);
    EXPECT_EQ(seen.arrays.at(c).storage, DType::Fp32);
    EXPECT_EQ(seen.arrays.at(all).storage, dtype);
    EXPECT_EQ(seen.arrays.at(all).shards.size(), 1u);
  }
}

TEST(Run, AnUnreducedArrayOverAnAxisOfSizeOneIsReduced) {
  WrittenPlan script({1});
  const CopyId a = script.input("A", {4, 4}, {{{}, {kX}}, {}}, DType::Bf16);
  const CopyId b = script.input("B", {4, 4}, {{{kX}, {}}, {}}, DType::Bf16);
  const CopyId c = script.copy("C", {4, 4}, {{{}, {}}, {kX}}, DType::Bf16);
  const CopyId all = script.copy("C", {4, 4}, replicated(2), DType::Bf16);
  script.multiply(a, b, c);
  script.collective(CollectiveKind::AllReduce, {kX}, c, all);
  const Observed seen = observed(script);
  EXPECT_EQ(seen.arrays.at(c).storage, DType::Bf16);
  EXPECT_EQ(seen.arrays.at(all).shards, seen.arrays.at(c).shards);
}

TEST(Run, PartialSumsStayWideUntilTheyAreReduced) {
  WrittenPlan script({2, 2});
  const Layout partial{{{kY}}, {kX}};
  const CopyId a = script.input("A", {8}, partial, DType::Bf16);
  const CopyId gathered = script.copy("A", {8}, {{{}}, {kX}}, DType::Bf16);
  const CopyId shifted = script.copy("S", {8}, partial, DType::Bf16);
  script.collective(CollectiveKind::AllGather, {kY}, a, gathered);
  script.collective(CollectiveKind::Shift, {kY}, a, shifted, 1);
  const Observed seen = observed(script);
  EXPECT_EQ(seen.arrays.at(gathered).storage, DType::Fp32);
  EXPECT_EQ(seen.arrays.at(shifted).storage, DType::Fp32);
  EXPECT_EQ(seen.values.at(gathered), seen.values.at(a));
}

TEST(Run, PartialSumsOfIntegersAreKeptExactly) {
  WrittenPlan script({2});
  const CopyId a = script.input("A", {4, 512}, {{{}, {kX}}, {}}, DType::Int8);
  const CopyId b = script.input("B", {512, 4}, {{{kX}, {}}, {}}, DType::Int8);
  const CopyId c = script.copy("C", {4, 4}, {{{}, {}}, {kX}}, DType::Int8);
  const CopyId all = script.copy("C", {4, 4}, replicated(2), DType::Int8);
  script.multiply(a, b, c);
  script.collective(CollectiveKind::AllReduce, {kX}, c, all);
  const Observed seen = observed(script);
  EXPECT_EQ(seen.arrays.at(c).storage, DType::Fp64);
  EXPECT_EQ(seen.values.at(c), matrix_product(seen.values.at(a), seen.values.at(b), 4, 512, 4));
}

TEST(Run, CountsSaturatedResults) {
  WrittenPlan script({2});
  const CopyId a = script.input("A", {64, 4096}, {{{kX}, {}}, {}}, DType::Int8);
  const CopyId b = script.input("B", {4096, 64}, replicated(2), DType::Int8);
  const CopyId c = script.copy("C", {64, 64}, {{{kX}, {}}, {}}, DType::Int8);
  script.multiply(a, b, c);
  const Observed seen = observed(script);
  std::uint64_t outside = 0;
  for (double value : matrix_product(seen.values.at(a), seen.values.at(b), 64, 4096, 64)) {
    outside += value > 127 || value < -128 ? 1 : 0;
  }
  EXPECT_GT(outside, 0u);
  EXPECT_EQ(seen.report.saturated, outside);
}

// --- Other steps ---

TEST(Run, SlicesShiftsAndTransposes) {
  WrittenPlan script({2, 2});
  const CopyId a = script.input("A", {4, 6}, {{{kX}, {}}, {}});
  const CopyId slice = script.copy("A", {4, 6}, {{{kX}, {kY}}, {}});
  const CopyId shifted = script.copy("S", {4, 6}, {{{kX}, {}}, {}});
  const CopyId transposed = script.copy("T", {6, 4}, {{{}, {kX}}, {}});
  script.plan.steps.push_back({SliceStep{{kY}, a, slice}});
  script.collective(CollectiveKind::Shift, {kX}, a, shifted, 1);
  script.plan.steps.push_back({TransposeStep{a, transposed, {1, 0}}});
  const Observed seen = observed(script);
  const auto& values = seen.values.at(a);
  EXPECT_EQ(seen.values.at(slice), values);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      EXPECT_EQ(seen.values.at(shifted)[i * 6 + j], values[(i + 2) % 4 * 6 + j]);
      EXPECT_EQ(seen.values.at(transposed)[j * 4 + i], values[i * 6 + j]);
    }
  }
}

TEST(Run, ObservesCopiesInStepOrderAndFreesThem) {
  WrittenPlan script({2});
  const CopyId a = script.input("A", {4}, {{{kX}}, {}});
  std::weak_ptr<Buffer> buffer;
  const CopyId gathered = script.copy("A", {4}, replicated(1));
  script.collective(CollectiveKind::AllGather, {kX}, a, gathered);
  script.plan.steps.push_back({FreeStep{a}});
  const CopyId b = script.input("B", {4}, replicated(1));
  std::vector<CopyId> order;
  RunOptions options{.threads = 1};
  options.observe = [&](CopyId copy, const DeviceArray& array) {
    order.push_back(copy);
    if (copy == a) buffer = array.shards.front();
    EXPECT_EQ(buffer.expired(), copy == b);
  };
  run(script.machine, script.plan, options);
  EXPECT_EQ(order, (std::vector<CopyId>{a, gathered, b}));
}

TEST(Run, StopsBetweenStepsWhenCancelled) {
  WrittenPlan script({2});
  script.input("A", {4}, replicated(1));
  script.input("B", {4}, replicated(1));
  int made = 0;
  RunOptions options{.threads = 1};
  options.observe = [&](CopyId, const DeviceArray&) { ++made; };
  options.cancelled = [&] { return made == 1; };
  const RunReport report = run(script.machine, script.plan, options);
  EXPECT_TRUE(report.cancelled);
  EXPECT_FALSE(report.fault);
  EXPECT_EQ(made, 1);
}

TEST(Run, AnEmptyPlanDoesNothing) {
  const WrittenPlan script({2});
  const Observed seen = observed(script, 3);
  EXPECT_FALSE(seen.report.fault);
  EXPECT_FALSE(seen.report.cancelled);
  EXPECT_EQ(seen.report.threads, 3);
}

TEST(Run, LackOfMemoryIsAFaultWithStepAndAmounts) {
#ifdef SHARD_SANITIZED
  GTEST_SKIP() << "sanitizers end the process instead";
#endif
  WrittenPlan script({2});
  script.input("A", {1024}, replicated(1));
  script.input("Huge", {std::int64_t{1} << 50}, replicated(1));
  const Observed seen = observed(script);
  ASSERT_TRUE(seen.report.fault);
  EXPECT_EQ(seen.report.fault->step, 1);
  EXPECT_EQ(seen.report.fault->message,
            "no memory for the 4.504 PB of `Huge` on all devices; arrays alive hold 4.096 kB");
}

// --- Threads ---

// Some of everything, with values that do not sum exactly.
WrittenPlan mixed_script(DType dtype) {
  WrittenPlan script({2, 4});
  const CopyId a = script.input("A", {64, 512}, {{{kX}, {kY}}, {}}, dtype);
  const CopyId b = script.input("B", {512, 96}, {{{kY}, {}}, {}}, dtype);
  const CopyId c = script.copy("C", {64, 96}, {{{kX}, {}}, {kY}}, dtype);
  const CopyId scattered = script.copy("C", {64, 96}, {{{kX}, {kY}}, {}}, dtype);
  const CopyId moved = script.copy("C", {64, 96}, {{{kX, kY}, {}}, {}}, dtype);
  const CopyId w = script.input("W", {96, 1024}, replicated(2), dtype);
  const CopyId d = script.copy("D", {64, 1024}, {{{kX, kY}, {}}, {}}, dtype);
  const CopyId whole = script.copy("D", {64, 1024}, replicated(2), dtype);
  const CopyId e = script.copy("E", {1024, 1024}, replicated(2), dtype);
  script.multiply(a, b, c);
  script.collective(CollectiveKind::ReduceScatter, {kY}, c, scattered);
  script.collective(CollectiveKind::AllToAll, {kY}, scattered, moved);
  script.multiply(moved, w, d);
  script.collective(CollectiveKind::AllGather, {kX, kY}, d, whole);
  script.plan.steps.push_back({ContractStep{whole, whole, e, {1, 0}, {1, 2}, {0, 2}}});
  return script;
}

TEST(Run, EveryThreadCountGivesTheSameBits) {
  for (DType dtype : {DType::Fp64, DType::Fp32, DType::Bf16, DType::Int8}) {
    const WrittenPlan script = mixed_script(dtype);
    const Observed once = observed(script, 1, InputValues::Normal);
    for (int threads : {2, 4, 7}) {
      const Observed again = observed(script, threads, InputValues::Normal);
      EXPECT_EQ(again.report.saturated, once.report.saturated);
      for (const auto& [copy, array] : once.arrays) {
        const auto& shards = again.arrays.at(copy).shards;
        ASSERT_EQ(shards.size(), array.shards.size());
        for (std::size_t s = 0; s < shards.size(); ++s) {
          EXPECT_EQ(std::memcmp(shards[s]->data(), array.shards[s]->data(), shard_bytes(array)), 0)
              << name_of(dtype) << " copy " << copy.value << " shard " << s << " at " << threads
              << " threads";
        }
      }
    }
  }
}

TEST(Run, ShardedValuesAreNearTheUnshardedOnes) {
  const WrittenPlan script = mixed_script(DType::Fp32);
  const Observed seen = observed(script, 2, InputValues::Normal);
  const auto c = matrix_product(seen.values.at({0}), seen.values.at({1}), 64, 512, 96);
  for (std::size_t i = 0; i < c.size(); ++i) EXPECT_NEAR(seen.values.at({3})[i], c[i], 1e-3);
}

// Results are made some at a time: more of them than at once, of more terms than at once, along rows and across.
TEST(Execution, ReductionsOfManyElementsAddAll) {
  for (const bool along_rows : {true, false}) {
    WrittenPlan script({2});
    const Layout layout{{{}, {}}, {}};
    const std::vector<std::int64_t> shape = {3000, 2500};
    const CopyId a = script.input("A", shape, layout);
    const CopyId b = script.copy("B", {shape[along_rows ? 0 : 1]}, {{{}}, {}});
    script.plan.steps.push_back({ReductionStep{.kind = ReductionKind::Sum,
                                               .operand = a,
                                               .result = b,
                                               .operand_labels = {0, 1},
                                               .result_labels = {along_rows ? 0 : 1}}});
    const Observed seen = observed(script);
    Numbers expected(static_cast<std::size_t>(shape[along_rows ? 0 : 1]), 0.0);
    for (std::size_t i = 0; i < 3000 * 2500; ++i)
      expected[along_rows ? i / 2500 : i % 2500] += seen.values.at(a)[i];
    EXPECT_EQ(seen.values.at(b), expected);
  }
}

}  // namespace
}  // namespace shard::emulator_test
