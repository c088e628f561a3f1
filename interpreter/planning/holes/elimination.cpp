#include "interpreter/planning/holes/elimination.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "base/cancellation.h"
#include "base/contains.h"

namespace shard::planning {

namespace {

// A way to complete a combination: the value of the variable that was taken out, and of each table that had it the label.
struct Label {
  double cost = 0;
  double memory = 0;
  std::size_t value = 0;
  std::vector<std::uint32_t> parts = {};
};

// What a table is while variables are taken out. `from`: the step that made it, or none.
struct LabelTable {
  static constexpr std::size_t kGiven = static_cast<std::size_t>(-1);
  std::vector<std::size_t> variables;
  std::vector<std::vector<Label>> entries;
  std::size_t from = kGiven;
};

// Step of the elimination: needed to find the values again.
struct TakenOut {
  std::size_t variable;
  std::vector<std::size_t> tables;  // that had it
  std::size_t result;               // the table without it
};

class Elimination {
 public:
  Elimination(const ChoiceProblem& problem, std::size_t most_labels)
      : problem_(problem), most_labels_(most_labels) {}

  // nullopt: too many labels. An empty choice: there is none.
  std::optional<std::optional<Choice>> solve() {
    for (const CostTable& table : problem_.tables) add(table);
    std::set<std::size_t> left;
    for (std::size_t v = 0; v < problem_.sizes.size(); ++v) left.insert(v);
    while (!left.empty()) {
      const std::size_t next = least_filling(left);
      if (!take_out(next)) return std::nullopt;
      left.erase(next);
    }
    return combined();
  }

 private:
  void add(const CostTable& table) {
    LabelTable given{table.variables, {}};
    given.entries.reserve(table.costs.size());
    for (const double cost : table.costs) {
      given.entries.emplace_back();
      if (cost < kImpossible) given.entries.back().push_back({.cost = cost});
    }
    live_.push_back(tables_.size());
    tables_.push_back(std::move(given));
  }

  std::set<std::size_t> neighbours(std::size_t variable) const {
    std::set<std::size_t> found;
    for (const std::size_t table : live_) {
      const auto& variables = tables_[table].variables;
      if (contains(variables, variable)) found.insert(variables.begin(), variables.end());
    }
    found.erase(variable);
    return found;
  }

  // Pairs of its neighbours that no table has together; of equal ones that with the smallest table.
  std::size_t least_filling(const std::set<std::size_t>& left) const {
    std::size_t best = *left.begin();
    std::pair<std::size_t, double> least = {static_cast<std::size_t>(-1), 0};
    for (const std::size_t variable : left) {
      const auto around = neighbours(variable);
      std::size_t missing = 0;
      double size = 1;
      for (const std::size_t one : around) {
        const auto known = neighbours(one);
        size *= static_cast<double>(problem_.sizes[one]);
        for (const std::size_t other : around)
          missing += one < other && !known.contains(other) ? 1 : 0;
      }
      if (std::pair(missing, size) < least) {
        least = {missing, size};
        best = variable;
      }
    }
    return best;
  }

  // The entry of a table for values of all variables.
  std::size_t place(const LabelTable& table, const std::vector<std::size_t>& values) const {
    std::size_t at = 0;
    for (const std::size_t variable : table.variables)
      at = at * problem_.sizes[variable] + values[variable];
    return at;
  }

  // Only those that no other one beats in both; none above the limit.
  void prune(std::vector<Label>& labels) const {
    std::erase_if(labels, [&](const Label& label) { return label.memory > problem_.limit; });
    std::sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) {
      return std::pair(a.cost, a.memory) < std::pair(b.cost, b.memory);
    });
    const bool limited = problem_.limit < kImpossible;
    std::vector<Label> kept;
    for (Label& label : labels) {
      if (kept.empty() || (limited && label.memory < kept.back().memory))
        kept.push_back(std::move(label));
    }
    labels = std::move(kept);
  }

