#include <algorithm>
#include <cstdlib>

#include "tests/property.h"
#include "tests/runtime/support/machines.h"

namespace shard::permute_cost_test {
namespace {

using namespace shard::testing;  // NOLINT(google-build-using-namespace)

constexpr std::int64_t kBlock = 1'000'000;  // bytes that a device holds

Formula microseconds(std::int64_t count) { return Rational::fraction(count, 1'000'000); }
// Time of so many blocks on one link in one direction.
Formula link_time(const Machine& m, const Rational& blocks) {
  return Formula(blocks * Rational(kBlock)) / one_way_bandwidth(m.chip);
}

Copy rows(const Machine& m, const std::string& axes_of_rows) {
  return array({size_of(axes(m, axes_of_rows), m.mesh) * Amount(kBlock)}, layout(m, {axes_of_rows}),
               DType::Int8);
}

Cost reorder(const Machine& m, const std::string& from, const std::string& to) {
  return cost_of_collective(CollectiveKind::CollectivePermute, axes(m, from), 0, rows(m, from),
                            rows(m, to), m);
}

Cost shift(const Machine& m, const std::string& over, int by) {
  return cost_of_collective(CollectiveKind::Shift, axes(m, over), by, rows(m, over), rows(m, over),
                            m);
}

TEST(PermuteCost, SendUsesAllPortsThatLeadTheWay) {
  // Question 5 of the book's chapter on TPUs: bf16[8, 128, 8192] from (0,0) to (3,3) of TPUv5e 4x4.
  const Machine m = slice(tpu_v5e(), {4, 4});
  const Cost cost =
      cost_of_send(8LL * 128 * 8192 * 2, device_at(m.mesh, {0, 0}), device_at(m.mesh, {3, 3}), m);
  EXPECT_EQ(seconds(cost.comms), "192.4 us");
  EXPECT_EQ(seconds(cost.comms_latency), "6.000 us");
  EXPECT_EQ(cost.comm_bytes, Amount(8LL * 128 * 8192 * 2));
}

Copy placed(const Machine& m, const std::string& axis, std::int64_t coordinate) {
  Copy copy = rows(m, "");
  copy.layout.placed = {{axes(m, axis).front(), coordinate}};
  return copy;
}

TEST(PermuteCost, WhatIsHeldAtOnePlaceGoesToAnotherAsASendDoes) {
  const Machine m = machine(tpu_v5e(), {ring("X", 8), ring("Y", 4)});
  const auto move = [&](std::int64_t from, std::int64_t to) {
    return cost_of_collective(CollectiveKind::CollectivePermute, axes(m, "X"), 0,
                              placed(m, "X", from), placed(m, "X", to), m);
  };
  EXPECT_EQ(move(0, 1).comms, link_time(m, 1) + microseconds(1));
  EXPECT_EQ(move(6, 1).comms, link_time(m, 1) + microseconds(3));
  EXPECT_EQ(move(0, 4).comms, link_time(m, Rational::fraction(1, 2)) + microseconds(4));
  EXPECT_EQ(move(0, 1).comm_bytes, Amount(kBlock));
}

TEST(PermuteCost, BroadcastPassesEachLinkOnce) {
  const Machine ring_of_8 = machine(tpu_v5e(), {ring("X", 8)});
  const auto broadcast = [&](const Machine& m, const std::string& over) {
    return cost_of_collective(CollectiveKind::Broadcast, axes(m, over), 0, placed(m, "X", 0),
                              rows(m, ""), m);
  };
  EXPECT_EQ(broadcast(ring_of_8, "X").comms, link_time(ring_of_8, 1) + microseconds(4));
  EXPECT_EQ(broadcast(ring_of_8, "X").comm_bytes, Amount(kBlock));
  const Machine two = machine(tpu_v5e(), {ring("X", 8), ring("Y", 4)});
  EXPECT_EQ(broadcast(two, "XY").comms, link_time(two, 1) + microseconds(6));
}

TEST(PermuteCost, SendToItselfIsFree) {
  const Machine m = slice(tpu_v5e(), {4, 4});
  EXPECT_TRUE(cost_of_send(kBlock, 5, 5, m).time().is_zero());
}

TEST(PermuteCost, SendOverTooManyDevicesIsNotGoneThrough) {
  const Machine m = machine(tpu_v5e(), {ring("X", 1 << 30)});
  EXPECT_EQ(cost_of_send(kBlock, 0, 1 << 29, m).comms_latency, microseconds(1 << 29));
}

TEST(PermuteCost, ShiftByOneOnARingIsOneHop) {
  const Machine m = machine(tpu_v5e(), {ring("X", 8)});
  for (const int by : {1, -1, 9}) {
    EXPECT_EQ(shift(m, "X", by).comms, link_time(m, 1) + microseconds(1)) << by;
  }
  EXPECT_EQ(shift(m, "X", 1).comm_bytes, Amount(kBlock));
}

TEST(PermuteCost, ShiftOnALineSendsTheLastBlockBack) {
  const Machine m = machine(tpu_v5e(), {line("X", 8)});
  EXPECT_EQ(shift(m, "X", 1).comms, link_time(m, 1) + microseconds(7));
}

TEST(PermuteCost, ShiftHalfWayUsesBothDirections) {
  const Machine m = machine(tpu_v5e(), {ring("X", 8)});
  EXPECT_EQ(shift(m, "X", 4).comms, link_time(m, 2) + microseconds(4));
}

// Of a block (8 − s)/8 go s hops up and s/8 go 8 − s hops down: each link carries s·(8 − s)/8 blocks, one way as the other.
TEST(PermuteCost, OnTheLinksAShiftTakesBothWaysRoundARing) {
  Machine m = machine(tpu_v5p(), {ring("X", 8)});
  for (const int by : {1, 2, 3, 4, 5, -1, -3}) {
    m.model = CostModel::Book;
    const double short_way = shift(m, "X", by).comms.constant()->to_double();
    m.model = CostModel::Links;
    const double seconds = shift(m, "X", by).comms.constant()->to_double();
    const double hops = std::abs(by);
    const double carried = kBlock / m.chip.ici_one_way->to_double() * hops * (8 - hops) / 8;
    EXPECT_NEAR(seconds, carried + 1e-6, 1e-8) << by;
    EXPECT_LT(seconds, short_way) << by;
  }
}

// The way round would take longer than the whole block takes by the short one.
TEST(PermuteCost, OnTheLinksAShiftOfASmallBlockGoesTheShortWay) {
  Machine m = machine(tpu_v5p(), {ring("X", 8)});
  const auto latency = [&] {
    const Copy copy = array({Amount(8)}, layout(m, {"X"}), DType::Int8);
    return cost_of_collective(CollectiveKind::Shift, axes(m, "X"), 1, copy, copy, m).comms_latency;
  };
  const Formula by_the_book = latency();
  m.model = CostModel::Links;
  EXPECT_EQ(latency(), by_the_book);
}

TEST(PermuteCost, OnTheLinksABroadcastGoesByAsManyTreesAsThereAreLinks) {
  Machine m = machine(tpu_v5p(), {ring("X", 4), ring("Y", 8), ring("Z", 8)});
  const auto broadcast = [&](const std::string& over) {
    Copy from = rows(m, "");
    from.shape = {Amount(1000) * Amount(kBlock)};
    Copy to = from;
    for (const AxisId axis : axes(m, over)) from.layout.placed.edit().push_back({axis, 1});
    return cost_of_collective(CollectiveKind::Broadcast, axes(m, over), 0, from, to, m)
        .comms.constant()
        ->to_double();
  };
  const double book = broadcast("X");
  m.model = CostModel::Links;
  EXPECT_NEAR(broadcast("Y") / book, 1.0 / 2, 0.01);
  EXPECT_NEAR(broadcast("YZ") / book, 1.0 / 4, 0.01);
  EXPECT_NEAR(broadcast("XYZ") / book, 1.0 / 6, 0.01);
}

TEST(PermuteCost, ShiftAllTheWayRoundIsFree) {
  const Machine m = machine(tpu_v5e(), {ring("X", 8), axis("Y", {1})});
  EXPECT_TRUE(shift(m, "X", 8).comms.is_zero());
  EXPECT_TRUE(shift(m, "X", 0).comms.is_zero());
  EXPECT_TRUE(shift(m, "Y", 1).comms.is_zero());
}

TEST(PermuteCost, ShiftOverTwoAxesCountsThroughThem) {
  const Machine m = machine(tpu_v5e(), {ring("X", 4), ring("Y", 4)});
  // The last of each row goes on to the next row: one hop along each axis.
  EXPECT_EQ(shift(m, "XY", 1).comms_latency, microseconds(2));
  EXPECT_EQ(shift(m, "XY", 4).comms, link_time(m, 1) + microseconds(1)) << "a shift of X alone";
}

TEST(PermuteCost, ReorderingTheAxesOfADimensionTransposesTheBlocks) {
  const Machine rings = machine(tpu_v5e(), {ring("X", 4), ring("Y", 4)});
  // Into its place a link carries a neighbour and half of the opposite block: 3/2, by 2 ports.
  EXPECT_EQ(reorder(rings, "XY", "YX").comms,
            link_time(rings, Rational::fraction(3, 4)) + microseconds(4));
  const Machine square = machine(tpu_v5e(), {line("X", 2), line("Y", 2)});
  EXPECT_EQ(reorder(square, "XY", "YX").comms,
            link_time(square, Rational::fraction(1, 2)) + microseconds(2));
}

TEST(PermuteCost, ReorderingChargesWhatADeviceSends) {
  const Machine m = machine(tpu_v5e(), {ring("X", 4), ring("Y", 2)});
  EXPECT_EQ(reorder(m, "XY", "YX").comm_bytes, Amount(kBlock));
  EXPECT_TRUE(reorder(m, "XY", "XY").comms.is_zero());
}

TEST(PermuteCost, AxesOfSizeOneDoNotReorder) {
  const Machine m = machine(tpu_v5e(), {ring("X", 4), axis("Y", {1})});
  EXPECT_TRUE(reorder(m, "XY", "YX").comms.is_zero());
}

TEST(PermuteCost, SwappingTheAxesOfTwoDimensionsIsATransposeToo) {
  const Machine m = machine(tpu_v5e(), {ring("X", 4), ring("Y", 4)});
  const Cost cost = collective(CollectiveKind::CollectivePermute, m, "XY", {4, 4 * kBlock},
                               layout(m, {"X", "Y"}), layout(m, {"Y", "X"}), DType::Int8);
  EXPECT_EQ(cost.comms, reorder(m, "XY", "YX").comms);
}

TEST(PermuteCost, BlocksBetweenSlicesTakeTheirNetwork) {
  const Machine m = machine(tpu_v5e(), {dcn("P", 2), ring("X", 4)});
  EXPECT_EQ(shift(m, "P", 1).comms, Formula(kBlock) / dcn_bandwidth(m.chip) + microseconds(10));
  EXPECT_EQ(reorder(m, "PX", "XP").comms_latency, microseconds(2 + 10));
}

TEST(PermuteCost, InSymbolsAShiftIsOneHopPerStep) {
  const Machine m = symbolic({"X"});
  EXPECT_EQ(shift(m, "X", 1).comms.to_string(), "T_min + 2000000 / W");
  EXPECT_EQ(shift(m, "X", -2).comms, Formula(2) * shift(m, "X", 1).comms);
}

TEST(PermuteCost, InSymbolsReorderingIsBoundedByTwoAllToAlls) {
  const Machine m = symbolic({"X", "Y"});
  EXPECT_EQ(reorder(m, "XY", "YX").comms.to_string(),
            "T_min·⌈X / 2⌉ + T_min·⌈Y / 2⌉ + 500000·max(X, Y) / W");
}

TEST(PermuteCost, TwoAllToAllsAreNeverCheaperThanTheWaysOfASquare) {
  const Machine in_symbols = symbolic({"X", "Y"});
  const Formula bound = reorder(in_symbols, "XY", "YX").comms;
  const Rational hop = Rational::fraction(1, 1'000'000);
  for (const std::int64_t n : {2, 3, 4, 5, 8, 12, 16}) {
    const Machine square = machine(tpu_v5e(), {ring("X", n), ring("Y", n)});
    const Values sizes{{"X", n}, {"Y", n}, {"W", 90'000'000'000}, {"T_min", hop}};
    EXPECT_LE(number(reorder(square, "XY", "YX").comms), number(bound.substitute(sizes))) << n;
  }
}

SHARD_PROPERTY(PermuteCost, ThereAndBackCostTheSameOnSquares, 50) {
  const std::int64_t length = *rc::gen::inRange(2, 9);
  const Machine m = machine(tpu_v5e(), {ring("X", length), ring("Y", length)});
  RC_ASSERT(reorder(m, "XY", "YX").comms == reorder(m, "YX", "XY").comms);
}

}  // namespace
}  // namespace shard::permute_cost_test
