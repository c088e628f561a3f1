#include "interpreter/planning/search/route_search.h"

#include <algorithm>
#include <map>

#include "tests/interpreter/support/machines.h"
#include "tests/property.h"

namespace shard::planning::route_search_test {
namespace {

using testing::layout_of;
using Names = std::vector<std::string>;

const Machine& machine() {
  static const Machine instance = testing::rings({4, 4});
  return instance;
}
const Mesh& mesh() { return machine().mesh; }

Names route(const std::vector<Layout>& sources, const Layout& target,
            const std::vector<std::int64_t>& shape = {4096, 4096}) {
  const auto found = cheapest_route(sources, target, testing::shape_of(shape), machine());
  return found ? testing::names_of(found->moves, mesh()) : Names{"none"};
}

TEST(CheapestRoute, IsEmptyAtTheTarget) {
  EXPECT_EQ(route({layout_of(mesh(), {"X", "Y"})}, layout_of(mesh(), {"X", "Y"})), Names{});
}

TEST(CheapestRoute, PrefersASourceThatIsTheTarget) {
  const auto found =
      cheapest_route({layout_of(mesh(), {"", ""}), layout_of(mesh(), {"X", ""})},
                     layout_of(mesh(), {"X", ""}), testing::shape_of({64, 64}), machine());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->source, 1U);
  EXPECT_TRUE(found->moves.empty());
}

// At which of the moves the transpose stands.
std::size_t place_of_transpose(const Layout& from, const Layout& to) {
  const Transpose transpose{.order = {1, 0}};
  const auto found = cheapest_route({from}, to, testing::shape_of({4096, 4096}), machine(),
                                    MoveRule::Direct, transpose);
  if (!found) return 99;
  const auto at = std::find_if(found->moves.begin(), found->moves.end(),
                               [](const Move& move) { return move.transpose.has_value(); });
  return static_cast<std::size_t>(at - found->moves.begin());
}

TEST(CheapestRoute, TransposesWhereTheBlockIsSmallest) {
  const Layout whole = layout_of(mesh(), {"", ""});
  const Layout split = layout_of(mesh(), {"X", ""});
  EXPECT_EQ(place_of_transpose(split, whole), 0U);
  EXPECT_EQ(place_of_transpose(whole, split), 1U);
  EXPECT_EQ(place_of_transpose(split, split), 0U);
  // Equal blocks: as late as can be.
  EXPECT_EQ(place_of_transpose(split, layout_of(mesh(), {"", "X"})), 1U);
}

TEST(CheapestRoute, CountsTheTransposeOnce) {
  const Layout split = layout_of(mesh(), {"X", ""});
  const Shape shape = testing::shape_of({4096, 4096});
  const auto found = cheapest_route({split}, layout_of(mesh(), {"", ""}), shape, machine(),
                                    MoveRule::Direct, Transpose{.order = {1, 0}});
  ASSERT_TRUE(found.has_value());
  // A quarter of 4096 · 4096 values of 2 B, read and written.
  EXPECT_EQ(cost_of(*found, shape, machine()).hbm_bytes, Amount(2 * 4096 * 1024 * 2));
}

TEST(CheapestRoute, SlicesAReplicatedCopyInsteadOfSending) {
  const auto found =
      cheapest_route({layout_of(mesh(), {"X", ""}), layout_of(mesh(), {"", ""})},
                     layout_of(mesh(), {"", "X"}), testing::shape_of({64, 64}), machine());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->source, 1U);
  EXPECT_EQ(testing::names_of(found->moves, mesh()), Names{"slice"});
}

TEST(CheapestRoute, GathersBothAxesAtOnce) {
  EXPECT_EQ(route({layout_of(mesh(), {"X", "Y"})}, layout_of(mesh(), {"", ""})),
            Names{"AllGather_{XY}"});
}

TEST(CheapestRoute, ExchangesInsteadOfGatheringAndSlicing) {
  EXPECT_EQ(route({layout_of(mesh(), {"X", ""})}, layout_of(mesh(), {"", "X"})),
            Names{"AllToAll_{X,J}"});
}

TEST(CheapestRoute, ScattersInsteadOfReducingAndSlicing) {
  EXPECT_EQ(route({layout_of(mesh(), {"", "Y"}, "X")}, layout_of(mesh(), {"X", "Y"})),
            Names{"ReduceScatter_{X,I}"});
}

// Over an idle axis there is less to sum on each device, and the parts are gathered over it.
TEST(CheapestRoute, UsesIdleAxes) {
  EXPECT_EQ(route({layout_of(mesh(), {"", ""}, "X")}, layout_of(mesh(), {"X", ""})),
            (Names{"slice", "ReduceScatter_{X,I}", "AllGather_Y"}));
  EXPECT_EQ(route({layout_of(mesh(), {"X", ""})}, layout_of(mesh(), {"", ""})),
            (Names{"slice", "AllGather_{XY}"}));
}

