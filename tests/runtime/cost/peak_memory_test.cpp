#include "runtime/cost/peak_memory.h"

#include <limits>

#include "tests/runtime/support/machines.h"

namespace shard::peak_memory_test {
namespace {

using namespace shard::testing;  // NOLINT(google-build-using-namespace)

class PeakMemoryTest : public ::testing::Test {
 protected:
  CopyId copy(const Amount& bytes) {
    return plan.copies.add(array({bytes}, replicated(1), DType::Int8));
  }
  template <class Action>
  void add(Action action) {
    plan.steps.emplace_back();
    plan.steps.back().action = std::move(action);
  }
  void make(CopyId result) { add(InputStep{result, "A"}); }
  void free(CopyId id) { add(FreeStep{id}); }
  PeakMemory peak() const { return peak_memory(in_order(events_of(plan)), plan, mesh); }
  MemorySchedule timeline(const std::vector<Interval>& when) const {
    return on_timeline(events_of(plan), when, plan);
  }
  // Bytes by second, on the timeline in which the steps run at these times.
  using Curve = std::vector<std::pair<double, double>>;
  Curve curve_on(const std::vector<Interval>& when) const {
    Curve curve;
    for (const MemoryAt& at : memory_over_time(timeline(when), plan, mesh))
      curve.emplace_back(at.seconds, at.bytes);
    return curve;
  }

