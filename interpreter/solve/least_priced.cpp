#include "interpreter/solve/least_priced.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "base/cancellation.h"
#include "interpreter/solve/rewrite.h"

namespace shard {

namespace {

// What differs by rounding alone is as little.
constexpr double kTie = 1e-9;

bool is_less(double one, double other) { return one < other - kTie * std::abs(other); }

struct Candidate {
  Root at;
  double value = 0;
};

// The first and the last of all sizes, and what is least between them.
struct Candidates {
  std::vector<Candidate> all;  // ascending

  std::optional<LeastPriced> least(const Unit& unit) const {
    if (all.empty()) return std::nullopt;
    const auto lower = [](const Candidate& one, const Candidate& other) {
      return is_less(one.value, other.value);
    };
    // Of equal ones the first: what is flat to its end is least from there on.
    const auto [low, high] = std::minmax_element(all.begin(), all.end(), lower);
    LeastPriced found{.kind = Least::Kind::At,
                      .at = low->at,
                      .value = {Formula(Rational::approximate(low->value)), unit}};
    const bool is_flat = !lower(*low, *high);
    if (is_flat)
      found.kind = Least::Kind::Flat;
    else if (low == all.begin())
      found.kind = Least::Kind::Rises;
    else if (low + 1 == all.end())
      found.kind = Least::Kind::Falls;
    return found;
  }
};

// What the formulas say, each within the sizes that are planned so.
class LeastOfFormulas {
 public:
  LeastOfFormulas(const std::vector<SizePlan>& plans, const std::string& symbol, std::int64_t step)
      : plans_(plans), symbol_(symbol), step_(step) {}

  std::optional<LeastPriced> find() {
    for (const SizePlan& plan : plans_) {
      const Formula& formula = plan.sides.left.value;
      const auto symbols = formula.symbols();
      if (symbols.size() > 1 || (!symbols.empty() && symbols.front() != symbol_))
        return std::nullopt;
      add(formula, plan.first, plan.last);
    }
    return candidates_.least(plans_.front().sides.left.unit);
  }

 private:
  double size_of(std::int64_t parts) const {
    return static_cast<double>(parts) * static_cast<double>(step_);
  }
  Candidate candidate(const Formula& formula, double at) const {
    return {{at, std::nullopt}, value_at(formula, symbol_, at)};
  }
  Candidate at_end(const Formula& formula, std::int64_t parts) const {
    return {{size_of(parts), Rational(parts) * Rational(step_)},
            value_at(formula, symbol_, size_of(parts))};
  }

  void add(const Formula& formula, std::int64_t first, std::int64_t last) {
    candidates_.all.push_back(at_end(formula, first));
    if (const auto inner = inside(formula, size_of(first), size_of(last)))
      candidates_.all.push_back(*inner);
    if (last > first) candidates_.all.push_back(at_end(formula, last));
  }

  // The least of the formula, where that lies between both; else the least of sixteen sizes for each factor of two, from where it falls on both sides.
  std::optional<Candidate> inside(const Formula& formula, double low, double high) const {
    const auto least = least_at(formula, symbol_);
    if (least && low < least->value && least->value < high)
      return Candidate{*least, value_at(formula, symbol_, least->value)};
    constexpr double kFactor = 1.0443;  // 2^(1/16)
    std::optional<Candidate> best;
    for (double at = low; at < high; at *= kFactor) {
      const Candidate now = candidate(formula, at);
      if (!best || now.value < best->value) best = now;
    }
    if (!best || best->at.value == low) return std::nullopt;
    return narrowed(formula, std::max(low, best->at.value / kFactor),
                    std::min(high, best->at.value * kFactor));
  }

  // By thirds, of what falls and then rises.
  Candidate narrowed(const Formula& formula, double low, double high) const {
    constexpr int kRounds = 100;  // of a factor of 3/2 each, beyond what a double tells apart
    for (int i = 0; i < kRounds; ++i) {
      const double third = (high - low) / 3;
      if (value_at(formula, symbol_, low + third) < value_at(formula, symbol_, high - third))
        high -= third;
      else
        low += third;
    }
    return candidate(formula, (low + high) / 2);
  }

  const std::vector<SizePlan>& plans_;
  const std::string& symbol_;
  std::int64_t step_;
  Candidates candidates_;
};

// What prices say at whole sizes.
class LeastOfPrices {
 public:
  LeastOfPrices(const SizeComparison& asked, std::int64_t step, EvaluationContext& context)
      : asked_(asked), step_(step), context_(context) {}

  std::optional<LeastPriced> find() {
    // No array is larger that is priced with links in any time.
    constexpr std::int64_t kMost = std::int64_t{1} << 30;
    for (std::int64_t parts = 1; parts * step_ <= kMost; parts *= 2) price(parts);
    if (values_.size() < 3) return std::nullopt;
    while (narrow()) throw_if_cancelled();
    Candidates candidates;
    for (const auto& [parts, value] : values_) {
      const Rational size = Rational(parts) * Rational(step_);
      candidates.all.push_back({{size.to_double(), size}, value});
    }
    return candidates.least(unit_);
  }

 private:
  void price(std::int64_t parts) {
    if (values_.size() >= kMostSimulated || values_.contains(parts)) return;
    const auto sides = asked_.at(Rational(parts) * Rational(step_), context_);
    if (!sides) return;
    values_.emplace(parts, sides->left.value.constant()->to_double());
    unit_ = sides->left.unit;
  }

  // Prices what lies in the middle on both sides of the least; false where nothing does.
  bool narrow() {
    const auto least = std::min_element(
        values_.begin(), values_.end(),
        [](const auto& one, const auto& other) { return one.second < other.second; });
    const std::size_t before = values_.size();
    const std::int64_t at = least->first;
    const auto next = std::next(least);
    const std::int64_t above = next == values_.end() ? at : next->first;
    const std::int64_t below = least == values_.begin() ? at : std::prev(least)->first;
    price(at + (above - at) / 2);
    price(below + (at - below) / 2);
    return values_.size() > before;
  }

  const SizeComparison& asked_;
  std::int64_t step_;
  EvaluationContext& context_;
  std::map<std::int64_t, double> values_;  // by parts
  Unit unit_;
};

}  // namespace

std::optional<LeastPriced> least_priced(const SizeComparison& asked, EvaluationContext& context) {
  if (!prices(asked.left)) return std::nullopt;
  const auto step = step_of(asked.left, nullptr, asked.size.name.text, context);
  if (step && context.check.scope.hardware().model == CostModel::Links)
    return LeastOfPrices(asked, *step, context).find();
  bool too_many = false;
  const auto plans = plans_of(asked, step, context, too_many);
  if (plans.size() < 2) return std::nullopt;
  return LeastOfFormulas(plans, asked.size.symbol, step.value_or(1)).find();
}

}  // namespace shard