TEST(CheapestRoute, GoesStraightWhereThatIsAskedFor) {
  const auto straight =
      cheapest_route({layout_of(mesh(), {"X", ""})}, layout_of(mesh(), {"", ""}),
                     testing::shape_of({4096, 4096}), machine(), MoveRule::Direct);
  ASSERT_TRUE(straight.has_value());
  EXPECT_EQ(testing::names_of(straight->moves, mesh()), Names{"AllGather_X"});
}

TEST(CheapestRoute, ReordersBeforeGatheringAMajorAxis) {
  EXPECT_EQ(route({layout_of(mesh(), {"XY", ""})}, layout_of(mesh(), {"Y", ""})),
            (Names{"CollectivePermute_{XY}", "AllGather_X"}));
}

TEST(CheapestRoute, ScattersAndGathersOverAllAxes) {
  const Names names = route({layout_of(mesh(), {"", "Y"}, "X")}, layout_of(mesh(), {"", ""}));
  EXPECT_EQ(names, (Names{"ReduceScatter_{X,J}", "AllGather_{YX}"}));
}

TEST(CheapestRoute, SwapsTheAxesOfTwoDimensions) {
  const auto found = cheapest_route({layout_of(mesh(), {"X", "Y"})}, layout_of(mesh(), {"Y", "X"}),
                                    testing::shape_of({4096, 4096}), machine());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->moves.back().to, layout_of(mesh(), {"Y", "X"}));
}

TEST(CheapestRoute, IsNoneToAxesThatNoSourceIsUnreducedOver) {
  EXPECT_EQ(route({layout_of(mesh(), {"", ""})}, layout_of(mesh(), {"", ""}, "X")), Names{"none"});
}

TEST(CheapestRoute, FindsAWayAroundLengthsThatDoNotDivide) {
  const auto found = cheapest_route({layout_of(mesh(), {"X", ""})}, layout_of(mesh(), {"Y", ""}),
                                    testing::shape_of({4, 6}), machine());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->moves.back().to, layout_of(mesh(), {"Y", ""}));
}

TEST(OtherRoutes, BeginDifferentlyAndAreSorted) {
  const Layout from = layout_of(mesh(), {"X", "Y"});
  const Layout to = layout_of(mesh(), {"", ""});
  const Shape shape = testing::shape_of({4096, 4096});
  const auto taken = cheapest_route({from}, to, shape, machine());
  ASSERT_TRUE(taken.has_value());
  const auto routes = other_routes(from, to, shape, machine(), taken->moves);
  ASSERT_EQ(routes.size(), kMostOthers);
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const Route& before = i == 0 ? *taken : routes[i - 1];
    EXPECT_FALSE(lighter(routes[i].weight, before.weight));
    EXPECT_NE(routes[i].moves.front().to, before.moves.front().to);
    EXPECT_EQ(routes[i].moves.back().to, to);
  }
}

// ---------------------------------------------------------------- brute force

// Any layout of two dimensions over the axes of `mesh`, some of them unreduced, some placing it.
rc::Gen<Layout> any_layout(std::size_t axes, bool may_be_unreduced) {
  return rc::gen::map(
      rc::gen::pair(rc::gen::container<std::vector<int>>(axes, rc::gen::inRange(0, 6)),
                    rc::gen::arbitrary<bool>()),
      [=](const std::pair<std::vector<int>, bool>& choice) {
        Layout layout = replicated(2);
        std::vector<std::size_t> order(axes);
        for (std::size_t i = 0; i < axes; ++i) order[i] = choice.second ? axes - 1 - i : i;
        for (const std::size_t i : order) {
          const AxisId axis{static_cast<std::int32_t>(i)};
          if (choice.first[i] < 2)
            layout.dims.edit()[static_cast<std::size_t>(choice.first[i])].push_back(axis);
          if (choice.first[i] == 2 && may_be_unreduced) layout.unreduced.edit().push_back(axis);
          if (choice.first[i] > 3) layout.placed.edit().push_back({axis, choice.first[i] - 4});
        }
        std::sort(layout.placed.edit().begin(), layout.placed.edit().end());
        std::sort(layout.unreduced.edit().begin(), layout.unreduced.edit().end());
        return layout;
      });
}

// The lightest of all sequences of at most `steps` moves; nullopt if none arrives. Shares no search
// with cheapest_route: it follows every sequence to its end.
std::optional<Weight> lightest(const Layout& from, const Layout& to, const Shape& shape,
                               const Machine& machine, MoveRule rule, int steps) {
  if (from == to) return Weight{};
  if (steps == 0) return std::nullopt;
  std::optional<Weight> best;
  for (const Move& move : moves_towards(from, to, shape, machine.mesh, rule)) {
    const auto rest = lightest(move.to, to, shape, machine, rule, steps - 1);
    if (!rest) continue;
    const Weight whole = weigh(cost_of(move, shape, machine)) + *rest;
    if (!best || lighter(whole, *best)) best = whole;
  }
  return best;
}

