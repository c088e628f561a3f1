#include "interpreter/solve/size_signs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "base/cancellation.h"
#include "interpreter/evaluate/compare.h"
#include "interpreter/solve/plan_listener.h"
#include "interpreter/solve/rewrite.h"

namespace shard {

namespace {

int priced_sign(const Sides& sides) {
  if (are_tied(sides.left, sides.right)) return 0;
  return *sides.left.value.constant() > *sides.right.value.constant() ? 1 : -1;
}

Root exactly(std::int64_t number) { return {static_cast<double>(number), Rational(number)}; }

// What the formulas say, plan after plan.
class FormulaSigns {
 public:
  FormulaSigns(const std::vector<SizePlan>& plans, const std::string& symbol, std::int64_t step)
      : plans_(plans), symbol_(symbol), step_(step) {}

  // False where a formula rounds, or has another size.
  bool find(SizeSigns& signs) {
    signs.depends = false;
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      const Sides& sides = plans_[i].sides;
      signs.depends = signs.depends || has_symbol(sides.left.value, symbol_) ||
                      has_symbol(sides.right.value, symbol_);
      const auto symbols = sides.difference().symbols();
      if (symbols.size() > 1 || (!symbols.empty() && symbols.front() != symbol_)) return false;
      auto row = signs_of(sides.left, sides.right, symbol_);
      if (!row) return false;
      const double low = i == 0 ? 0 : size_of(plans_[i].first);
      const double high = i + 1 == plans_.size() ? kEndless : size_of(plans_[i].last);
      const auto [from, to] = inside(*row, low, high);
      if (i == 0)
        signs.first = row->signs[from];
      else
        join(last_, *row, i, row->signs[from], signs);
      for (std::size_t k = from; k < to; ++k)
        signs.changes.push_back({row->roots[k], row->signs[k], row->signs[k + 1]});
      sign_ = row->signs[to];
      last_ = *std::move(row);
    }
    return true;
  }

 private:
  static constexpr double kEndless = std::numeric_limits<double>::infinity();

  double size_of(std::int64_t parts) const {
    return static_cast<double>(parts) * static_cast<double>(step_);
  }

  // The roots between both sizes, as a range of places in the row.
  static std::pair<std::size_t, std::size_t> inside(const SignRow& row, double low, double high) {
    const auto is_before = [](const Root& root, double at) { return root.value < at; };
    const auto begin = row.roots.begin();
    const auto to = std::lower_bound(begin, row.roots.end(), high, is_before);
    auto from = std::lower_bound(begin, row.roots.end(), low, is_before);
    if (from != to && from->value == low) ++from;
    return {static_cast<std::size_t>(from - begin),
            static_cast<std::size_t>(std::max(from, to) - begin)};
  }

  // From one plan to the next: at a root of either between the two sizes, or else with a jump.
  void join(const SignRow& before, const SignRow& now, std::size_t plan, int after,
            SizeSigns& signs) {
    const double low = size_of(plans_[plan - 1].last);
    const double high = size_of(plans_[plan].first);
    // Equal at the last size of the one, or at the first of the other: no size lies between that and the next plan.
    for (std::size_t k = 0; k < before.roots.size(); ++k) {
      if (before.roots[k].value == low && before.signs[k] == sign_ && sign_ != 0)
        return signs.changes.push_back({before.roots[k], sign_, after});
    }
    for (std::size_t k = 0; k < now.roots.size(); ++k) {
      if (now.roots[k].value == high && now.signs[k + 1] == after && after != 0)
        return signs.changes.push_back({now.roots[k], sign_, after});
    }
    if (sign_ == after) return;
    for (const SignRow* row : {&before, &now}) {
      for (std::size_t k = 0; k < row->roots.size(); ++k) {
        const double at = row->roots[k].value;
        if (at < low || at > high || row->signs[k] != sign_ || row->signs[k + 1] != after) continue;
        signs.changes.push_back({row->roots[k], sign_, after});
        return;
      }
    }
    signs.changes.push_back({exactly(plans_[plan].first * step_), sign_, after, true});
  }

