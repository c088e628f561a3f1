#include "runtime/execute/host_demand.h"

#include <gtest/gtest.h>

#include "runtime/execute/emulator.h"
#include "tests/runtime/support/meshes.h"
#include "tests/runtime/support/written_plan.h"

namespace shard::host_demand_test {
namespace {

using testing::WrittenPlan;

TEST(HostDemand, CountsEqualWorkAndSharedBuffersOnce) {
  WrittenPlan script({4, 2});
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
  WrittenPlan script({4});
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
  WrittenPlan script({4});
  const CopyId a = script.input("A", {8, 64}, {{{kX}, {}}, {}});
  const CopyId b = script.copy("B", {8, 5}, {{{kX}, {}}, {}}, DType::Int32);
  script.plan.steps.push_back({SelectionStep{.kind = SelectionKind::Top,
                                             .operands = {a},
                                             .result = b,
                                             .operand_labels = {{0, 1}},
                                             .result_labels = {0, 2},
                                             .along = {1}}});
  EXPECT_EQ(host_demand(script.machine, script.plan).bytes,
            4.0 * 8 * 64 + 4.0 * 8 * 5 + 4 * 16.0 * 5);
}

TEST(HostDemand, ChargesPartialSumsInTheirType) {
  WrittenPlan script({4});
  script.input("A", {8}, {{{}}, {kX}}, DType::Bf16);
  EXPECT_EQ(host_demand(script.machine, script.plan).bytes, 4.0 * 8 * 4);
}

}  // namespace
}  // namespace shard::host_demand_test
