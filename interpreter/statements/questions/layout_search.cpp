#include "interpreter/statements/questions/layout_search.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "interpreter/planning/holes/elimination.h"

namespace shard {

namespace {

// Up to the rounding of sums.
double rounded(double value) {
  if (!std::isfinite(value) || value == 0) return value;
  constexpr double kParts = 1e10;
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(std::round(mantissa * kParts) / kParts, exponent);
}

std::vector<std::size_t> rows_at(const HoleRows& rows, const std::set<std::size_t>& holes) {
  std::vector<std::size_t> chosen;
  for (const std::size_t hole : holes) chosen.push_back(rows[hole]);
  return chosen;
}

std::vector<std::size_t> listed(const std::set<std::size_t>& holes) {
  return {holes.begin(), holes.end()};
}

}  // namespace

const PricedBlock& LayoutSearch::price(const HoleRows& rows) {
  const auto known = known_.find(rows);
  if (known != known_.end()) return known->second;
  const std::size_t before = pricer_.work();
  const PricedBlock priced = pricer_.price(rows);
  spent_ += pricer_.work() - before;
  ++runs_;
  remember(rows, priced);
  for (const auto& mirror : mirrors_) {
    HoleRows mirrored;
    for (const std::size_t row : rows) mirrored.push_back(mirror[row]);
    if (!known_.contains(mirrored)) remember(mirrored, priced);
  }
  return known_.find(rows)->second;
}

void LayoutSearch::remember(const HoleRows& rows, const PricedBlock& priced) {
  known_.emplace(rows, priced);
  times_.resize(block_.statements().size());
  if (!priced.is_sound) return;
  if (priced.by_statement.empty()) adds_up_ = false;
  if (priced.is_known && priced.memory <= limit_) least_ = std::min(least_, priced.time);
  constexpr double kRounding = 1e-9;
  for (std::size_t i = 0; i < priced.by_statement.size(); ++i) {
    const auto key = rows_at(rows, block_.statements()[i].holes);
    const double time = priced.by_statement[i];
    const auto [entry, is_new] = times_[i].emplace(key, time);
    // A copy that another statement left may save a collective.
    if (!is_new && std::abs(entry->second - time) > kRounding * (time + entry->second))
      adds_up_ = false;
    entry->second = std::min(entry->second, time);
  }
}

bool LayoutSearch::is_least() const {
  constexpr double kRounding = 1e-9;
  return bound_ && *bound_ > 0 && std::abs(least_ - *bound_) <= *bound_ * kRounding;
}

double LayoutSearch::count_layouts() const {
  double count = 0;
  for_each_layout(block_, [&](const HoleRows&) { return ++count < kMostCounted; });
  return count;
}

FoundLayouts LayoutSearch::search(std::vector<HoleRows> starts, double at_least) {
  FoundLayouts found;
  found.candidates = count_layouts();
  if (at_least > 0) raise_bound(at_least);
  for (const HoleRows& start : starts) price(start);
  // A layout takes the work of every statement that runs with it.
  const double each = static_cast<double>(spent_) / static_cast<double>(runs_);
  const bool all =
      found.candidates * each <= work_ * (kProofs / 2) && found.candidates < kMostCounted;
  if (all) {
    proven_ = price_all();
  } else if (is_least() || !adds_up_ || !solve_tables()) {
    std::stable_sort(starts.begin(), starts.end(), [&](const HoleRows& one, const HoleRows& other) {
      return rank(price(one)) < rank(price(other));
    });
    for (const HoleRows& start : starts) {
      if (!has_work()) break;
      descend(start);
      if (is_least()) break;
    }
    // Where the sums are not exact, tables are one more place to begin at.
    if (has_work() && !adds_up_ && !is_least()) solve_tables();
    look_for_less_memory();
    found.out_of_work = !has_work() && !is_least();
  }
  if (!block_.has_all_rows()) {
    // What is least among some of the layouts bounds the others from nowhere.
    proven_ = false;
    bound_ = at_least > 0 ? std::optional(at_least) : std::nullopt;
  }
  proven_ = proven_ || is_least();
  // A bound that something undercuts is none.
  if (bound_ && least_ < *bound_ && !is_least()) bound_.reset();
  rank_all(found);
  found.proven = proven_ && (!found.best.empty() || all);
  found.at_least = bound_;
  return found;
}

bool LayoutSearch::price_all() {
  return for_each_layout(block_, [&](const HoleRows& rows) {
    price(rows);
    return true;
  });
}

// ------------------------------------------------------------ tables

bool LayoutSearch::solve_tables() {
  double entries = 0;
  for (const OpenStatement& statement : block_.statements()) {
    entries += combinations(variables_, listed(statement.holes));
  }
  if (entries > work_ * kProofs) return false;
  std::vector<DecidedHoles> decided;
  for (const OpenStatement& statement : block_.statements())
    decided.push_back(decided_by(variables_, listed(statement.holes)));
  fill_tables(decided);
  planning::ChoiceProblem problem{
      .sizes = {}, .tables = {}, .memory = memory_by_value(), .limit = limit_};
  for (const OpenVariable& variable : variables_) problem.sizes.push_back(variable.values.size());
  for (std::size_t i = 0; i < decided.size(); ++i) {
    planning::CostTable table{decided[i].variables, {}};
    for (const auto& rows : decided[i].rows) {
      const auto time = times_[i].find(rows);
      const bool known = !rows.empty() || decided[i].holes.empty();
      table.costs.push_back(known && time != times_[i].end() ? time->second
                                                             : planning::kImpossible);
    }
    problem.tables.push_back(std::move(table));
  }
  // Arrays that share a hole agree about it.
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
          table.costs.push_back(value[place] == single.front() ? 0 : planning::kImpossible);
      }
      problem.tables.push_back(std::move(table));
    }
  }
  constexpr std::size_t kMore = 20;
  const auto choices = planning::cheapest_choices(problem, count_ + kMore);
  if (!choices) {
    const bool is_exact = is_complete_ && adds_up_;
    if (const auto bound = is_exact ? planning::least_cost_bound(problem) : std::nullopt)
      raise_bound(*bound);
    return false;
  }
  bool fits = choices->size() < count_ + kMore;
  for (const planning::Choice& choice : *choices) {
    const PricedBlock& priced = price(rows_of_choice(variables_, choice.values, block_.holes()));
    fits = fits || (priced.is_sound && priced.memory <= limit_);
  }
  proven_ = fits && adds_up_ && is_complete_;
  // What the tables find is where the descent begins if they prove nothing: with work of its own.
  if (!proven_) work_ += static_cast<double>(pricer_.work());
  if (!choices->empty() && adds_up_ && is_complete_)
    raise_bound(proven_ ? choices->front().cost : choices->back().cost);
  if (!proven_ && !choices->empty())
    descend(rows_of_choice(variables_, choices->front().values, block_.holes()));
  return proven_;
}

