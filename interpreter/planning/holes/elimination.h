// The cheapest choice of values for variables whose costs are sums of tables: which layouts arrays should have.
//
// In this folder:
//   elimination.h   the cheapest choices, under a limit for memory
//   bucket_tree.h   what is left of sums of tables when variables are taken out one after the other
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "interpreter/planning/holes/bucket_tree.h"

namespace shard::planning {

struct Choice {
  std::vector<std::size_t> values;  // by variable
  double cost = 0;
};

// Σ of the tables is to be least, while each of the rows, which are sums of tables too, keeps within the limit. What memory holds
// at different times are such rows.
struct ChoiceProblem {
  std::vector<std::size_t> sizes;  // how many values each variable has
  std::vector<CostTable> tables;
  std::vector<std::vector<CostTable>> rows;
  double limit = kImpossible;
};

// The choices within the limit, cheapest first, found one by one. Variables are taken out of the sums in min-fill order, which
// leaves for every choice of some of them the least cost, and the least of each row, with which it can be completed; by these the
// choices are looked for best first (A*). A Lagrange multiplier for each row gives a second bound of the cost: the largest one that
// some steps along subgradients find (Held and Karp 1971).
class CheapestChoices {
 public:
  explicit CheapestChoices(ChoiceProblem problem, std::size_t most_entries = 4'000'000);
  ~CheapestChoices();
  CheapestChoices(const CheapestChoices&) = delete;
  CheapestChoices& operator=(const CheapestChoices&) = delete;

  // Nothing can be said: the tables grow beyond `most_entries`.
  bool is_too_large() const;
  // The next one; nullopt if there is none, or if finding it takes too much memory.
  std::optional<Choice> next();
  // Depth first instead, which needs no memory: one after the other, in no order, those that cost less than `most`, which may fall
  // from call to call. nullopt if there is no more, or after `most_nodes` partial choices, from which less is taken away.
  std::optional<Choice> next_below(double most, double& most_nodes);
  // No choice within the limit that was not given so far costs less; kImpossible: there is none.
  double at_least() const;

 private:
  class Search;
  std::unique_ptr<Search> search_;  // null: too large
};

}  // namespace shard::planning
