#include "runtime/execute/emulator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>

#include "runtime/execute/host_demand.h"
#include "tests/runtime/support/meshes.h"

namespace shard {
namespace {

// A plan written step by step.
struct Script {
  Machine machine;
  Plan plan;

  explicit Script(const std::vector<std::int64_t>& sizes) { machine.mesh = mesh_of(sizes); }

  CopyId copy(std::string name, const std::vector<std::int64_t>& shape, Layout layout,
              DType dtype = DType::Fp32) {
    Copy copy{.name = std::move(name), .dtype = dtype, .layout = std::move(layout)};
    for (std::int64_t extent : shape) {
      copy.dimensions.edit().push_back("D");
      copy.shape.edit().push_back(Amount(extent));
    }
    return plan.copies.add(copy);
  }
  CopyId input(const std::string& seed, const std::vector<std::int64_t>& shape,
               const Layout& layout, DType dtype = DType::Fp32) {
    const CopyId result = copy(seed, shape, layout, dtype);
    plan.steps.push_back({InputStep{result, seed}});
    return result;
  }
  // ik = Σ_j ij · jk.
  void multiply(CopyId left, CopyId right, CopyId result) {
    plan.steps.push_back({ContractStep{left, right, result, {0, 1}, {1, 2}, {0, 2}}});
  }
  void collective(CollectiveKind kind, std::vector<AxisId> axes, CopyId operand, CopyId result,
                  int shift = 0) {
    plan.steps.push_back({CollectiveStep{kind, std::move(axes), operand, result, shift}});
  }
};

// All copies of a run, as they were made.
struct Observed {
  RunReport report;
  std::vector<CopyId> order;
  std::map<CopyId, DeviceArray> arrays;
  std::map<CopyId, Numbers> values;
};

Observed observed(const Script& script, int threads = 2,
                  InputValues inputs = InputValues::Integers) {
  Observed seen;
  RunOptions options{.threads = threads, .inputs = inputs};
  options.observe = [&](CopyId copy, const DeviceArray& array) {
    seen.order.push_back(copy);
    seen.arrays[copy] = array;
    seen.values[copy] = assemble(array, script.machine.mesh).values;
  };
  seen.report = run(script.machine, script.plan, options);
  return seen;
}

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

// --- Inputs ---

TEST(InputValue, IsAPureFunctionOfSeedAndIndex) {
  EXPECT_EQ(input_value(InputValues::Normal, "A", 7), input_value(InputValues::Normal, "A", 7));
  EXPECT_NE(input_value(InputValues::Normal, "A", 7), input_value(InputValues::Normal, "B", 7));
  EXPECT_NE(input_value(InputValues::Normal, "A", 7), input_value(InputValues::Normal, "A", 8));
}

TEST(InputValue, IntegersAreSmallAndBalanced) {
  std::map<double, int> counts;
  for (std::uint64_t i = 0; i < 16000; ++i) ++counts[input_value(InputValues::Integers, "A", i)];
  ASSERT_EQ(counts.size(), 5u);
  EXPECT_NEAR(counts[0], 8000, 300);
  EXPECT_NEAR(counts[1], 3000, 200);
  EXPECT_NEAR(counts[-1], 3000, 200);
  EXPECT_NEAR(counts[2], 1000, 150);
  EXPECT_NEAR(counts[-2], 1000, 150);
}

TEST(InputValue, NormalHasMeanZeroAndVarianceOne) {
  double sum = 0;
  double squares = 0;
  constexpr int kCount = 40000;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const double value = input_value(InputValues::Normal, "A", i);
    ASSERT_TRUE(std::isfinite(value));
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / kCount, 0.0, 0.02);
  EXPECT_NEAR(squares / kCount, 1.0, 0.03);
}

TEST(Inputs, EveryLayoutHoldsTheSameArray) {
  for (DType dtype : {DType::Fp64, DType::Fp32, DType::Bf16, DType::Int8}) {
    for (InputValues values : {InputValues::Integers, InputValues::Normal}) {
      Script script({2, 3});
      const CopyId whole = script.input("A", {4, 6}, replicated(2), dtype);
      const CopyId split = script.input("A", {4, 6}, {{{kX}, {kY}}, {}}, dtype);
      const CopyId partial = script.input("A", {4, 6}, {{{kX}, {}}, {kY}}, dtype);
      const Observed seen = observed(script, 2, values);
      EXPECT_EQ(seen.values.at(whole), seen.values.at(split));
      EXPECT_EQ(seen.values.at(whole), seen.values.at(partial));
      for (std::uint64_t i = 0; i < 24; ++i) {
        EXPECT_EQ(seen.values.at(whole)[i], rounded_to(dtype, input_value(values, "A", i)));
      }
    }
  }
}

TEST(Inputs, PartialSumsAreSpreadOverTheDevices) {
  Script script({3});
  const CopyId partial = script.input("A", {300}, {{{}}, {kX}});
  const Observed seen = observed(script);
  for (const auto& shard : seen.arrays.at(partial).shards) {
    int filled = 0;
    for (std::size_t i = 0; i < 300; ++i)
      filled += read_element(shard->data(), DType::Fp32, i) != 0 ? 1 : 0;
    EXPECT_GT(filled, 20);
    EXPECT_LT(filled, 90);
  }
}

// --- The documents' case 3 ---

TEST(Run, Case3ReducesByAllReduceOrReduceScatter) {
  for (DType dtype : {DType::Fp32, DType::Bf16}) {
    Script script({4});
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
  Script script({1});
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
  Script script({2, 2});
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
  Script script({2});
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
  Script script({2});
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
  Script script({2, 2});
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
  Script script({2});
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
  Script script({2});
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
  const Script script({2});
  const Observed seen = observed(script, 3);
  EXPECT_FALSE(seen.report.fault);
  EXPECT_FALSE(seen.report.cancelled);
  EXPECT_EQ(seen.report.threads, 3);
}

TEST(Run, LackOfMemoryIsAFaultWithStepAndAmounts) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers end the process instead";
#endif
  Script script({2});
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
Script mixed_script(DType dtype) {
  Script script({2, 4});
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
    const Script script = mixed_script(dtype);
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
  const Script script = mixed_script(DType::Fp32);
  const Observed seen = observed(script, 2, InputValues::Normal);
  const auto c = matrix_product(seen.values.at({0}), seen.values.at({1}), 64, 512, 96);
  for (std::size_t i = 0; i < c.size(); ++i) EXPECT_NEAR(seen.values.at({3})[i], c[i], 1e-3);
}

// --- Demand ---

TEST(HostDemand, CountsEqualWorkAndSharedBuffersOnce) {
  Script script({4, 2});
  const CopyId a = script.input("A", {8, 16}, {{{kX}, {}}, {}});  // 4 shards of 2 × 16
  const CopyId b = script.input("B", {16, 32}, replicated(2));
  const CopyId c = script.copy("C", {8, 32}, {{{kX}, {}}, {}});
  script.multiply(a, b, c);
  script.plan.steps.push_back({FreeStep{a}});
  script.input("D", {4}, replicated(1));
  const HostDemand demand = host_demand(script.machine, script.plan);
  EXPECT_EQ(demand.flops, 2.0 * 8 * 16 * 32);
  EXPECT_EQ(demand.bytes, 4.0 * (8 * 16 + 16 * 32 + 8 * 32));
}

// Columns of one operand and rows of the other at each turn: both are parts of what is there.
TEST(HostDemand, CountsPartsAndPackedOperandsOfProducts) {
  Script script({4});
  const CopyId a = script.input("A", {8, 16}, replicated(2), DType::Fp64);
  const CopyId b = script.input("B", {16, 32}, replicated(2), DType::Fp64);
  const CopyId c = script.copy("C", {8, 32}, {{{}, {}}, {kX}}, DType::Fp64);
  script.multiply(a, b, c);
  const double arrays = 8.0 * (8 * 16 + 16 * 32);
  const double whole = host_demand(script.machine, script.plan).bytes;
  std::get<ContractStep>(script.plan.steps.back().action).piece = Piece{.axes = {kX}, .along = 1};
  const double in_turns = host_demand(script.machine, script.plan).bytes;
  EXPECT_EQ(whole, arrays + 4 * 8.0 * 8 * 32);
  EXPECT_EQ(in_turns, whole + arrays);
}

// What a top keeps of each row was not counted: an index and a value for as many as are wanted.
TEST(HostDemand, CountsTheCandidatesOfATop) {
  Script script({4});
  const CopyId a = script.input("A", {8, 64}, {{{kX}, {}}, {}});
  const CopyId b = script.copy("B", {8, 5}, {{{kX}, {}}, {}}, DType::Int32);
  script.plan.steps.push_back({SelectionStep{.kind = SelectionKind::Top,
                                             .operands = {a},
                                             .result = b,
                                             .operand_labels = {{0, 1}},
                                             .result_labels = {0, 2},
                                             .along = 1}});
  EXPECT_EQ(host_demand(script.machine, script.plan).bytes,
            4.0 * 8 * 64 + 4.0 * 8 * 5 + 4 * 16.0 * 5);
}

// Results are made some at a time: more of them than at once, of more terms than at once, along rows and across.
TEST(Execution, ReductionsOfManyElementsAddAll) {
  for (const bool along_rows : {true, false}) {
    Script script({2});
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

TEST(HostDemand, ChargesPartialSumsInTheirType) {
  Script script({4});
  script.input("A", {8}, {{{}}, {kX}}, DType::Bf16);
  EXPECT_EQ(host_demand(script.machine, script.plan).bytes, 4.0 * 8 * 4);
}

}  // namespace
}  // namespace shard
