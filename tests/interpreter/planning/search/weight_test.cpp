#include "interpreter/planning/search/weight.h"

#include <gtest/gtest.h>

#include <cmath>

#include "interpreter/planning/search/moves.h"
#include "tests/interpreter/support/machines.h"

namespace shard::planning::weight_test {
namespace {

TEST(Weight, TimeDecidesFirst) {
  EXPECT_TRUE(
      lighter({.seconds = 1, .bytes = 9, .steps = 9}, {.seconds = 2, .bytes = 1, .steps = 1}));
}

TEST(Weight, BytesDecideAmongEqualTimes) {
  EXPECT_TRUE(
      lighter({.seconds = 1, .bytes = 1, .steps = 9}, {.seconds = 1, .bytes = 2, .steps = 1}));
}

TEST(Weight, StepsDecideLast) {
  EXPECT_TRUE(
      lighter({.seconds = 1, .bytes = 1, .steps = 1}, {.seconds = 1, .bytes = 1, .steps = 2}));
  EXPECT_FALSE(
      lighter({.seconds = 1, .bytes = 1, .steps = 1}, {.seconds = 1, .bytes = 1, .steps = 1}));
}

TEST(Weight, TimesThatDifferByRoundingAreEqual) {
  EXPECT_TRUE(lighter({.seconds = 0.3, .bytes = 1, .steps = 1},
                      {.seconds = 0.1 + 0.2, .bytes = 2, .steps = 1}));
  EXPECT_TRUE(lighter({.seconds = 0.1 + 0.2, .bytes = 1, .steps = 1},
                      {.seconds = 0.3, .bytes = 2, .steps = 1}));
}

// A difference of infinity was taken for one of rounding.
TEST(Weight, WhatFailedLinksMakeImpossibleIsHeavier) {
  const Weight severed{.seconds = HUGE_VAL, .bytes = 1, .steps = 1};
  const Weight possible{.seconds = 1, .bytes = 2, .steps = 2};
  EXPECT_TRUE(lighter(possible, severed));
  EXPECT_FALSE(lighter(severed, possible));
  EXPECT_TRUE(lighter(severed, {.seconds = HUGE_VAL, .bytes = 2, .steps = 1}));
}

TEST(Weight, AddsUp) {
  const Weight sum = Weight{.seconds = 1, .bytes = 2, .steps = 3} +
                     Weight{.seconds = 10, .bytes = 20, .steps = 30};
  EXPECT_EQ(sum.seconds, 11);
  EXPECT_EQ(sum.bytes, 22);
  EXPECT_EQ(sum.steps, 33);
}

TEST(Weight, OfACostWithSizesNeedsNoReference) {
  const Machine machine = testing::rings({4});
  const Move gather{.kind = CollectiveKind::AllGather,
                    .axes = testing::axes_of(machine.mesh, "X"),
                    .dimension = std::nullopt,
                    .from = testing::layout_of(machine.mesh, {"X"}),
                    .to = testing::layout_of(machine.mesh, {""})};
  const Cost known = cost_of(gather, testing::shape_of({4096}), machine);
  EXPECT_FALSE(needs_reference(known));
  EXPECT_GT(weigh(known).seconds, 0);
  const Cost unknown = cost_of(gather, Shape{.lengths = {Amount::symbol("I")}}, machine);
  EXPECT_TRUE(needs_reference(unknown));
  EXPECT_GT(weigh(unknown).bytes, 0);
}

TEST(Weight, AtReferenceSizesIsThatOfTheReferenceLength) {
  const Machine machine = testing::rings({4});
  const Move gather{.kind = CollectiveKind::AllGather,
                    .axes = testing::axes_of(machine.mesh, "X"),
                    .dimension = std::nullopt,
                    .from = testing::layout_of(machine.mesh, {"X"}),
                    .to = testing::layout_of(machine.mesh, {""})};
  const Weight reference = weigh(cost_of(gather, Shape{.lengths = {Amount::symbol("I")}}, machine));
  const Weight known = weigh(cost_of(gather, testing::shape_of({65536}), machine));
  EXPECT_DOUBLE_EQ(reference.seconds, known.seconds);
  EXPECT_DOUBLE_EQ(reference.bytes, known.bytes);
}

}  // namespace
}  // namespace shard::planning::weight_test
