#include "interpreter/solve/least_priced.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/cancellation.h"
#include "interpreter/solve/plan_listener.h"
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
    else if (low + 1 == all.end() || falls_to_its_end(*low))
      found.kind = Least::Kind::Falls;
    return found;
  }

  // What comes ever closer to a value is as little from some size on, but still less than at half of the last one.
  bool falls_to_its_end(const Candidate& low) const {
    const Candidate& last = all.back();
    const auto beyond = std::find_if(all.begin(), all.end(), [&](const Candidate& one) {
      return one.at.value > last.at.value / 2;
    });
    return beyond != all.begin() && is_less(last.value, std::prev(beyond)->value) &&
           !is_less(low.value, last.value);
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
      : asked_(asked), step_(step), listener_(context.host), context_{context.check, listener_} {}

  std::optional<LeastPriced> find() {
    for (const std::int64_t rung : ladder(kMost / step_, kRungs)) price(rung);
    if (priced_.size() < 3) return std::nullopt;
    while (narrow()) throw_if_cancelled();
    price_changes();
    while (narrow()) throw_if_cancelled();
    Candidates candidates;
    for (const auto& [parts, priced] : priced_) {
      const Rational size = Rational(parts) * Rational(step_);
      candidates.all.push_back({{size.to_double(), size}, priced.value});
    }
    return candidates.least(unit_);
  }

 private:
  struct Priced {
    double value = 0;
    std::string steps;  // of the blocks
  };
  using All = std::map<std::int64_t, Priced>;  // by parts

  const Priced* price(std::int64_t parts) {
    const auto known = priced_.find(parts);
    if (known != priced_.end()) return &known->second;
    if (priced_.size() >= kMostSizes) return nullptr;
    throw_if_cancelled();
    const auto sides = asked_.at(Rational(parts) * Rational(step_), context_);
    std::string steps = listener_.take_steps();
    if (!sides) return nullptr;
    unit_ = sides->left.unit;
    return &priced_
                .emplace(parts, Priced{sides->left.value.constant()->to_double(), std::move(steps)})
                .first->second;
  }

  All::const_iterator least() const {
    return std::min_element(priced_.begin(), priced_.end(), [](const auto& one, const auto& other) {
      return one.second.value < other.second.value;
    });
  }

  // Prices what lies in the middle on both sides of the least; false where nothing does.
  bool narrow() {
    const auto least = this->least();
    const std::size_t before = priced_.size();
    const std::int64_t at = least->first;
    const auto next = std::next(least);
    const std::int64_t above = next == priced_.end() ? at : next->first;
    const std::int64_t below = least == priced_.begin() ? at : std::prev(least)->first;
    price(at + (above - at) / 2);
    price(below + (at - below) / 2);
    return priced_.size() > before;
  }

  // Where another plan begins the price may fall at once: both sides of each such place, those between the least rungs first.
  void price_changes() {
    const All rungs = priced_;
    std::vector<std::pair<All::const_iterator, All::const_iterator>> pairs;
    for (auto low = rungs.begin(), high = std::next(low); high != rungs.end(); low = high++) {
      if (low->second.steps != high->second.steps) pairs.emplace_back(low, high);
    }
    const auto less = [](const auto& pair) {
      return std::min(pair.first->second.value, pair.second->second.value);
    };
    std::stable_sort(pairs.begin(), pairs.end(),
                     [&](const auto& one, const auto& other) { return less(one) < less(other); });
    for (const auto& [low, high] : pairs) {
      find_changes(
          low->first, low->second.steps, high->first, high->second.steps,
          [&](std::int64_t parts) {
            const Priced* priced = price(parts);
            return priced == nullptr ? std::nullopt : std::optional(priced->steps);
          },
          [](std::int64_t, std::int64_t, const std::string&) {});
    }
  }

  // No array is larger that is priced with links in any time.
  static constexpr std::int64_t kMost = std::int64_t{1} << 30;
  static constexpr std::int64_t kRungs = 1;  // to a factor of two
  static constexpr std::size_t kMostSizes = kMostSimulated;

  const SizeComparison& asked_;
  std::int64_t step_;
  PlanListener listener_;
  EvaluationContext context_;
  All priced_;
  Unit unit_;
};

std::optional<LeastPriced> least_at_multiples(const SizeComparison& asked, std::int64_t step,
                                              EvaluationContext& context) {
  // Other multiples are cut unevenly by some plans, and their prices go up and down with that.
  const std::int64_t devices = context.check.scope.mesh().device_count().value_or(1);
  return LeastOfPrices(asked, std::lcm(step, devices), context).find();
}

}  // namespace

std::optional<LeastPriced> least_of_prices(const SizeComparison& asked,
                                           EvaluationContext& context) {
  const auto step = step_of(asked.left, nullptr, asked.size.name.text, context);
  return step ? least_at_multiples(asked, *step, context) : std::nullopt;
}

std::optional<LeastPriced> least_priced(const SizeComparison& asked, EvaluationContext& context) {
  if (!prices(asked.left)) return std::nullopt;
  const auto step = step_of(asked.left, nullptr, asked.size.name.text, context);
  if (step && context.check.scope.hardware().model == CostModel::Links)
    return least_at_multiples(asked, *step, context);
  bool too_many = false;
  const auto plans = plans_of(asked, step, context, too_many);
  if (plans.size() < 2) return std::nullopt;
  return LeastOfFormulas(plans, asked.size.symbol, step.value_or(1)).find();
}

}  // namespace shard