  Plan plan;
  Mesh mesh;
};

TEST_F(PeakMemoryTest, OfNothingIsNothing) {
  EXPECT_TRUE(peak().bytes.is_zero());
  EXPECT_EQ(peak().event, -1);
}

TEST_F(PeakMemoryTest, CountsWhatIsAliveAtOnce) {
  const CopyId small = copy(10);
  const CopyId large = copy(70);
  const CopyId last = copy(60);
  make(small);
  make(large);
  free(large);
  make(last);
  EXPECT_EQ(peak().bytes, Formula(80));
  EXPECT_EQ(peak().event, 1);
  EXPECT_EQ(peak().copies, (std::vector<CopyId>{large, small}));
}

TEST_F(PeakMemoryTest, OperandsLiveWhileTheResultIsMade) {
  const CopyId a = copy(10);
  const CopyId b = copy(20);
  make(a);
  add(SliceStep{{}, a, b});
  free(a);
  EXPECT_EQ(peak().bytes, Formula(30));
}

TEST_F(PeakMemoryTest, WhatIsPlacedCountsWhereItIsHeld) {
  mesh.axes.add({.name = "Z", .size = 4});
  const auto placed = [&](const Amount& bytes, std::int64_t coordinate) {
    const CopyId id = copy(bytes);
    plan.copies[id].layout.placed = {{AxisId{0}, coordinate}};
    return id;
  };
  const CopyId everywhere = copy(5);
  const CopyId left = placed(30, 0);
  const CopyId right = placed(40, 1);
  const CopyId more = placed(20, 0);
  for (const CopyId id : {everywhere, left, right, more}) make(id);
  EXPECT_EQ(peak().bytes, Formula(55));
  EXPECT_EQ(peak().copies, (std::vector<CopyId>{left, more, everywhere}));
  EXPECT_EQ(peak().place, "Z=0");
}

// Places on other axes were taken to meet on a device, which these do not.
TEST_F(PeakMemoryTest, PlacesCountTogetherOnlyWhereTheyMeet) {
  const AxisId z = mesh.axes.add({.name = "Z", .size = 2});
  const AxisId y = mesh.axes.add({.name = "Y", .size = 2});
  const auto placed = [&](const Amount& bytes, std::vector<Placement> at) {
    const CopyId id = copy(bytes);
    plan.copies[id].layout.placed = std::move(at);
    make(id);
  };
  placed(30, {{z, 0}});
  placed(40, {{z, 1}, {y, 0}});
  placed(5, {{y, 0}});
  EXPECT_EQ(peak().bytes, Formula(45));
  EXPECT_EQ(peak().place, "Z=1, Y=0");
}

TEST_F(PeakMemoryTest, IsTheFirstOfEqualPeaks) {
  const CopyId a = copy(10);
  const CopyId b = copy(10);
  make(a);
  free(a);
  make(b);
  EXPECT_EQ(peak().event, 0);
}

TEST_F(PeakMemoryTest, CountsLocalBytes) {
  const Machine m = slice(tpu_v5e(), {4, 4});
  make(plan.copies.add(array({64, 64}, layout(m, {"X", "Y"}))));
  mesh = m.mesh;
  EXPECT_EQ(peak().bytes, Formula(512));
}

TEST_F(PeakMemoryTest, InSymbolsIsAMaximum) {
  const CopyId a = copy(Amount::symbol("B"));
  const CopyId b = copy(Amount::symbol("D"));
  make(a);
  free(a);
  make(b);
  EXPECT_EQ(peak().bytes, max(Formula::symbol("B"), Formula::symbol("D")));
  EXPECT_EQ(peak().event, -1);
  EXPECT_TRUE(peak().copies.empty());
}

TEST_F(PeakMemoryTest, IsTakenStepByStep) {
  const CopyId a = copy(100);
  const CopyId b = copy(50);
  make(a);
  make(b);
  free(a);
  make(copy(30));
  const auto uses = memory_by_step(in_order(events_of(plan)), plan, mesh);
  ASSERT_EQ(uses.size(), 3u);
  EXPECT_EQ(uses[0].bytes, Formula(100));
  EXPECT_EQ(uses[1].bytes, Formula(150));
  EXPECT_EQ(uses[2].event, 3);
  EXPECT_EQ(uses[2].bytes, Formula(80));
}

// `b` is made of `a` from 1 s to 3 s; `c`, made of nothing, runs ahead from 0 s to 2 s, and `d` needs both.
TEST_F(PeakMemoryTest, OnTheTimelineCountsWhatRunsAhead) {
  const CopyId a = copy(100);
  const CopyId b = copy(50);
  const CopyId c = copy(30);
  const CopyId d = copy(7);
  make(a);
  add(SliceStep{{}, a, b});
  free(a);
  make(c);
  add(ElementwiseStep{.operands = {b, c}, .result = d});
  free(b);
  free(c);
  EXPECT_EQ(peak().bytes, Formula(150));
  const Curve expected = {{0, 130}, {1, 180}, {3, 87}, {4, 7}};
  EXPECT_EQ(curve_on({{0, 0}, {1, 3}, {}, {0, 2}, {3, 4}, {}, {}}), expected);
}

// What had no reader was gone as soon as it was made, though the plan keeps it until `d` is made.
TEST_F(PeakMemoryTest, OnTheTimelineKeepsAResultThatNothingReads) {
  const CopyId a = copy(100);
  const CopyId b = copy(50);
  const CopyId c = copy(30);
  const CopyId d = copy(7);
  make(a);
  make(b);
  add(SliceStep{{}, a, c});
  free(b);
  add(SliceStep{{}, a, d});
  const Curve expected = {{0, 150}, {1, 180}, {2, 137}};
  EXPECT_EQ(curve_on({{0, 0}, {0, 1}, {1, 2}, {}, {2, 3}}), expected);
}

// A copy that takes no time to make stood beside what it is made of, and no curve showed it.
TEST_F(PeakMemoryTest, OnTheTimelineCountsWhatTakesNoTime) {
  const CopyId a = copy(100);
  const CopyId b = copy(50);
  const CopyId c = copy(30);
  make(a);
  add(SliceStep{{}, a, b});
  free(a);
  add(SliceStep{{}, b, c});
  free(b);
  const Curve expected = {{0, 100}, {1, 150}, {1, 30}};
  EXPECT_EQ(curve_on({{0, 0}, {1, 1}, {}, {1, 1}, {}}), expected);
  const PeakMemory highest = peak_memory(timeline({{0, 0}, {1, 1}, {}, {1, 1}, {}}), plan, mesh);
  EXPECT_EQ(highest.bytes, Formula(150));
  EXPECT_EQ(highest.copies, (std::vector<CopyId>{a, b}));
}

// What ends at a time makes room for what starts then, in whatever order the plan has them.
TEST_F(PeakMemoryTest, OnTheTimelineEndsComeFirst) {
  const CopyId a = copy(100);
  const CopyId b = copy(50);
  const CopyId c = copy(30);
  make(a);
  make(c);
  add(SliceStep{{}, a, b});
  free(a);
  EXPECT_EQ(peak_memory(timeline({{0, 0}, {2, 3}, {1, 2}, {}}), plan, mesh).bytes, Formula(150));
  EXPECT_EQ(curve_on({{0, 0}, {2, 3}, {1, 2}, {}}), (Curve{{0, 100}, {1, 150}, {2, 80}}));
}

TEST_F(PeakMemoryTest, WhileAStepRunsIsTheMostThatIsThere) {
  const CopyId a = copy(100);
  const CopyId b = copy(50);
  const CopyId c = copy(30);
  make(a);
  add(SliceStep{{}, a, b});
  make(c);
  const auto uses = memory_by_step(timeline({{0, 0}, {1, 5}, {2, 3}}), plan, mesh);
  ASSERT_EQ(uses.size(), 3u);
  EXPECT_EQ(uses[0].bytes, Formula(100));
  EXPECT_EQ(uses[1].bytes, Formula(180));
  EXPECT_EQ(uses[2].bytes, Formula(180));
}

// Steps that a failure kept from running were on the curve, all at its time. What they would have read last stays.
TEST_F(PeakMemoryTest, OnTheTimelineLeavesOutWhatNeverRuns) {
  const CopyId a = copy(100);
  const CopyId b = copy(50);
  const CopyId c = copy(30);
  constexpr double kNever = std::numeric_limits<double>::infinity();
  make(a);
  add(SliceStep{{}, a, b});
  free(a);
  add(SliceStep{{}, b, c});
  free(b);
  const Curve expected = {{0, 100}, {1, 150}, {2, 50}};
  EXPECT_EQ(curve_on({{0, 0}, {1, 2}, {}, {kNever, kNever}, {}}), expected);
}

// `c` takes the place of `a` in the plan's order; here `b` still reads it.
TEST_F(PeakMemoryTest, OnTheTimelineChangesNothingInPlaceThatIsReadMeanwhile) {
  const CopyId a = copy(100);
  const CopyId b = copy(50);
  const CopyId c = copy(100);
  make(a);
  add(SliceStep{{}, a, b});
  add(ElementwiseStep{.operands = {a}, .result = c, .in_place = a});
  free(a);
  const auto most = [&](const std::vector<Interval>& when) {
    double bytes = 0;
    for (const MemoryAt& at : memory_over_time(timeline(when), plan, mesh))
      bytes = std::max(bytes, at.bytes);
    return bytes;
  };
  EXPECT_EQ(most({{0, 0}, {0, 1}, {1, 2}, {}}), 150);
  EXPECT_EQ(most({{0, 0}, {0, 2}, {1, 3}, {}}), 250);
}

}  // namespace
}  // namespace shard::peak_memory_test
