// The cheapest choices, against all choices of small random problems, with limits for memory that bind.
#include "interpreter/planning/holes/elimination.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
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

double row_of(const ChoiceProblem& problem, const std::vector<CostTable>& row,
              const std::vector<std::size_t>& values) {
  return cost_of({.sizes = problem.sizes, .tables = row, .rows = {}}, values);
}

bool fits(const ChoiceProblem& problem, const std::vector<std::size_t>& values) {
  return std::all_of(problem.rows.begin(), problem.rows.end(), [&](const auto& row) {
    return row_of(problem, row, values) <= problem.limit;
  });
}

// The costs of all choices that are possible and fit, ascending.
std::vector<double> all_costs(const ChoiceProblem& problem) {
  std::vector<double> costs;
  std::vector<std::size_t> values(problem.sizes.size(), 0);
  while (true) {
    const double cost = cost_of(problem, values);
    if (cost < kImpossible && fits(problem, values)) costs.push_back(cost);
    std::size_t v = 0;
    while (v < values.size() && ++values[v] == problem.sizes[v]) values[v++] = 0;
    if (v == values.size()) break;
  }
  std::sort(costs.begin(), costs.end());
  return costs;
}

CostTable random_table(std::mt19937& random, const ChoiceProblem& problem, std::size_t most,
                       bool impossible) {
  CostTable table;
  std::size_t size = 1;
  for (std::size_t v = 0; v < problem.sizes.size(); ++v) {
    if (random() % 3 > 0 || table.variables.size() == 3) continue;
    table.variables.push_back(v);
    size *= problem.sizes[v];
  }
  for (std::size_t i = 0; i < size; ++i) {
    const bool never = impossible && random() % 8 == 0;
    table.costs.push_back(never ? kImpossible : static_cast<double>(random() % most));
  }
  return table;
}

// Costs are whole numbers, so that sums are exact in any order; one in eight choices is impossible.
ChoiceProblem random_problem(std::mt19937& random) {
  ChoiceProblem problem;
  const std::size_t variables = 1 + random() % 6;
  for (std::size_t v = 0; v < variables; ++v) problem.sizes.push_back(1 + random() % 4);
  const std::size_t tables = 1 + random() % 6;
  for (std::size_t t = 0; t < tables; ++t)
    problem.tables.push_back(random_table(random, problem, 31, true));
  const std::size_t rows = 1 + random() % 3;
  for (std::size_t row = 0; row < rows; ++row) {
    problem.rows.emplace_back();
    const std::size_t parts = 1 + random() % 4;
    for (std::size_t t = 0; t < parts; ++t)
      problem.rows.back().push_back(random_table(random, problem, 21, false));
  }
  if (random() % 4 > 0) problem.limit = static_cast<double>(random() % 40);
  return problem;
}

TEST(Elimination, FindsTheCheapestChoicesOfRandomProblems) {
  std::mt19937 random(7);
  std::size_t bound_by_memory = 0;
  for (int i = 0; i < 2000; ++i) {
    const ChoiceProblem problem = random_problem(random);
    const std::vector<double> expected = all_costs(problem);
    ChoiceProblem free = problem;
    free.limit = kImpossible;
    const std::vector<double> unlimited = all_costs(free);
    bound_by_memory += !expected.empty() && unlimited.front() < expected.front() ? 1 : 0;
    CheapestChoices choices(problem);
    ASSERT_FALSE(choices.is_too_large());
    if (!expected.empty()) {
      EXPECT_LE(choices.at_least(), expected.front() + 1e-6) << "problem " << i;
      EXPECT_GE(choices.at_least(), unlimited.front() - 1e-6) << "problem " << i;
    }
    std::set<std::vector<std::size_t>> given;
    for (const double cost : expected) {
      EXPECT_LE(choices.at_least(), cost + 1e-6) << "problem " << i;
      const auto choice = choices.next();
      ASSERT_TRUE(choice.has_value()) << "problem " << i;
      EXPECT_EQ(choice->cost, cost) << "problem " << i;
      EXPECT_EQ(cost_of(problem, choice->values), cost) << "problem " << i;
      EXPECT_TRUE(fits(problem, choice->values)) << "problem " << i;
      EXPECT_TRUE(given.insert(choice->values).second) << "problem " << i;
    }
    EXPECT_FALSE(choices.next().has_value()) << "problem " << i;
    EXPECT_EQ(choices.at_least(), kImpossible) << "problem " << i;
  }
  EXPECT_GT(bound_by_memory, 100U);
}

// Each that it gives is what less is asked for than from then on.
TEST(Elimination, FindsTheCheapestDepthFirst) {
  std::mt19937 random(11);
  for (int i = 0; i < 2000; ++i) {
    const ChoiceProblem problem = random_problem(random);
    const std::vector<double> expected = all_costs(problem);
    CheapestChoices choices(problem);
    double least = kImpossible;
    double nodes = 1e6;
    while (const auto choice = choices.next_below(least, nodes)) {
      EXPECT_LT(choice->cost, least) << "problem " << i;
      EXPECT_EQ(cost_of(problem, choice->values), choice->cost) << "problem " << i;
      EXPECT_TRUE(fits(problem, choice->values)) << "problem " << i;
      least = choice->cost;
    }
    EXPECT_GT(nodes, 0) << "problem " << i;
    EXPECT_EQ(least, expected.empty() ? kImpossible : expected.front()) << "problem " << i;
  }
}

// Eleven layouts each, in a row: the size of what a chain of products leaves open.
TEST(Elimination, SolvesAChainOfFifteen) {
  std::mt19937 random(3);
  ChoiceProblem problem;
  constexpr std::size_t kValues = 11;
  constexpr std::size_t kLength = 15;
  problem.rows.emplace_back();
  for (std::size_t v = 0; v < kLength; ++v) {
    problem.sizes.push_back(kValues);
    CostTable bytes{{v}, {}};
    for (std::size_t i = 0; i < kValues; ++i)
      bytes.costs.push_back(static_cast<double>(1 + random() % 8));
    problem.rows.front().push_back(std::move(bytes));
  }
  for (std::size_t v = 0; v + 2 < kLength; v += 2) {
    CostTable table{{v, v + 1, v + 2}, {}};
    for (std::size_t i = 0; i < kValues * kValues * kValues; ++i)
      table.costs.push_back(static_cast<double>(random() % 1000));
    problem.tables.push_back(std::move(table));
  }
  problem.limit = 40;
  CheapestChoices choices(problem);
  const double bound = choices.at_least();
  const auto found = choices.next();
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(fits(problem, found->values));
  EXPECT_EQ(cost_of(problem, found->values), found->cost);
  EXPECT_LE(bound, found->cost + 1e-6);
}

TEST(Elimination, GivesUpWhereTablesGrowTooLarge) {
  ChoiceProblem problem;
  constexpr std::size_t kVariables = 6;
  for (std::size_t v = 0; v < kVariables; ++v) problem.sizes.push_back(10);
  for (std::size_t v = 0; v < kVariables; ++v) {
    for (std::size_t w = v + 1; w < kVariables; ++w)
      problem.tables.push_back({{v, w}, std::vector<double>(100, 1)});
  }
  EXPECT_TRUE(CheapestChoices(problem, 10'000).is_too_large());
}

}  // namespace
}  // namespace shard::planning::elimination_test