// Each block that is priced fills an entry of every table: the next open one that goes with those before it.
void LayoutSearch::fill_tables(const std::vector<DecidedHoles>& decided) {
  constexpr std::size_t kOpen = static_cast<std::size_t>(-1);
  constexpr std::size_t kMostTried = 400;
  std::vector<std::size_t> next(decided.size(), 0);
  const auto is_open = [&](std::size_t table, std::size_t entry) {
    const auto& rows = decided[table].rows[entry];
    return !rows.empty() && !times_[table].contains(rows);
  };
  for (std::size_t first = 0; first < decided.size();) {
    if (static_cast<double>(pricer_.work()) > work_ * (adds_up_ ? kProofs : 1)) {
      is_complete_ = false;
      return;
    }
    while (next[first] < decided[first].rows.size() && !is_open(first, next[first])) ++next[first];
    if (next[first] == decided[first].rows.size()) {
      ++first;
      continue;
    }
    HoleRows rows(block_.holes(), kOpen);
    const auto agrees = [&](std::size_t table, std::size_t entry) {
      const DecidedHoles& part = decided[table];
      HoleRows tried = rows;
      for (std::size_t h = 0; h < part.holes.size(); ++h) {
        std::size_t& row = tried[part.holes[h]];
        if (row != kOpen && row != part.rows[entry][h]) return false;
        row = part.rows[entry][h];
      }
      HoleRows filled = tried;
      std::replace(filled.begin(), filled.end(), kOpen, std::size_t{0});
      if (!block_.allows(filled)) return false;
      rows = std::move(tried);
      return true;
    };
    const std::size_t entry = next[first]++;
    if (!agrees(first, entry)) continue;
    for (std::size_t table = first + 1; table < decided.size(); ++table) {
      std::size_t tried = 0;
      for (std::size_t e = next[table]; e < decided[table].rows.size() && tried < kMostTried; ++e) {
        if (!is_open(table, e)) continue;
        ++tried;
        if (agrees(table, e)) break;
      }
    }
    std::replace(rows.begin(), rows.end(), kOpen, std::size_t{0});
    is_complete_ = price(rows).is_sound && is_complete_;
  }
}

// Inputs are there from the beginning on: together they are no more than the peak.
std::vector<std::vector<double>> LayoutSearch::memory_by_value() {
  std::vector<std::vector<double>> memory;
  for (const OpenVariable& variable : variables_) memory.emplace_back(variable.values.size(), 0);
  if (known_.empty() || limit_ == planning::kImpossible) return memory;
  const auto bytes = pricer_.input_bytes(known_.begin()->first);
  std::set<std::string> counted;
  for (std::size_t a = 0; a < block_.arrays().size(); ++a) {
    const OpenArray& array = block_.arrays()[a];
    const DecidedHoles decided = decided_by(variables_, array.holes());
    if (bytes[a] == 0 || decided.variables.size() != 1 || !counted.insert(array.name).second)
      continue;
    const OpenVariable& variable = variables_[decided.variables.front()];
    for (std::size_t value = 0; value < variable.values.size(); ++value) {
      HoleRows rows(block_.holes(), 0);
      for (std::size_t h = 0; h < variable.holes.size(); ++h)
        rows[variable.holes[h]] = variable.values[value][h];
      memory[decided.variables.front()][value] += bytes[a] / block_.pieces(array, rows);
    }
  }
  return memory;
}

