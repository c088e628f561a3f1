// The cheapest choice of values for variables whose costs are sums of tables: which layouts arrays should have.
//
// In this folder:
//   elimination.h   the cheapest choices, under a limit for memory
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace shard::planning {

inline constexpr double kImpossible = std::numeric_limits<double>::infinity();

// A cost for each combination of values of some variables.
struct CostTable {
  std::vector<std::size_t> variables;  // each once
  std::vector<double> costs;  // row-major, the last variable fastest; kImpossible: not to be chosen
};

struct Choice {
  std::vector<std::size_t> values;  // by variable
  double cost = 0;
  double memory = 0;
};

// Σ of the tables is to be least, while Σ of the values' memory keeps within the limit.
struct ChoiceProblem {
  std::vector<std::size_t> sizes;  // how many values each variable has
  std::vector<CostTable> tables;
  std::vector<std::vector<double>> memory;  // by variable and value
  double limit = kImpossible;
};

// The variables are taken out one after the other, the one first whose neighbours are fewest pairs of strangers (min-fill); each
// combination of its neighbours keeps the ways to complete it that no other one beats in both cost and memory (Pareto labels).
// The cheapest choices, best first, at most `count`, found by splitting what is left around each (Lawler 1972); fewer if there are
// no more. nullopt where that would take more than `most_labels` labels.
std::optional<std::vector<Choice>> cheapest_choices(const ChoiceProblem& problem, std::size_t count,
                                                    std::size_t most_labels = 4'000'000);

// No choice within the limit costs less: the largest bound of some Lagrange multipliers of the limit, each by the same elimination
// without labels. nullopt where that takes too much.
std::optional<double> least_cost_bound(const ChoiceProblem& problem,
                                       std::size_t most_labels = 4'000'000);

}  // namespace shard::planning
