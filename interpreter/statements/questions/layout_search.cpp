#include "interpreter/statements/questions/layout_search.h"

#include <algorithm>
#include <cmath>
#include <set>

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

}  // namespace

std::pair<double, double> rank_of(const PricedBlock& priced) {
  return {rounded(priced.time), rounded(priced.memory)};
}

std::vector<std::size_t> rows_at(const HoleRows& rows, const std::set<std::size_t>& holes) {
  std::vector<std::size_t> chosen;
  for (const std::size_t hole : holes) chosen.push_back(rows[hole]);
  return chosen;
}

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
  PricedBlock& kept = known_.emplace(rows, priced).first->second;
  kept.memory_rows.clear();
  if (!priced.is_sound) return;
  if (priced.by_statement.empty()) adds_up_ = false;
  if (priced.is_known) smallest_memory_ = std::min(smallest_memory_, priced.memory);
  if (priced.is_known && priced.memory <= limit_) least_ = std::min(least_, priced.time);
  add_to_tables(rows, priced);
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
  finds_rows_ = std::isfinite(limit_);
  if (finds_rows_) pricer_.find_memory_rows();
  for (const HoleRows& start : starts) price(start);
  // A layout takes the work of every statement that runs with it.
  const double each = static_cast<double>(spent_) / static_cast<double>(runs_);
  found.plan_time_for_all = found.candidates * each / (kStatementsPerSecond * (kProofs / 2));
  const bool all =
      found.candidates * each <= work_ * (kProofs / 2) && found.candidates < kMostCounted;
  if (all) {
    proven_ = price_all();
  } else if (!adds_up_ || !solve_tables()) {
    std::stable_sort(starts.begin(), starts.end(), [&](const HoleRows& one, const HoleRows& other) {
      return rank(price(one)) < rank(price(other));
    });
    for (const HoleRows& start : starts) {
      if (!has_work()) break;
      descend(start);
    }
    // Where the sums are not exact, tables are one more place to begin at.
    if (has_work() && !adds_up_) solve_tables();
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
  found.proven = proven_;
  found.at_least = bound_;
  return found;
}

bool LayoutSearch::price_all() {
  return for_each_layout(block_, [&](const HoleRows& rows) {
    price(rows);
    return true;
  });
}

// ------------------------------------------------------------ descent

std::pair<double, double> LayoutSearch::rank(const PricedBlock& priced) const {
  if (!priced.is_sound || !priced.is_known) return {planning::kImpossible, planning::kImpossible};
  if (priced.memory > limit_) return {planning::kImpossible, rounded(priced.memory)};
  return rank_of(priced);
}

// By what is known of its statements; nullopt if one was not priced so far.
std::optional<double> LayoutSearch::predicted(const HoleRows& rows) const {
  if (!adds_up_) return std::nullopt;
  double sum = 0;
  for (std::size_t i = 0; i < block_.statements().size(); ++i) {
    if (i >= tables_.size()) return std::nullopt;
    const auto entry = tables_[i].find(rows_at(rows, block_.statements()[i].holes));
    if (entry == tables_[i].end()) return std::nullopt;
    sum += entry->second.time;
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

std::set<std::string> LayoutSearch::open_dimensions() const {
  std::set<std::string> names;
  for (const OpenArray& array : block_.arrays()) {
    for (const OpenArray::Part& part : array.parts) {
      if (part.hole && !part.dimension.empty()) names.insert(part.dimension);
    }
  }
  return names;
}

// An axis splits another dimension than before, in all arrays.
std::vector<HoleRows> LayoutSearch::with_moved_axis(const HoleRows& rows) const {
  const std::set<std::string> names = open_dimensions();
  std::set<std::string> axes;
  for (const AxisRow& row : block_.rows()) axes.insert(row.begin(), row.end());
  std::vector<HoleRows> others;
  for (const std::string& from : names) {
    for (const std::string& to : names) {
      if (from == to) continue;
      for (const std::string& axis : axes) {
        auto other = with_axis_moved(rows, axis, from, to);
        if (other && *other != rows && block_.allows(*other)) others.push_back(*std::move(other));
      }
    }
  }
  return others;
}

std::optional<HoleRows> LayoutSearch::with_axis_moved(HoleRows rows, const std::string& axis,
                                                      const std::string& from,
                                                      const std::string& to) const {
  const auto& all = block_.rows();
  for (const OpenArray& array : block_.arrays()) {
    for (const OpenArray::Part& part : array.parts) {
      if (!part.hole || (part.dimension != from && part.dimension != to)) continue;
      AxisRow row = all[rows[*part.hole]];
      const bool had = std::erase(row, axis) > 0;
      if (part.dimension == to) row.push_back(axis);
      if (!had && part.dimension == from) continue;
      const auto known = std::find_if(all.begin(), all.end(), [&](const AxisRow& one) {
        return std::is_permutation(one.begin(), one.end(), row.begin(), row.end());
      });
      if (known == all.end()) return std::nullopt;
      rows[*part.hole] = static_cast<std::size_t>(known - all.begin());
    }
  }
  return rows;
}

// One dimension is split otherwise in all arrays that have it; what stands in the way of that is not split.
std::vector<HoleRows> LayoutSearch::with_other_dimension(const HoleRows& rows) const {
  std::vector<HoleRows> others;
  for (const std::string& name : open_dimensions()) {
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
    const bool fine = improve(rows, with_other_array(rows)) || improve(rows, with_moved_axis(rows));
    if (!fine && !improve(rows, with_other_dimension(rows))) return;
  }
}

void LayoutSearch::descend_from_best() {
  const auto better = [&](const auto& one, const auto& other) {
    return rank(one.second) < rank(other.second);
  };
  const auto best = std::min_element(known_.begin(), known_.end(), better);
  if (best != known_.end()) descend(HoleRows(best->first));
}

// Where nothing fits so far: from the smallest on, with as much work again as was spent.
void LayoutSearch::look_for_less_memory() {
  if (std::isfinite(least_) || !std::isfinite(limit_)) return;
  const auto spent = static_cast<double>(pricer_.work());
  work_ = spent + std::max(work_, spent);
  descend_from_best();
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