// ------------------------------------------------------------ descent

std::pair<double, double> LayoutSearch::rank(const PricedBlock& priced) const {
  if (!priced.is_sound || !priced.is_known) return {planning::kImpossible, planning::kImpossible};
  if (priced.memory > limit_) return {planning::kImpossible, rounded(priced.memory)};
  return {rounded(priced.time), rounded(priced.memory)};
}

// By what is known of its statements; nullopt if one was not priced so far.
std::optional<double> LayoutSearch::predicted(const HoleRows& rows) const {
  if (!adds_up_) return std::nullopt;
  double sum = 0;
  for (std::size_t i = 0; i < block_.statements().size(); ++i) {
    const auto time = times_[i].find(rows_at(rows, block_.statements()[i].holes));
    if (time == times_[i].end()) return std::nullopt;
    sum += time->second;
  }
  return sum;
}

bool LayoutSearch::improve(HoleRows& rows, const std::vector<HoleRows>& others) {
  auto best = rank(price(rows));
  bool better = false;
  for (const HoleRows& other : others) {
    if (!has_work()) break;
    const auto expected = predicted(other);
    if (expected && rounded(*expected) > best.first) continue;
    const auto now = rank(price(other));
    if (now >= best) continue;
    best = now;
    rows = other;
    better = true;
  }
  return better;
}

// One dimension is split otherwise in all arrays that have it; what stands in the way of that is not split.
std::vector<HoleRows> LayoutSearch::with_other_dimension(const HoleRows& rows) const {
  std::set<std::string> names;
  for (const OpenArray& array : block_.arrays()) {
    for (const OpenArray::Part& part : array.parts) {
      if (part.hole && !part.dimension.empty()) names.insert(part.dimension);
    }
  }
  std::vector<HoleRows> others;
  for (const std::string& name : names) {
    for (std::size_t row = 0; row < block_.rows().size(); ++row) {
      HoleRows other = rows;
      for (const OpenArray& array : block_.arrays()) {
        for (const OpenArray::Part& part : array.parts) {
          if (!part.hole || part.dimension != name) continue;
          other[*part.hole] = row;
          for (const OpenArray::Part& beside : array.parts) {
            if (beside.hole && beside.dimension != name && !block_.allows(array, other))
              other[*beside.hole] = 0;
          }
        }
      }
      if (other != rows && block_.allows(other)) others.push_back(std::move(other));
    }
  }
  return others;
}

std::vector<HoleRows> LayoutSearch::with_other_array(const HoleRows& rows) const {
  std::vector<HoleRows> others;
  for (const OpenVariable& variable : variables_) {
    for (const auto& value : variable.values) {
      HoleRows other = rows;
      for (std::size_t h = 0; h < variable.holes.size(); ++h) other[variable.holes[h]] = value[h];
      if (other != rows && block_.allows(other)) others.push_back(std::move(other));
    }
  }
  return others;
}

void LayoutSearch::descend(HoleRows rows) {
  if (!block_.allows(rows)) return;
  while (has_work()) {
    const bool fine = improve(rows, with_other_array(rows));
    if (!fine && !improve(rows, with_other_dimension(rows))) return;
  }
}

// Where nothing fits so far: from the smallest on, with as much work again as was spent.
void LayoutSearch::look_for_less_memory() {
  if (std::isfinite(least_) || !std::isfinite(limit_)) return;
  const auto smaller = [&](const auto& one, const auto& other) {
    return rank(one.second) < rank(other.second);
  };
  const auto smallest = std::min_element(known_.begin(), known_.end(), smaller);
  if (smallest == known_.end()) return;
  work_ =
      static_cast<double>(pricer_.work()) + std::max(work_, static_cast<double>(pricer_.work()));
  descend(HoleRows(smallest->first));
}

// ------------------------------------------------------------ result

void LayoutSearch::rank_all(FoundLayouts& found) const {
  std::vector<FoundLayouts::Found> fitting;
  for (const auto& [rows, priced] : known_) {
    if (!priced.is_sound || !priced.is_known) continue;
    ++found.priced;
    if (!found.smallest || priced.memory < found.smallest->priced.memory)
      found.smallest = {rows, priced};
    if (priced.memory <= limit_) {
      fitting.push_back({rows, priced});
      continue;
    }
    ++found.too_large_count;
    if (!found.too_large || rounded(priced.time) < rounded(found.too_large->priced.time))
      found.too_large = {rows, priced};
  }
  std::stable_sort(fitting.begin(), fitting.end(), [&](const auto& one, const auto& other) {
    return rank(one.priced) < rank(other.priced);
  });
  for (FoundLayouts::Found& one : fitting) {
    if (!found.best.empty() && rank(found.best.back().priced) == rank(one.priced)) {
      ++found.best.back().alike;
    } else if (found.best.size() == count_) {
      break;
    } else {
      found.best.push_back(std::move(one));
    }
  }
}

}  // namespace shard
