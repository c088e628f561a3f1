#include <gtest/gtest.h>

#include "interpreter/planning/term_plan.h"
#include "tests/interpreter/support/machines.h"

namespace shard::planning::term_test {
namespace {

using testing::layout_of;
using Dims = std::vector<std::string>;
using Names = std::vector<std::string>;
using Ways = std::vector<MadePtr>;

const Machine& machine() {
  static const Machine instance = testing::rings({4, 4});
  return instance;
}
const Mesh& mesh() { return machine().mesh; }

struct Sizes {
  std::int64_t i = 4096;
  std::int64_t j = 4096;
  std::int64_t k = 4096;
};

Term term(const Dims& dims, const Labels& labels, const std::vector<std::int64_t>& lengths) {
  return {.node = Source{{layout_of(mesh(), dims)}},
          .labels = labels,
          .shape = testing::shape_of(lengths)};
}

Term product(Term left, Term right, const Labels& labels,
             const std::vector<std::int64_t>& lengths) {
  return {.node = Box<Product>(Product{std::move(left), std::move(right)}),
          .labels = labels,
          .shape = testing::shape_of(lengths)};
}

// A[I, J] · B[J, K] → C[I, K].
Ways plan(const Dims& left, const Dims& right, const std::optional<Layout>& target,
          const Sizes& n = {}) {
  return plan_term(
      product(term(left, {0, 1}, {n.i, n.j}), term(right, {1, 2}, {n.j, n.k}), {0, 2}, {n.i, n.k}),
      target, machine());
}

// The moves of a way, those of the operands first: "A: AllGather_X".
void collect(const Made& made, const std::string& name, Names& names) {
  if (const auto* product = std::get_if<MadeFrom>(&made.origin)) {
    collect(*product->operands[0], "A", names);
    collect(*product->operands[1], "B", names);
  }
  for (const Move& move : made.moves)
    names.push_back(name + ": " +
                    name_of(move,
                            name == "B"   ? Names{"J", "K"}
                            : name == "A" ? Names{"I", "J"}
                                          : Names{"I", "K"},
                            mesh()));
}

Names best(const Ways& ways) {
  Names names;
  if (!ways.empty()) collect(*ways.front(), "C", names);
  return names;
}

Names best(const Dims& left, const Dims& right, const Dims& target, const Sizes& n = {}) {
  return best(plan(left, right, layout_of(mesh(), target), n));
}

TEST(PlanTerm, Case1NeedsNoCommunication) {
  EXPECT_EQ(best({"X", ""}, {"", "Y"}, {"X", "Y"}), Names{});
  EXPECT_EQ(best({"", ""}, {"", ""}, {"", ""}), Names{});
}

TEST(PlanTerm, Case2GathersASmallOperand) {
  EXPECT_EQ(best({"", "X"}, {"", ""}, {"", ""}, {.i = 4096, .j = 64, .k = 65536}),
            Names{"A: AllGather_X"});
}

TEST(PlanTerm, Case2ReducesASmallResult) {
  EXPECT_EQ(best({"", "X"}, {"", ""}, {"", ""}, {.i = 64, .j = 65536, .k = 64}),
            (Names{"B: slice", "C: AllReduce_X"}));
}

TEST(PlanTerm, Case3ReducesTheResult) {
  EXPECT_EQ(best({"", "X"}, {"X", ""}, {"", ""}), Names{"C: AllReduce_X"});
}

TEST(PlanTerm, Case3ScattersTheResultIfTheTargetIsSplit) {
  EXPECT_EQ(best({"", "X"}, {"X", ""}, {"", "X"}), Names{"C: ReduceScatter_{X,K}"});
  EXPECT_EQ(best({"", "X"}, {"X", ""}, {"X", ""}), Names{"C: ReduceScatter_{X,I}"});
}

TEST(PlanTerm, Case3StaysUnreducedIfTheTargetIs) {
  const Ways ways = plan({"", "X"}, {"X", ""}, layout_of(mesh(), {"", ""}, "X"));
  ASSERT_FALSE(ways.empty());
  EXPECT_EQ(best(ways), Names{});
}

TEST(PlanTerm, Case4GathersTheSmallerOperand) {
  EXPECT_EQ(best({"X", ""}, {"", "X"}, {"X", ""}, {.i = 65536, .j = 4096, .k = 64}),
            Names{"B: AllGather_X"});
  EXPECT_EQ(best({"X", ""}, {"", "X"}, {"", "X"}, {.i = 4096, .j = 64, .k = 65536}),
            Names{"A: AllGather_X"});
}

TEST(PlanTerm, Case4WeighsBothChoices) {
  const Ways ways = plan({"X", ""}, {"", "X"}, layout_of(mesh(), {"X", ""}));
  bool gathers_left = false;
  bool gathers_right = false;
  for (const auto& way : ways) {
    for (const std::string& move : best({way})) {
      gathers_left = gathers_left || move == "A: AllGather_X";
      gathers_right = gathers_right || move == "B: AllGather_X";
    }
  }
  EXPECT_TRUE(gathers_left);
  EXPECT_TRUE(gathers_right);
}

TEST(PlanTerm, Case2WeighsBothChoices) {
  const Ways ways = plan({"", "X"}, {"", ""}, layout_of(mesh(), {"", ""}));
  bool gathers = false;
  bool reduces = false;
  for (const auto& way : ways) {
    for (const std::string& move : best({way})) {
      gathers = gathers || move == "A: AllGather_X";
      reduces = reduces || move == "C: AllReduce_X";
    }
  }
  EXPECT_TRUE(gathers);
  EXPECT_TRUE(reduces);
}

TEST(PlanTerm, WaysAreSortedByWeight) {
  const Ways ways = plan({"X", "Y"}, {"", "X"}, layout_of(mesh(), {"X", "Y"}));
  ASSERT_GT(ways.size(), 1U);
  for (std::size_t i = 1; i < ways.size(); ++i)
    EXPECT_FALSE(lighter(ways[i]->weight, ways[i - 1]->weight));
}

TEST(PlanTerm, EveryWayEndsInTheTarget) {
  const Layout target = layout_of(mesh(), {"X", "Y"});
  for (const auto& way : plan({"X", "Y"}, {"Y", "X"}, target)) EXPECT_EQ(way->layout, target);
}

TEST(PlanTerm, WithoutATargetNothingStaysUnreduced) {
  const Ways ways = plan({"", "X"}, {"X", ""}, std::nullopt);
  ASSERT_FALSE(ways.empty());
  for (const auto& way : ways) EXPECT_TRUE(way->layout.unreduced.empty());
  EXPECT_EQ(best(ways).size(), 1U);
}

TEST(PlanTerm, HasNoWayToATargetThatNoProductLeaves) {
  EXPECT_TRUE(plan({"X", ""}, {"", ""}, layout_of(mesh(), {"X", ""}, "Y")).empty());
}

TEST(PlanTerm, StartsFromTheCheapestCopy) {
  const Term copies{.node = Source{{layout_of(mesh(), {"", "X"}), layout_of(mesh(), {"", ""})}},
                    .labels = {0, 1},
                    .shape = testing::shape_of({64, 64})};
  const Ways ways = plan_term(product(copies, term({"", ""}, {1, 2}, {64, 64}), {0, 2}, {64, 64}),
                              layout_of(mesh(), {"", ""}), machine());
  ASSERT_FALSE(ways.empty());
  EXPECT_EQ(best(ways), Names{});
  const auto& made = std::get<MadeFrom>(ways.front()->origin);
  EXPECT_EQ(std::get<std::size_t>(made.operands[0]->origin), 1U);
}

TEST(PlanTerm, AChainIsPlannedAsAWhole) {
  // In[B_X, D] · Win[D, F_Y] · Wout[F_Y, D'] → Out[B_X, D']: only the last product needs a sum.
  const Term in = term({"X", ""}, {0, 1}, {4096, 4096});
  const Term win = term({"", "Y"}, {1, 2}, {4096, 8192});
  const Term wout = term({"Y", ""}, {2, 3}, {8192, 4096});
  const Term inner = product(in, win, {0, 2}, {4096, 8192});
  const Ways ways = plan_term(product(inner, wout, {0, 3}, {4096, 4096}),
                              layout_of(mesh(), {"X", ""}), machine());
  ASSERT_FALSE(ways.empty());
  EXPECT_EQ(best(ways), Names{"C: AllReduce_Y"});
}

// What is to run beside the product is not split, and not merged with another axis, where a way has it whole.
TEST(PlanTerm, PrefersACollectiveOverTheAxesBesideTheProduct) {
  const Term problem = product(term({"", "XY"}, {0, 1}, {65536, 64}),
                               term({"X", "Y"}, {1, 2}, {64, 65536}), {0, 2}, {65536, 65536});
  const auto beside = [&](const std::vector<AxisId>& axes) {
    return best(plan_term(problem, layout_of(mesh(), {"", "Y"}), machine(), axes));
  };
  const AxisId x{0};
  const AxisId y{1};
  const Names lightest = {"A: AllGather_{XY}", "B: AllGather_X"};
  const Names reduced = {"A: AllGather_Y", "C: AllReduce_X"};
  EXPECT_EQ(beside({}), lightest);
  EXPECT_EQ(beside({x, y}), lightest);
  EXPECT_EQ(beside({y, x}), lightest);
  // B's parts are summed, and the result is the same along X: the product cannot be cut along them.
  EXPECT_EQ(beside({x}), reduced);
  EXPECT_EQ(beside({y}), reduced);
}

TEST(PlanTerm, LeavesOutLayoutsThatDoNotDivide) {
  const Ways ways =
      plan({"", "X"}, {"", ""}, layout_of(mesh(), {"", ""}), {.i = 6, .j = 64, .k = 6});
  ASSERT_FALSE(ways.empty());
  for (const auto& way : ways) EXPECT_EQ(way->layout, layout_of(mesh(), {"", ""}));
}

TEST(PlanTerm, WeightIsTheSumOfItsParts) {
  for (const auto& way : plan({"X", "Y"}, {"", "X"}, layout_of(mesh(), {"X", "Y"}))) {
    const Weight whole = weigh(way->cost);
    EXPECT_GE(whole.seconds, 0);
    EXPECT_NEAR(way->weight.bytes, whole.bytes, 1e-6 * (1 + whole.bytes));
  }
}

}  // namespace
}  // namespace shard::planning::term_test
