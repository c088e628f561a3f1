#include "interpreter/planning/search/moves.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/interpreter/support/machines.h"

namespace shard::planning::moves_test {
namespace {

using testing::layout_of;
using Names = std::vector<std::string>;

const Machine& machine() {
  static const Machine instance = testing::rings({4, 4});
  return instance;
}
const Mesh& mesh() { return machine().mesh; }

Names moves(const Layout& from, const Layout& to, MoveRule rule = MoveRule::Direct,
            const std::vector<std::int64_t>& shape = {64, 64}) {
  Names names =
      testing::names_of(moves_towards(from, to, testing::shape_of(shape), mesh(), rule), mesh());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(Moves, GatherAxesThatTheTargetDoesNotHave) {
  EXPECT_EQ(moves(layout_of(mesh(), {"X", ""}), layout_of(mesh(), {"", ""})), Names{"AllGather_X"});
}

TEST(Moves, GatherAxesOfSeveralDimensionsAtOnce) {
  EXPECT_EQ(moves(layout_of(mesh(), {"X", "Y"}), layout_of(mesh(), {"", ""})),
            (Names{"AllGather_X", "AllGather_Y", "AllGather_{XY}"}));
}

TEST(Moves, GatherMinorAxesFirst) {
  EXPECT_EQ(moves(layout_of(mesh(), {"XY", ""}), layout_of(mesh(), {"X", ""})),
            Names{"AllGather_Y"});
  EXPECT_EQ(moves(layout_of(mesh(), {"XY", ""}), layout_of(mesh(), {"Y", ""})),
            Names{"CollectivePermute_{XY}"});
}

TEST(Moves, ReduceOntoTheDimensionOfTheTarget) {
  EXPECT_EQ(moves(layout_of(mesh(), {"", ""}, "X"), layout_of(mesh(), {"", "X"})),
            Names{"ReduceScatter_{X,J}"});
}

TEST(Moves, ReduceEverywhereIfTheTargetHasNoPlace) {
  EXPECT_EQ(moves(layout_of(mesh(), {"", ""}, "X"), layout_of(mesh(), {"", ""})),
            Names{"AllReduce_X"});
}

TEST(Moves, KeepWhatTheTargetHasUnreduced) {
  EXPECT_EQ(moves(layout_of(mesh(), {"", ""}, "XY"), layout_of(mesh(), {"", ""}, "X")),
            Names{"AllReduce_Y"});
}

TEST(Moves, ExchangeAxesThatTheTargetHasElsewhere) {
  EXPECT_EQ(moves(layout_of(mesh(), {"X", ""}), layout_of(mesh(), {"", "X"})),
            Names{"AllToAll_{X,J}"});
}

TEST(Moves, SliceAxesThatAreUnused) {
  const auto found = moves_towards(layout_of(mesh(), {"", ""}), layout_of(mesh(), {"XY", ""}),
                                   testing::shape_of({64, 64}), mesh(), MoveRule::Direct);
  ASSERT_EQ(found.size(), 2U);
  for (const Move& move : found) EXPECT_EQ(move.kind, std::nullopt);
  EXPECT_EQ(found.back().to, layout_of(mesh(), {"XY", ""}));
}

TEST(Moves, AreNoneAtTheTarget) {
  EXPECT_EQ(moves(layout_of(mesh(), {"X", "Y"}), layout_of(mesh(), {"X", "Y"})), Names{});
}

TEST(Moves, OfTheCasesGatherInsteadOfExchanging) {
  EXPECT_EQ(moves(layout_of(mesh(), {"X", ""}), layout_of(mesh(), {"", "X"}), MoveRule::Cases),
            Names{"AllGather_X"});
}

TEST(Moves, OfTheCasesKeepAxesThatStayInTheirDimension) {
  EXPECT_EQ(moves(layout_of(mesh(), {"XY", ""}), layout_of(mesh(), {"X", "Y"}), MoveRule::Cases),
            Names{"AllGather_Y"});
}

TEST(Moves, ThatDoNotDivideAreLeftOut) {
  EXPECT_EQ(
      moves(layout_of(mesh(), {"X", ""}), layout_of(mesh(), {"", "X"}), MoveRule::Direct, {64, 6}),
      Names{});
}

TEST(Moves, OfAnyRuleGatherAnyAxis) {
  const Names any =
      moves(layout_of(mesh(), {"X", ""}), layout_of(mesh(), {"", "X"}), MoveRule::Any);
  EXPECT_EQ(any, (Names{"AllGather_X", "AllToAll_{X,J}"}));
}

TEST(Moves, LeadFromOneLayoutToAnotherWithoutRepeatingAnAxis) {
  for (const Move& move :
       moves_towards(layout_of(mesh(), {"XY", ""}), layout_of(mesh(), {"", "XY"}),
                     testing::shape_of({64, 64}), mesh(), MoveRule::Any)) {
    EXPECT_EQ(move.from, layout_of(mesh(), {"XY", ""}));
    EXPECT_NE(move.to, move.from);
    EXPECT_FALSE(reused_axis(move.to).has_value());
  }
}

TEST(Moves, ASliceIsFree) {
  const Move slice{.kind = std::nullopt,
                   .axes = testing::axes_of(mesh(), "X"),
                   .dimension = 0,
                   .from = layout_of(mesh(), {"", ""}),
                   .to = layout_of(mesh(), {"X", ""})};
  EXPECT_TRUE(cost_of(slice, testing::shape_of({64, 64}), machine()).comms.is_zero());
  EXPECT_EQ(name_of(slice, testing::letters(), mesh()), "slice");
}

TEST(Moves, NamesBraceSeveralAxesAndDimensions) {
  Move move{.kind = CollectiveKind::ReduceScatter,
            .axes = testing::axes_of(mesh(), "XY"),
            .from = layout_of(mesh(), {"", ""}),
            .to = layout_of(mesh(), {"", "XY"})};
  EXPECT_EQ(name_of(move, testing::letters(), mesh()), "ReduceScatter_{XY,J}");
  move.to = layout_of(mesh(), {"X", "Y"});
  EXPECT_EQ(name_of(move, testing::letters(), mesh()), "ReduceScatter_{X→I,Y→J}");
}

}  // namespace
}  // namespace shard::planning::moves_test