  const std::vector<SizePlan>& plans_;
  const std::string& symbol_;
  std::int64_t step_;
  SignRow last_;  // of the plan before
  int sign_ = 0;  // at its end
};

class SignFinder {
 public:
  SignFinder(const SizeComparison& asked, EvaluationContext& context)
      : asked_(asked),
        outer_(context),
        listener_(context.host),
        context_{context.check, listener_},
        has_links_(context.check.scope.hardware().model == CostModel::Links),
        most_priced_(has_links_ ? kMostSimulated : 2 * kMostPriced) {}

  std::optional<SizeSigns> find() {
    if (asked_.left == asked_.right) return SizeSigns{.sides = asked_.sides};
    if (prices(asked_.left) || prices(asked_.right))
      step_ = step_of(asked_.left, &asked_.right, asked_.size.name.text, outer_);
    std::optional<std::vector<SizePlan>> plans;
    const std::int64_t devices =
        std::max(step_.value_or(1), context_.check.scope.mesh().device_count().value_or(1));
    for (const std::int64_t unit : {step_.value_or(1), devices}) {
      // Formulas cannot tell then, and each of their plans takes a search of its own; these prices are needed anyway.
      const bool is_told_by_prices = step_ && has_links_ && changes_plan(unit);
      if (!is_told_by_prices) {
        if (!plans) plans = plans_of(asked_, step_, outer_, too_many_);
        auto own = *plans;
        if (unit != step_.value_or(1)) coarsen(own, unit);
        auto signs = by_formulas(own, unit);
        if (signs && (!step_ || holds(*signs, own, unit, devices))) return signs;
      }
      if (!step_) return std::nullopt;
      if (devices == *step_) break;
    }
    auto signs = by_prices(step_.value_or(devices));
    if (!step_ || devices == *step_ || !signs || holds(*signs, {}, *step_, devices)) return signs;
    return by_prices(devices);
  }

 private:
  std::optional<SizeSigns> by_formulas(const std::vector<SizePlan>& plans, std::int64_t unit) {
    if (plans.empty()) return std::nullopt;
    SizeSigns signs;
    if (!FormulaSigns(plans, asked_.size.symbol, unit).find(signs)) return std::nullopt;
    if (step_) signs.step = unit;
    if (plans.size() == 1) {
      signs.sides = plans.front().sides;
    } else {
      add_sample(unit, signs);
    }
    return signs;
  }

  // Of about a thousand.
  void add_sample(std::int64_t unit, SizeSigns& signs) {
    constexpr std::int64_t kSample = 1024;
    for (std::int64_t parts = std::max<std::int64_t>(kSample / unit, 1); parts <= kMaxLength / unit;
         parts *= 2) {
      const Priced* priced = at(parts, unit);
      if (priced == nullptr) continue;
      signs.sides = priced->sides;
      signs.size = Rational(parts * unit);
      return;
    }
    signs.sides = asked_.sides;
  }

  // Both sides at a whole size, and the steps that it is planned with.
  struct Priced {
    Sides sides;
    std::string steps;
  };
  const Priced* at(std::int64_t parts, std::int64_t unit) {
    const auto known = priced_.find(parts * unit);
    if (known != priced_.end()) return known->second ? &*known->second : nullptr;
    throw_if_cancelled();
    if (context_.host.budget() != nullptr && context_.host.budget()->stopped()) return nullptr;
    if (priced_.size() >= most_priced_) {
      is_spent_ = true;
      return nullptr;
    }
    auto sides = asked_.at(Rational(parts * unit), context_);
    std::string steps = listener_.take_steps();
    auto& priced = priced_[parts * unit];
    if (sides) priced = Priced{*std::move(sides), std::move(steps)};
    return priced ? &*priced : nullptr;
  }

