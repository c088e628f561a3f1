#include "runtime/cost/timeline.h"

#include <gtest/gtest.h>

#include "tests/runtime/support/timed_script.h"

namespace shard::timeline_test {
namespace {

using Script = testing::TimedScript;

TEST(Timeline, ComputingAndMovingWithoutCommonOperandsOverlap) {
  Script script;
  const CopyId a = script.input();
  script.compute({a}, 3);
  script.reduce(kX, a, 2);
  const Timeline timeline = script.run();
  EXPECT_DOUBLE_EQ(timeline.end, 3);
  EXPECT_DOUBLE_EQ(timeline.exposed, 0);
}

TEST(Timeline, AStepWaitsForItsOperands) {
  Script script;
  const CopyId moved = script.reduce(kX, script.compute({script.input()}, 3), 2);
  const CopyId last = script.compute({moved}, 1);
  const Timeline timeline = script.run();
  EXPECT_DOUBLE_EQ(Script::start(timeline, last), 5);
  EXPECT_DOUBLE_EQ(timeline.exposed, 2);
  EXPECT_TRUE(Script::is_critical(timeline, moved));
}

// What takes no time was ready twice, and what needs it and something else started too early.
TEST(Timeline, AStepWaitsForAllOfItsOperands) {
  Script script;
  const CopyId moved = script.reduce(kX, script.input(), 2);
  const CopyId sliced = script.compute({script.input()}, 0);
  const CopyId last = script.compute({moved, sliced}, 1);
  EXPECT_DOUBLE_EQ(Script::start(script.run(), last), 2);
}

TEST(Timeline, AnAxisCarriesOneThingAtATimeAndTwoAxesTwo) {
  Script same;
  same.reduce(kX, same.input(), 2);
  same.reduce(kX, same.input(), 2);
  EXPECT_DOUBLE_EQ(same.run().end, 4);
  Script different;
  different.reduce(kX, different.input(), 2);
  different.reduce(kY, different.input(), 2);
  EXPECT_DOUBLE_EQ(different.run().end, 2);
}

TEST(Timeline, ComputingRunsInTheOrderOfThePlan) {
  Script script;
  const CopyId late = script.compute({script.reduce(kX, script.input(), 5)}, 1);
  const CopyId ready = script.compute({script.input()}, 1);
  const Timeline timeline = script.run();
  EXPECT_DOUBLE_EQ(Script::start(timeline, late), 5);
  EXPECT_DOUBLE_EQ(Script::start(timeline, ready), 6);
}

// Weights of five layers: gathered two ahead of their use, not all at once.
TEST(Timeline, GathersRunAheadOfTheirUseButNotFar) {
  Script script;
  std::vector<CopyId> weights;
  CopyId x = script.input();
  for (int layer = 0; layer < 5; ++layer) {
    weights.push_back(script.gather(kX, script.input(), 1));
    x = script.compute({x, weights.back()}, 4);
  }
  const Timeline timeline = script.run();
  EXPECT_DOUBLE_EQ(timeline.end, 21);
  EXPECT_DOUBLE_EQ(Script::start(timeline, weights[1]), 1);
  EXPECT_DOUBLE_EQ(Script::start(timeline, weights[2]), 2);  // layer 0 took its own at 1
  EXPECT_DOUBLE_EQ(Script::start(timeline, weights[3]), 5);
  EXPECT_FALSE(Script::is_critical(timeline, weights[2]));
  EXPECT_DOUBLE_EQ(script.run(1).end, 21);
}

TEST(Timeline, AReductionThatNobodyWaitsForHasSlack) {
  Script script;
  const CopyId gradient = script.compute({script.input()}, 2);
  const CopyId reduced = script.reduce(kX, gradient, 1);
  script.compute({gradient}, 4);
  const Timeline timeline = script.run();
  EXPECT_DOUBLE_EQ(timeline.end, 6);
  EXPECT_DOUBLE_EQ(timeline.steps[static_cast<std::size_t>(reduced.value)].slack, 3);
  EXPECT_FALSE(Script::is_critical(timeline, reduced));
}

// The third was none of the next two, and the use waited for it: nothing behind ran, and the whole ended too early.
TEST(Timeline, AUseMayNeedMoreGathersThanRunAhead) {
  Script script;
  std::vector<CopyId> gathered;
  for (int i = 0; i < 3; ++i) gathered.push_back(script.gather(kX, script.input(), 2));
  const CopyId sum = script.compute(gathered, 1);
  script.compute({sum, script.gather(kX, script.input(), 2)}, 1);
  for (const int prefetch : {1, 2, 3}) {
    const Timeline timeline = script.run(prefetch);
    EXPECT_DOUBLE_EQ(Script::start(timeline, sum), 6);
    EXPECT_DOUBLE_EQ(timeline.end, 9);
  }
}

// Gathers that had ended took both places until a gather of theirs started, which was behind them.
TEST(Timeline, GathersOfWhatWasGatheredRunInTheEnd) {
  Script script;
  std::vector<CopyId> gathered;
  for (int i = 0; i < 2; ++i) {
    const CopyId part = script.compute({script.gather(kX, script.input(), 1)}, 0);
    gathered.push_back(script.gather(kX, part, 1));
  }
  gathered.push_back(script.gather(kX, script.input(), 1));
  const CopyId sum = script.compute(gathered, 1);
  for (const int prefetch : {1, 2, 3}) {
    const Timeline timeline = script.run(prefetch);
    EXPECT_DOUBLE_EQ(Script::start(timeline, sum), 5);
    EXPECT_DOUBLE_EQ(timeline.end, 6);
  }
}

TEST(Timeline, GathersInAnotherOrderThanTheirUsesDoNotBlock) {
  Script script;
  std::vector<CopyId> weights;
  for (int i = 0; i < 5; ++i) weights.push_back(script.gather(kX, script.input(), 1));
  CopyId x = script.input();
  for (int i = 5; i-- > 0;) x = script.compute({x, weights[static_cast<std::size_t>(i)]}, 1);
  EXPECT_DOUBLE_EQ(script.run().end, 6);
  Script unused;
  for (int i = 0; i < 5; ++i) unused.gather(kX, unused.input(), 1);
  EXPECT_DOUBLE_EQ(unused.run().end, 5);
}

// At 1 s half of the gather is done; the other half takes three times as long.
TEST(Timeline, WhatRunsAtAChangeGoesOnAtTheNewPace) {
  Script script;
  const CopyId gathered = script.gather(kX, script.input(), 2);
  script.compute({gathered}, 1);
  const Timeline timeline = script.run(kPrefetch, {{1, {0, 6, 1}}, {3, {0, 2, 1}}});
  EXPECT_DOUBLE_EQ(timeline.steps[1].end, 1 + 2 + 1.0 / 3);
  EXPECT_EQ(timeline.steps[1].changes, 2U);
  EXPECT_DOUBLE_EQ(timeline.end, timeline.steps[1].end + 1);
}

TEST(Timeline, AChangeLeavesWhatHasEndedAsItWas) {
  Script script;
  script.gather(kX, script.input(), 2);
  script.gather(kX, script.input(), 2);
  const Timeline timeline = script.run(kPrefetch, {{2, {0, 8, 0, 8}}});
  EXPECT_DOUBLE_EQ(timeline.steps[1].end, 2);
  EXPECT_EQ(timeline.steps[1].changes, 0U);
  EXPECT_DOUBLE_EQ(timeline.end, 10);
}

// The waiting of one place for what another one computes was communication, exposed for longer than anything moved.
TEST(Timeline, WaitingForAnotherPlaceIsNoCommunication) {
  Script script;
  const CopyId first = script.compute({script.input()}, 3);
  const CopyId moved = script.move(CollectiveKind::CollectivePermute, kX, first, 1);
  const CopyId second = script.compute({moved}, 3);
  script.place(first, 0);
  script.place(moved, 1);
  script.place(second, 1);
  const Timeline timeline = script.run();
  EXPECT_DOUBLE_EQ(timeline.end, 7);
  EXPECT_DOUBLE_EQ(timeline.exposed, 1);
}

// Each coordinate had streams of its own.
TEST(Timeline, WhatNothingTellsApartIsOnePlace) {
  Script script;
  script.place(script.compute({script.input()}, 2), 2);
  EXPECT_EQ(script.run().places, (std::vector<std::string>{"X=2", "elsewhere"}));
}

TEST(Timeline, PlacesWorkAtTheSameTime) {
  Script script;
  for (const std::int64_t place : {0, 1}) script.place(script.compute({script.input()}, 2), place);
  EXPECT_DOUBLE_EQ(script.run().end, 2);
  Script one;
  for (int i = 0; i < 2; ++i) one.place(one.compute({one.input()}, 2), 0);
  EXPECT_DOUBLE_EQ(one.run().end, 4);
}

}  // namespace
}  // namespace shard::timeline_test
