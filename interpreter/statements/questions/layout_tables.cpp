// Of a search for layouts: tables of what each statement takes, and the cheapest choices by them.
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "interpreter/planning/holes/elimination.h"
#include "interpreter/statements/questions/layout_search.h"

namespace shard {

namespace {

constexpr double kSumRounding = 1e-9;
constexpr double kNever = planning::kImpossible;
constexpr std::size_t kOpenHole = static_cast<std::size_t>(-1);
// Partial choices that are looked at in the time that a statement takes.
constexpr double kNodesOfStatement = 50;

std::vector<std::size_t> listed(const std::set<std::size_t>& holes) {
  return {holes.begin(), holes.end()};
}

bool differ(double one, double other) {
  return std::abs(one - other) > kSumRounding * (std::abs(one) + std::abs(other));
}

}  // namespace

void LayoutSearch::add_to_tables(const HoleRows& rows, const PricedBlock& priced) {
  const auto& memory = priced.memory_rows;
  if (memory_rows_ == 0) memory_rows_ = memory.size();
  bool has_rows = !memory.empty() && memory.size() == memory_rows_;
  for (const std::vector<double>& row : memory) {
    double sum = 0;
    for (const double bytes : row) sum += bytes;
    has_rows = has_rows && sum <= priced.memory * (1 + kSumRounding);
  }
  if (finds_rows_ && !has_rows) rows_hold_ = false;
  tables_.resize(block_.statements().size());
  for (std::size_t i = 0; i < priced.by_statement.size(); ++i) {
    const auto key = rows_at(rows, block_.statements()[i].holes);
    const auto [at, is_new] = tables_[i].try_emplace(key);
    TableEntry& entry = at->second;
    const double time = priced.by_statement[i];
    // A copy that another statement left may save a collective.
    if (!is_new && differ(entry.time, time)) adds_up_ = false;
    entry.time = is_new ? time : std::min(entry.time, time);
    if (!has_rows) continue;
    const bool has_bytes = !entry.bytes.empty();
    entry.bytes.resize(memory_rows_, kNever);
    for (std::size_t row = 0; row < memory_rows_; ++row) {
      const double bytes = memory[row][i];
      if (has_bytes && differ(entry.bytes[row], bytes)) rows_differ_ = true;
      entry.bytes[row] = std::min(entry.bytes[row], bytes);
    }
  }
}

planning::ChoiceProblem LayoutSearch::problem_of(const std::vector<DecidedHoles>& decided) const {
  planning::ChoiceProblem problem{.sizes = {}, .tables = {}, .rows = {}, .limit = limit_};
  for (const OpenVariable& variable : variables_) problem.sizes.push_back(variable.values.size());
  if (rows_hold_) problem.rows.resize(memory_rows_);
  for (std::size_t i = 0; i < decided.size(); ++i) {
    planning::CostTable times{decided[i].variables, {}};
    std::vector<planning::CostTable> bytes(problem.rows.size(), times);
    for (const auto& rows : decided[i].rows) {
      const auto entry = tables_[i].find(rows);
      const bool known = !rows.empty() || decided[i].holes.empty();
      const bool is_there = known && entry != tables_[i].end();
      times.costs.push_back(is_there ? entry->second.time : kNever);
      for (std::size_t row = 0; row < bytes.size(); ++row) {
        const bool has_bytes = is_there && !entry->second.bytes.empty();
        bytes[row].costs.push_back(has_bytes ? entry->second.bytes[row] : 0);
      }
    }
    problem.tables.push_back(std::move(times));
    for (std::size_t row = 0; row < bytes.size(); ++row)
      problem.rows[row].push_back(std::move(bytes[row]));
  }
  add_agreements(problem);
  return problem;
}

// Arrays that share a hole agree about it.
void LayoutSearch::add_agreements(planning::ChoiceProblem& problem) const {
  for (std::size_t v = 0; v < variables_.size(); ++v) {
    for (std::size_t w = 0; w < variables_.size(); ++w) {
      if (v == w || variables_[w].holes.size() != 1) continue;
      const auto& holes = variables_[v].holes;
      const auto at = std::find(holes.begin(), holes.end(), variables_[w].holes.front());
      if (at == holes.end()) continue;
      const auto place = static_cast<std::size_t>(at - holes.begin());
      planning::CostTable table{{v, w}, {}};
      for (const auto& value : variables_[v].values) {
        for (const auto& single : variables_[w].values)
          table.costs.push_back(value[place] == single.front() ? 0 : kNever);
      }
      problem.tables.push_back(std::move(table));
    }
  }
}

bool LayoutSearch::solve_tables() {
  double entries = 0;
  for (const OpenStatement& statement : block_.statements())
    entries += combinations(variables_, listed(statement.holes));
  if (entries > work_ * kProofs) return false;
  std::vector<DecidedHoles> decided;
  for (const OpenStatement& statement : block_.statements())
    decided.push_back(decided_by(variables_, listed(statement.holes)));
  const double most = work_ * kProofs;
  fill_tables(decided);
  const planning::ChoiceProblem problem = problem_of(decided);
  planning::CheapestChoices choices(problem);
  if (choices.is_too_large()) return false;
  const bool is_exact = adds_up_ && is_complete_ && !rows_differ_;
  std::optional<HoleRows> first = price_choices(choices, is_exact ? most : work_);
  const auto is_found = [&] { return least_ <= choices.at_least() * (1 + kSumRounding); };
  if (is_exact) {
    if (!is_found()) price_tighter(problem, most);
    proven_ = is_found() || std::isinf(choices.at_least()) || price_below(choices, most);
    const double bound = proven_ ? least_ : std::min(least_, choices.at_least());
    if (std::isfinite(bound)) raise_bound(bound);
  }
  if (std::isinf(least_)) find_smallest(problem);
  if (proven_) return true;
  // What the tables find is where the descent begins if they prove nothing: with work of its own.
  work_ += static_cast<double>(pricer_.work());
  if (first) descend(*first);
  descend_from_best();
  return false;
}

// Whether as many as are asked for take less than that, and with them all that take as long: among these the memory decides.
bool LayoutSearch::are_listed_below(double seconds) const {
  std::set<std::pair<double, double>> ranks;
  for (const auto& [rows, priced] : known_) {
    const bool fits = priced.is_sound && priced.is_known && priced.memory <= limit_;
    if (fits && priced.time < seconds * (1 - kSumRounding)) ranks.insert(rank_of(priced));
  }
  return ranks.size() >= count_;
}

// Prices one after the other until as many fit as are asked for, which take less than those that are left; returns the first.
std::optional<HoleRows> LayoutSearch::price_choices(planning::CheapestChoices& choices,
                                                    double most_work) {
  constexpr std::size_t kMore = 20;
  std::optional<HoleRows> first;
  for (std::size_t taken = 0;; ++taken) {
    const bool is_listed = least_ <= choices.at_least() && are_listed_below(choices.at_least());
    // Half of the work is left for a search that finds something that fits sooner.
    const double work = static_cast<double>(pricer_.work());
    const bool has_ended = is_listed || work > most_work / 2;
    if (taken >= count_ + kMore && has_ended) return first;
    const auto choice = choices.next();
    if (!choice) return first;
    const HoleRows rows = rows_of_choice(variables_, choice->values, block_.holes());
    price(rows);
    if (!first) first = rows;
  }
}

// With the least that a layout certainly takes further below the limit it is likely to fit. Takes half of the work that is left.
void LayoutSearch::price_tighter(planning::ChoiceProblem problem, double most_work) {
  constexpr int kSteps = 10;
  constexpr double kTighter = 0.96;
  const double share = (most_work - static_cast<double>(pricer_.work())) / (2 * kSteps);
  for (int step = 0; step < kSteps; ++step) {
    problem.limit *= kTighter;
    planning::CheapestChoices choices(problem);
    const double before = least_;
    const double end = static_cast<double>(pricer_.work()) + share;
    while (least_ == before && static_cast<double>(pricer_.work()) < end) {
      const auto choice = choices.next();
      if (!choice || choice->cost >= least_) break;
      price(rows_of_choice(variables_, choice->values, block_.holes()));
    }
    if (choices.at_least() >= least_) return;
  }
}

// Whatever takes less time than what fits so far; whether nothing is left of that.
bool LayoutSearch::price_below(planning::CheapestChoices& choices, double most_work) {
  double nodes = kNodesOfStatement * (most_work - static_cast<double>(pricer_.work()));
  while (static_cast<double>(pricer_.work()) < most_work) {
    const auto choice = choices.next_below(least_, nodes);
    if (!choice) return nodes > 0;
    price(rows_of_choice(variables_, choice->values, block_.holes()));
  }
  return false;
}

// Nothing that was priced fits: the least memory that some layout may have is between the limit and what the smallest one has.
void LayoutSearch::find_smallest(planning::ChoiceProblem problem) {
  constexpr int kSteps = 8;
  constexpr double kMostNodes = 50'000;
  constexpr std::size_t kMostChoices = 20;
  const double work = work_;
  double low = limit_;
  for (int step = 0; step < kSteps && smallest_memory_ > limit_; ++step) {
    const double high = smallest_memory_;
    if (!std::isfinite(high) || problem.rows.empty()) break;
    problem.limit = low + (high - low) / 2;
    planning::CheapestChoices choices(problem);
    double nodes = kMostNodes;
    for (std::size_t taken = 0; taken < kMostChoices && smallest_memory_ >= high; ++taken) {
      const auto choice = choices.next_below(kNever, nodes);
      if (!choice) break;
      const HoleRows rows = rows_of_choice(variables_, choice->values, block_.holes());
      price(rows);
      if (taken > 0) continue;
      work_ = static_cast<double>(pricer_.work()) + work / kSteps;
      descend(rows);
    }
    if (smallest_memory_ >= high) low = problem.limit;
  }
  work_ = work;
}

// Each block that is priced fills an entry of every table: the next open one that goes with those before it.
void LayoutSearch::fill_tables(const std::vector<DecidedHoles>& decided) {
  constexpr std::size_t kMostTried = 400;
  std::vector<std::size_t> next(decided.size(), 0);
  std::vector<std::vector<bool>> filled(decided.size());
  for (std::size_t table = 0; table < decided.size(); ++table)
    filled[table].resize(decided[table].rows.size());
  const auto is_open = [&](std::size_t table, std::size_t entry) {
    if (filled[table][entry]) return false;
    const auto& rows = decided[table].rows[entry];
    filled[table][entry] = rows.empty() || tables_[table].contains(rows);
    return !filled[table][entry];
  };
  const auto pass_filled = [&](std::size_t table) {
    while (next[table] < filled[table].size() && !is_open(table, next[table])) ++next[table];
    return next[table] < filled[table].size();
  };
  for (std::size_t first = 0; first < decided.size();) {
    if (static_cast<double>(pricer_.work()) > work_ * (adds_up_ ? kProofs : 1)) {
      is_complete_ = false;
      return;
    }
    if (!pass_filled(first)) {
      ++first;
      continue;
    }
    HoleRows rows(block_.holes(), kOpenHole);
    const std::size_t entry = next[first]++;
    if (!add_entry(decided[first], entry, rows)) continue;
    for (std::size_t table = first + 1; table < decided.size(); ++table) {
      std::size_t tried = 0;
      pass_filled(table);
      for (std::size_t e = next[table]; e < filled[table].size() && tried < kMostTried; ++e) {
        if (!is_open(table, e)) continue;
        ++tried;
        if (add_entry(decided[table], e, rows)) break;
      }
    }
    std::replace(rows.begin(), rows.end(), kOpenHole, std::size_t{0});
    is_complete_ = price(rows).is_sound && is_complete_;
  }
}

// Whether the entry goes with the rows that are there, to which it is added then.
bool LayoutSearch::add_entry(const DecidedHoles& part, std::size_t entry, HoleRows& rows) const {
  HoleRows tried = rows;
  for (std::size_t h = 0; h < part.holes.size(); ++h) {
    std::size_t& row = tried[part.holes[h]];
    if (row != kOpenHole && row != part.rows[entry][h]) return false;
    row = part.rows[entry][h];
  }
  HoleRows whole = tried;
  std::replace(whole.begin(), whole.end(), kOpenHole, std::size_t{0});
  if (!block_.allows(whole)) return false;
  rows = std::move(tried);
  return true;
}

}  // namespace shard