  // The same plans at multiples of a larger unit; those without one are left out.
  void coarsen(std::vector<SizePlan>& plans, std::int64_t unit) const {
    const std::int64_t factor = unit / step_.value_or(1);
    std::vector<SizePlan> kept;
    for (SizePlan& plan : plans) {
      const std::int64_t before = kept.empty() ? 0 : kept.back().last;
      plan.first = before + 1;
      plan.last = &plan == &plans.back() ? kMaxLength / unit : plan.last / factor;
      if (plan.last > before) kept.push_back(std::move(plan));
    }
    plans = std::move(kept);
  }

  // Whether two rungs are planned with other steps: with links formulas do not tell where that begins.
  bool changes_plan(std::int64_t unit) {
    const Priced* last = nullptr;
    for (const std::int64_t rung : ladder(kMaxLength / unit, rungs_of_two())) {
      const Priced* now = at(rung, unit);
      if (now != nullptr && last != nullptr && now->steps != last->steps) return true;
      if (now != nullptr) last = now;
    }
    return false;
  }

  bool holds(const SizeSigns& signs, const std::vector<SizePlan>& plans, std::int64_t unit,
             std::int64_t devices) {
    for (const std::int64_t parts : tried(signs, plans, unit, devices)) {
      const Priced* found = at(parts, unit);
      if (found == nullptr) continue;
      const int said = signs.sign_at(static_cast<double>(parts) * static_cast<double>(unit));
      const int priced = priced_sign(found->sides);
      // Next to a root both are nearly equal.
      if (said != priced && (priced != 0 || is_flat(signs, parts, unit))) return false;
    }
    return true;
  }

  // Whether no change is near: then sides that are equal are no accident.
  static bool is_flat(const SizeSigns& signs, std::int64_t parts, std::int64_t unit) {
    const double size = static_cast<double>(parts) * static_cast<double>(unit);
    return std::none_of(signs.changes.begin(), signs.changes.end(), [&](const SignChange& change) {
      return std::abs(change.root.value - size) <= 2 * static_cast<double>(unit);
    });
  }

  // Parts at which the signs are held against prices.
  std::vector<std::int64_t> tried(const SizeSigns& signs, const std::vector<SizePlan>& plans,
                                  std::int64_t unit, std::int64_t devices) const {
    constexpr std::int64_t kMostOdd = 1 << 20;
    const std::int64_t most = kMaxLength / unit;
    std::vector<std::int64_t> parts;
    const auto add = [&](const Rational& number) {
      const auto whole = number.to_int64();
      if (whole && *whole >= 1 && *whole <= most) parts.push_back(*whole);
    };
    for (const SignChange& change : signs.changes) {
      add(multiple_below(change.root, unit, true) / Rational(unit));
      add(multiple_above(change.root, unit, !change.jumps) / Rational(unit));
    }
    for (const SizePlan& plan : plans) {
      parts.push_back(plan.first);
      parts.push_back(std::min(plan.last, most));
    }
    if (has_links_ || plans.size() > 1) {
      for (const std::int64_t rung : ladder(most, rungs_of_two())) parts.push_back(rung);
    }
    for (const std::int64_t rung : ladder(most, has_links_ ? 2 : 1)) {
      parts.push_back(rung);
      // Powers of two are cut in every way; those next to them are not.
      if (unit % devices != 0 && rung > 2 && rung < kMostOdd) parts.push_back(rung + 1);
    }
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    return parts;
  }

  // A size that was priced, in parts: the sign there, and how it is planned.
  struct Rung {
    std::int64_t parts = 0;
    int sign = 0;
    std::string steps;

    bool has_other_plan(const Rung& other) const {
      return sign != other.sign || steps != other.steps;
    }
    // Told apart by what they are and not by where.
    friend bool operator==(const Rung& one, const Rung& other) {
      return !one.has_other_plan(other);
    }
  };