std::map<std::size_t, int> routes_by_length;
std::map<MoveRule, int> routes_by_rule;

SHARD_PROPERTY(CheapestRoute, IsMinimalAmongAllSequencesOfItsMoves, 300) {
  const MoveRule rule = *rc::gen::element(MoveRule::Cases, MoveRule::Any);
  const bool three = *rc::gen::arbitrary<bool>();
  const Machine here =
      testing::rings(three ? std::vector<std::int64_t>{2, 4, 2} : std::vector<std::int64_t>{2, 4});
  const std::size_t axes = here.mesh.axes.size();
  const Layout from = *any_layout(axes, true);
  const Layout to = *any_layout(axes, true);
  const std::int64_t rows = *rc::gen::element<std::int64_t>(16, 64, 4096, 65536);
  const std::int64_t columns = *rc::gen::element<std::int64_t>(16, 48, 1024);
  const Shape shape = testing::shape_of({rows, columns});
  if (indivisible_dimension(shape.lengths, from, here.mesh) ||
      indivisible_dimension(shape.lengths, to, here.mesh))
    return;
  const auto found = cheapest_route({from}, to, shape, here, rule);
  constexpr std::size_t kSteps = 5;
  auto best = lightest(from, to, shape, here, rule, kSteps);
  if (!best) return;  // the search falls back to wider rules
  RC_ASSERT(found.has_value());
  // Among all primitives the search counts a slice over two axes as two steps.
  if (rule == MoveRule::Any) best->steps = found->weight.steps;
  RC_ASSERT(!lighter(*best, found->weight));
  // Of all primitives, those that lead straight to the target are only some (relayout_search_test.cpp).
  if (rule == MoveRule::Cases && found->moves.size() <= kSteps)
    RC_ASSERT(!lighter(found->weight, *best));
  ++routes_by_length[found->moves.size()];
  ++routes_by_rule[rule];
  Layout at = from;
  for (const Move& move : found->moves) {
    RC_ASSERT(move.from == at);
    at = move.to;
  }
  RC_ASSERT(at == to);
}

TEST(CheapestRoute, WasComparedOnRoutesOfEveryLength) {
  SHARD_COUNTS_IN_FULL_RUNS();
  for (const std::size_t length : {0U, 1U, 2U, 3U})
    EXPECT_GE(routes_by_length[length], scaled_cases(5)) << length;
  for (const MoveRule rule : {MoveRule::Cases, MoveRule::Any})
    EXPECT_GE(routes_by_rule[rule], scaled_cases(50)) << static_cast<int>(rule);
}

SHARD_PROPERTY(CheapestRoute, IsNoneOnlyIfTheTargetIsUnreducedOverMore, 300) {
  const Machine here = testing::rings({2, 4});
  const Layout from = *any_layout(2, true);
  const Layout to = *any_layout(2, true);
  const bool more = std::any_of(to.unreduced.begin(), to.unreduced.end(), [&](AxisId axis) {
    return std::find(from.unreduced.begin(), from.unreduced.end(), axis) == from.unreduced.end();
  });
  const auto found = cheapest_route({from}, to, testing::shape_of({16, 8}), here);
  RC_ASSERT(found.has_value() == !more);
}

// Of sources that are alike only the nearest are looked at: none of the others leads to the target for less.
SHARD_PROPERTY(CheapestRoute, StartsAtTheBestOfManyPlaces, 300) {
  Machine here = testing::rings({6, 4});
  if (*rc::gen::inRange(0, 2) == 1) here.mesh.axes[AxisId{0}].torus.front().wraps = false;
  if (*rc::gen::inRange(0, 2) == 1) here.model = CostModel::Links;
  const auto placed = [&] {
    Layout layout = layout_of(here.mesh, {"", ""});
    for (const std::int32_t axis : {0, 1}) {
      if (*rc::gen::inRange(0, 3) == 0) continue;
      const std::int64_t length = *here.mesh.axes[AxisId{axis}].length();
      layout.placed.edit().push_back({AxisId{axis}, *rc::gen::inRange<std::int64_t>(0, length)});
    }
    return layout;
  };
  std::vector<Layout> sources(static_cast<std::size_t>(*rc::gen::inRange(1, 7)));
  for (Layout& source : sources) source = placed();
  const Layout target = placed();
  const std::int64_t length = *rc::gen::element<std::int64_t>(8, 4096);
  const Shape shape = testing::shape_of({length, length});
  const auto found = cheapest_route(sources, target, shape, here);
  RC_ASSERT(found.has_value());
  for (const Layout& source : sources) {
    const auto alone = cheapest_route({source}, target, shape, here);
    RC_ASSERT(alone && !lighter(alone->weight, found->weight));
  }
}

}  // namespace
}  // namespace shard::planning::route_search_test
