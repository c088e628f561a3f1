// The cheapest choices, against all choices of small random problems, with limits for memory that bind.
#include "interpreter/planning/holes/elimination.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace shard::planning::elimination_test {
namespace {

double cost_of(const ChoiceProblem& problem, const std::vector<std::size_t>& values) {
  double cost = 0;
  for (const CostTable& table : problem.tables) {
    std::size_t at = 0;
    for (const std::size_t variable : table.variables)
      at = at * problem.sizes[variable] + values[variable];
    cost += table.costs[at];
  }
  return cost;
}

double memory_of(const ChoiceProblem& problem, const std::vector<std::size_t>& values) {
  double memory = 0;
  for (std::size_t v = 0; v < values.size(); ++v) memory += problem.memory[v][values[v]];
  return memory;
}

// The costs of all choices that are possible and fit, ascending.
std::vector<double> all_costs(const ChoiceProblem& problem) {
  std::vector<double> costs;
  std::vector<std::size_t> values(problem.sizes.size(), 0);
  while (true) {
    const double cost = cost_of(problem, values);
    if (cost < kImpossible && memory_of(problem, values) <= problem.limit) costs.push_back(cost);
    std::size_t v = 0;
    while (v < values.size() && ++values[v] == problem.sizes[v]) values[v++] = 0;
    if (v == values.size()) break;
  }
  std::sort(costs.begin(), costs.end());
  return costs;
}

// Costs are whole numbers, so that sums are exact in any order; one in eight choices is impossible.
ChoiceProblem random_problem(std::mt19937& random) {
  const auto up_to = [&](std::size_t most) {
    return static_cast<std::size_t>(random() % (most + 1));
  };
  ChoiceProblem problem;
  const std::size_t variables = 1 + up_to(5);
  double most_memory = 0;
  for (std::size_t v = 0; v < variables; ++v) {
    problem.sizes.push_back(1 + up_to(3));
    problem.memory.emplace_back();
    for (std::size_t i = 0; i < problem.sizes.back(); ++i)
      problem.memory.back().push_back(static_cast<double>(up_to(20)));
    most_memory += *std::max_element(problem.memory.back().begin(), problem.memory.back().end());
  }
  const std::size_t tables = 1 + up_to(5);
  for (std::size_t t = 0; t < tables; ++t) {
    CostTable table;
    std::size_t size = 1;
    for (std::size_t v = 0; v < variables; ++v) {
      if (up_to(2) > 0 || table.variables.size() == 3) continue;
      table.variables.push_back(v);
      size *= problem.sizes[v];
    }
    for (std::size_t i = 0; i < size; ++i)
      table.costs.push_back(up_to(7) == 0 ? kImpossible : static_cast<double>(up_to(30)));
    problem.tables.push_back(std::move(table));
  }
  if (up_to(3) > 0)
    problem.limit = static_cast<double>(up_to(static_cast<std::size_t>(most_memory)));
  return problem;
}

TEST(Elimination, FindsTheCheapestChoicesOfRandomProblems) {
  std::mt19937 random(7);
  std::size_t bound_by_memory = 0;
  for (int i = 0; i < 2000; ++i) {
    const ChoiceProblem problem = random_problem(random);
    std::vector<double> expected = all_costs(problem);
    constexpr std::size_t kCount = 4;
    const auto found = cheapest_choices(problem, kCount);
    ASSERT_TRUE(found.has_value());
    ASSERT_EQ(found->size(), std::min(kCount, expected.size())) << "problem " << i;
    for (std::size_t c = 0; c < found->size(); ++c) {
      const Choice& choice = (*found)[c];
      EXPECT_EQ(choice.cost, expected[c]) << "problem " << i;
      EXPECT_EQ(cost_of(problem, choice.values), choice.cost) << "problem " << i;
      EXPECT_EQ(memory_of(problem, choice.values), choice.memory) << "problem " << i;
      for (std::size_t other = 0; other < c; ++other)
        EXPECT_NE((*found)[other].values, choice.values) << "problem " << i;
    }
    ChoiceProblem free = problem;
    free.limit = kImpossible;
    const auto unlimited = all_costs(free);
    bound_by_memory += !expected.empty() && unlimited.front() < expected.front() ? 1 : 0;
    const auto bound = least_cost_bound(problem);
    ASSERT_TRUE(bound.has_value());
    if (!expected.empty()) {
      EXPECT_LE(*bound, expected.front() + 1e-9) << "problem " << i;
    }
    if (!unlimited.empty()) {
      EXPECT_GE(*bound, unlimited.front() - 1e-9) << "problem " << i;
    }
  }
  EXPECT_GT(bound_by_memory, 200U);
}

// Eleven layouts each, in a row: the size of what a chain of products leaves open.
TEST(Elimination, SolvesAChainOfFifteen) {
  std::mt19937 random(3);
  ChoiceProblem problem;
  constexpr std::size_t kValues = 11;
  constexpr std::size_t kLength = 15;
  for (std::size_t v = 0; v < kLength; ++v) {
    problem.sizes.push_back(kValues);
    problem.memory.emplace_back();
    for (std::size_t i = 0; i < kValues; ++i)
      problem.memory.back().push_back(static_cast<double>(1 + random() % 8));
  }
  for (std::size_t v = 0; v + 2 < kLength; v += 2) {
    CostTable table{{v, v + 1, v + 2}, {}};
    for (std::size_t i = 0; i < kValues * kValues * kValues; ++i)
      table.costs.push_back(static_cast<double>(random() % 1000));
    problem.tables.push_back(std::move(table));
  }
  problem.limit = 40;
  const auto found = cheapest_choices(problem, 2);
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->size(), 2U);
  EXPECT_LE(found->front().memory, 40);
  EXPECT_EQ(cost_of(problem, found->front().values), found->front().cost);
  const auto bound = least_cost_bound(problem);
  ASSERT_TRUE(bound.has_value());
  EXPECT_LE(*bound, found->front().cost + 1e-9);
}

TEST(Elimination, GivesUpWhereTablesGrowTooLarge) {
  ChoiceProblem problem;
  constexpr std::size_t kVariables = 6;
  for (std::size_t v = 0; v < kVariables; ++v) {
    problem.sizes.push_back(10);
    problem.memory.emplace_back(10, 0.0);
  }
  for (std::size_t v = 0; v < kVariables; ++v) {
    for (std::size_t w = v + 1; w < kVariables; ++w)
      problem.tables.push_back({{v, w}, std::vector<double>(100, 1)});
  }
  EXPECT_FALSE(cheapest_choices(problem, 1, 10'000).has_value());
}

}  // namespace
}  // namespace shard::planning::elimination_test