  std::optional<Rung> rung_at(std::int64_t parts, std::int64_t unit) {
    const Priced* priced = at(parts, unit);
    if (priced == nullptr) return std::nullopt;
    return Rung{parts, priced_sign(priced->sides), priced->steps};
  }

  std::optional<SizeSigns> by_prices(std::int64_t unit) {
    std::vector<Rung> rungs;
    for (const std::int64_t parts : ladder(kMaxLength / unit, rungs_of_two())) {
      if (auto rung = rung_at(parts, unit)) rungs.push_back(*std::move(rung));
    }
    if (rungs.empty()) return std::nullopt;
    // Where the sign changes is to be found first, and then what other plans hide between sizes of one sign.
    std::vector<std::vector<Rung>> between(rungs.size());
    for (const bool turns : {true, false}) {
      for (std::size_t i = 1; i < rungs.size(); ++i) {
        const Rung& low = rungs[i - 1];
        const Rung& high = rungs[i];
        if ((low.sign != high.sign) != turns || !low.has_other_plan(high)) continue;
        find_changes(
            low.parts, low, high.parts, high,
            [&](std::int64_t parts) { return rung_at(parts, unit); },
            [&](std::int64_t, std::int64_t first, const Rung& now) {
              between[i].push_back({first, now.sign, {}});
            });
      }
    }
    SizeSigns signs{.first = rungs.front().sign};
    signs.step = unit;
    signs.searched = true;
    int last = signs.first;
    for (const auto& changes : between) {
      for (const Rung& now : changes) {
        if (now.sign == last) continue;
        signs.changes.push_back({exactly(now.parts * unit), last, now.sign, true});
        last = now.sign;
      }
    }
    signs.is_sampled = too_many_ || is_spent_;
    add_sample(unit, signs);
    return signs;
  }

  // Rungs to a factor of two. With links each takes as long as many others.
  std::int64_t rungs_of_two() const { return has_links_ ? 2 : 4; }

  const SizeComparison& asked_;
  EvaluationContext& outer_;
  PlanListener listener_;
  EvaluationContext context_;
  bool has_links_;
  std::size_t most_priced_;
  std::optional<std::int64_t> step_;
  bool too_many_ = false;  // plans
  bool is_spent_ = false;  // more sizes were to be priced
  std::map<std::int64_t, std::optional<Priced>> priced_;
};

// Both sides are equal at one multiple alone: that is one change, there.
void join_at_multiple(SizeSigns& signs) {
  const Rational step(signs.step.value_or(1));
  std::vector<SignChange> joined;
  for (const SignChange& change : signs.changes) {
    const bool goes_on = !joined.empty() && joined.back().jumps && joined.back().after == 0 &&
                         change.jumps && change.root.number() == joined.back().root.number() + step;
    if (!goes_on) {
      joined.push_back(change);
      continue;
    }
    joined.back().after = change.after;
    joined.back().jumps = false;
  }
  signs.changes = std::move(joined);
}

}  // namespace

int SizeSigns::sign_at(double at) const {
  int sign = first;
  for (const SignChange& change : changes) {
    if (change.root.value > at) break;
    const bool is_there = change.root.value == at && !change.jumps;
    if (is_there) return 0;
    sign = change.after;
  }
  return sign;
}

Rational multiple_below(const Root& root, std::int64_t step, bool strict) {
  const Rational parts = root.number() / Rational(step);
  Rational whole = floor(parts);
  if (strict && root.exact && whole == parts) whole = whole - Rational(1);
  return whole * Rational(step);
}

Rational multiple_above(const Root& root, std::int64_t step, bool strict) {
  const Rational parts = root.number() / Rational(step);
  Rational whole = ceil(parts);
  if (strict && root.exact && whole == parts) whole = whole + Rational(1);
  return whole * Rational(step);
}

std::optional<SizeSigns> signs_of_sizes(const SizeComparison& asked, EvaluationContext& context) {
  auto signs = SignFinder(asked, context).find();
  if (signs) join_at_multiple(*signs);
  return signs;
}

}  // namespace shard