  bool take_out(std::size_t variable) {
    TakenOut step{variable, {}, tables_.size()};
    for (const std::size_t table : live_) {
      if (contains(tables_[table].variables, variable)) step.tables.push_back(table);
    }
    const auto around = neighbours(variable);
    LabelTable result{{around.begin(), around.end()}, {}, steps_.size()};
    double size = 1;
    for (const std::size_t one : around) size *= static_cast<double>(problem_.sizes[one]);
    if (size * static_cast<double>(problem_.sizes[variable]) > static_cast<double>(most_labels_))
      return false;
    result.entries.resize(static_cast<std::size_t>(size));
    std::vector<std::size_t> values(problem_.sizes.size(), 0);
    for (std::size_t entry = 0; entry < result.entries.size(); ++entry) {
      std::size_t rest = entry;
      for (std::size_t i = result.variables.size(); i-- > 0;) {
        const std::size_t length = problem_.sizes[result.variables[i]];
        values[result.variables[i]] = rest % length;
        rest /= length;
      }
      throw_if_cancelled();
      fill(step, values, result.entries[entry]);
      labels_ += result.entries[entry].size();
      if (labels_ > most_labels_) return false;
    }
    std::erase_if(live_, [&](std::size_t table) { return contains(step.tables, table); });
    live_.push_back(tables_.size());
    tables_.push_back(std::move(result));
    steps_.push_back(std::move(step));
    return true;
  }

  void fill(const TakenOut& step, std::vector<std::size_t>& values, std::vector<Label>& entry) {
    for (std::size_t value = 0; value < problem_.sizes[step.variable]; ++value) {
      values[step.variable] = value;
      std::vector<Label> labels = {
          {.cost = 0, .memory = problem_.memory[step.variable][value], .value = value}};
      for (const std::size_t table : step.tables)
        labels = joined(labels, tables_[table].entries[place(tables_[table], values)]);
      entry.insert(entry.end(), labels.begin(), labels.end());
    }
    prune(entry);
  }

  std::vector<Label> joined(const std::vector<Label>& left, const std::vector<Label>& right) const {
    std::vector<Label> labels;
    labels.reserve(left.size() * right.size());
    for (const Label& one : left) {
      for (std::size_t i = 0; i < right.size(); ++i) {
        Label label = one;
        label.cost += right[i].cost;
        label.memory += right[i].memory;
        label.parts.push_back(static_cast<std::uint32_t>(i));
        labels.push_back(std::move(label));
      }
    }
    prune(labels);
    return labels;
  }

  // All variables are out: what is left are tables of one entry.
  std::optional<Choice> combined() {
    std::vector<Label> labels = {{}};
    for (const std::size_t table : live_) labels = joined(labels, tables_[table].entries.front());
    if (labels.empty()) return std::nullopt;
    Choice choice{std::vector<std::size_t>(problem_.sizes.size(), 0), labels.front().cost,
                  labels.front().memory};
    for (std::size_t i = 0; i < live_.size(); ++i)
      follow(live_[i], labels.front().parts[i], choice);
    return choice;
  }

  void follow(std::size_t table, std::size_t label, Choice& choice) const {
    if (tables_[table].from == LabelTable::kGiven) return;
    const TakenOut& step = steps_[tables_[table].from];
    const Label& chosen = tables_[table].entries[place(tables_[table], choice.values)][label];
    choice.values[step.variable] = chosen.value;
    for (std::size_t i = 0; i < step.tables.size(); ++i)
      follow(step.tables[i], chosen.parts[i], choice);
  }

  const ChoiceProblem& problem_;
  std::size_t most_labels_;
  std::size_t labels_ = 0;
  std::vector<LabelTable> tables_;
  std::vector<std::size_t> live_;  // tables that are not yet joined
  std::vector<TakenOut> steps_;
};

