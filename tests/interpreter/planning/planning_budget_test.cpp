// Products that have more ways than anyone can weigh: they are planned within the budget, and the plan says so.
#include <gtest/gtest.h>

#include <string>

#include "interpreter/planning/search/relayout.h"
#include "interpreter/planning/term_plan.h"
#include "runtime/machine/topology.h"
#include "tests/interpreter/support/machines.h"

namespace shard::planning::planning_budget_test {
namespace {

Machine pairs(int count) {
  std::vector<DeclaredAxis> axes;
  for (int i = 0; i < count; ++i)
    axes.push_back({"X" + std::to_string(i), {2}, AxisKind::Ici, true, std::nullopt});
  Machine machine = testing::rings({2});
  machine.mesh = std::get<Mesh>(fit_mesh(machine.chip, std::nullopt, axes));
  return machine;
}

Term source(const Labels& labels, const std::vector<int>& axes) {
  Layout layout = replicated(labels.size());
  for (std::size_t d = 0; d < axes.size(); ++d) {
    if (axes[d] >= 0) layout.dims.edit()[d] = {AxisId{axes[d]}};
  }
  return {.node = Source{{layout}},
          .labels = labels,
          .shape = testing::shape_of(std::vector<std::int64_t>(labels.size(), 16))};
}

Term product(Term left, Term right, const Labels& labels) {
  const std::vector<std::int64_t> lengths(labels.size(), 16);
  return {.node = Box<Product>(Product{std::move(left), std::move(right)}),
          .labels = labels,
          .shape = testing::shape_of(lengths)};
}

Labels range(int from, int count) {
  Labels labels;
  for (int i = 0; i < count; ++i) labels.push_back(from + i);
  return labels;
}

// Axis i + shift on dimension i.
std::vector<int> shifted(int count, int shift) {
  std::vector<int> axes;
  for (int i = 0; i < count; ++i) axes.push_back((i + shift) % count);
  return axes;
}

void expect_planned(const Term& term, const Layout& target, const Machine& machine) {
  for (const PlanRule rule : {PlanRule::Cases, PlanRule::Cheapest}) {
    const auto ways = plan_term(term, target, machine, {}, rule);
    ASSERT_FALSE(ways.empty());
    EXPECT_EQ(ways.front()->layout, target);
    EXPECT_GT(ways.front()->unproven, 0);
  }
}

TEST(PlanningBudget, HoldsWhereOneOperandSplitsElevenContractedDimensions) {
  Labels left = range(1, 11);
  Labels right = left;
  left.insert(left.begin(), 0);
  right.push_back(20);
  std::vector<int> axes = shifted(11, 0);
  axes.insert(axes.begin(), -1);
  expect_planned(product(source(left, axes), source(right, {}), {0, 20}), replicated(2), pairs(11));
}

TEST(PlanningBudget, HoldsWhereEightSplitsConflict) {
  const Labels all = range(0, 8);
  expect_planned(product(source(all, shifted(8, 0)), source(all, shifted(8, 1)), {}), replicated(0),
                 pairs(8));
}

TEST(PlanningBudget, HoldsWhereEightFreeDimensionsConflict) {
  const Term left = source(range(0, 8), shifted(8, 0));
  const Term right = source(range(8, 8), shifted(8, 0));
  expect_planned(product(left, right, range(0, 16)), replicated(16), pairs(8));
}

TEST(PlanningBudget, HoldsWhereNineBatchDimensionsAreSplitInThreeWays) {
  const Labels all = range(0, 9);
  Layout target = replicated(9);
  for (std::size_t d = 0; d < 9; ++d)
    target.dims.edit()[d] = {AxisId{static_cast<std::int32_t>((d + 2) % 9)}};
  expect_planned(product(source(all, shifted(9, 0)), source(all, shifted(9, 1)), all), target,
                 pairs(9));
}

TEST(PlanningBudget, HoldsInAChainOfSixteenOnSixAxes) {
  Term chain = source({0, 1}, {0, 1});
  for (int i = 1; i < 16; ++i)
    chain = product(std::move(chain),
                    source({i, i + 1}, {i % 6, (5 * i + 3) % 6 == i % 6 ? -1 : (5 * i + 3) % 6}),
                    {0, i + 1});
  Layout target = replicated(2);
  target.dims = {{AxisId{0}}, {AxisId{1}}};
  expect_planned(chain, target, pairs(6));
}

}  // namespace
}  // namespace shard::planning::planning_budget_test