// Some values are given, and some are not to be taken.
struct Restriction {
  std::vector<std::pair<std::size_t, std::size_t>> given = {};
  std::vector<std::pair<std::size_t, std::size_t>> refused = {};
};

ChoiceProblem restricted(ChoiceProblem problem, const Restriction& restriction) {
  const auto refuse = [&](std::size_t variable, const auto& is_refused) {
    CostTable table{{variable}, std::vector<double>(problem.sizes[variable], 0)};
    for (std::size_t value = 0; value < table.costs.size(); ++value) {
      if (is_refused(value)) table.costs[value] = kImpossible;
    }
    problem.tables.push_back(std::move(table));
  };
  for (const auto& one : restriction.given) {
    const std::size_t wanted = one.second;
    refuse(one.first, [wanted](std::size_t value) { return value != wanted; });
  }
  for (const auto& one : restriction.refused) {
    const std::size_t unwanted = one.second;
    refuse(one.first, [unwanted](std::size_t value) { return value == unwanted; });
  }
  return problem;
}

struct Subspace {
  Restriction restriction;
  Choice best;
};

}  // namespace

std::optional<std::vector<Choice>> cheapest_choices(const ChoiceProblem& problem, std::size_t count,
                                                    std::size_t most_labels) {
  std::vector<Choice> found;
  std::vector<Subspace> open;
  const auto add = [&](Restriction restriction) {
    const ChoiceProblem part = restricted(problem, restriction);
    const auto solved = Elimination(part, most_labels).solve();
    if (!solved) return false;
    if (*solved) open.push_back({std::move(restriction), **solved});
    return true;
  };
  if (!add({})) return std::nullopt;
  while (!open.empty() && found.size() < count) {
    const auto best = std::min_element(open.begin(), open.end(), [](const auto& a, const auto& b) {
      return std::pair(a.best.cost, a.best.values) < std::pair(b.best.cost, b.best.values);
    });
    const Subspace taken = std::move(*best);
    open.erase(best);
    found.push_back(taken.best);
    if (found.size() == count) break;
    // What is left of the subspace: for each variable those choices that agree with this one before it, and not there.
    Restriction rest = taken.restriction;
    for (std::size_t v = 0; v < problem.sizes.size(); ++v) {
      Restriction part = rest;
      part.refused.emplace_back(v, taken.best.values[v]);
      if (!add(std::move(part))) return std::nullopt;
      rest.given.emplace_back(v, taken.best.values[v]);
    }
  }
  return found;
}

std::optional<double> least_cost_bound(const ChoiceProblem& problem, std::size_t most_labels) {
  const auto priced = [&](double multiplier) -> std::optional<std::optional<Choice>> {
    ChoiceProblem relaxed = problem;
    relaxed.limit = kImpossible;
    for (std::size_t v = 0; v < problem.sizes.size(); ++v) {
      CostTable table{{v}, {}};
      for (const double bytes : problem.memory[v]) table.costs.push_back(multiplier * bytes);
      relaxed.tables.push_back(std::move(table));
    }
    return Elimination(relaxed, most_labels).solve();
  };
  const auto free = priced(0);
  if (!free) return std::nullopt;
  if (!*free) return kImpossible;
  double bound = (*free)->cost;
  if ((*free)->memory <= problem.limit || problem.limit == kImpossible) return bound;
  // Where the relaxed choice changes from too much memory to less the bound is largest.
  double low = 0;
  double high = bound / (*free)->memory + 1e-30;
  constexpr int kSteps = 24;
  bool above = false;
  for (int i = 0; i < kSteps; ++i) {
    const double multiplier = above ? (low + high) / 2 : high;
    const auto one = priced(multiplier);
    if (!one || !*one) return bound;
    bound = std::max(bound, (*one)->cost - multiplier * problem.limit);
    if ((*one)->memory > problem.limit) {
      low = multiplier;
      if (!above) high *= 4;
    } else {
      high = multiplier;
      above = true;
    }
  }
  return bound;
}

}  // namespace shard::planning
