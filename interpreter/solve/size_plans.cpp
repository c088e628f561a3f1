#include "interpreter/solve/size_plans.h"

#include <string>
#include <utility>

#include "base/cancellation.h"

namespace shard {

namespace {

constexpr std::size_t kMostPlans = 256;
constexpr std::int64_t kRungs = 2;  // to a factor of two
constexpr std::int64_t kLargestAxis = std::int64_t{1} << 20;

struct Formulas {
  Sides sides;

  friend bool operator==(const Formulas& one, const Formulas& other) {
    return one.sides.left.value == other.sides.left.value &&
           one.sides.right.value == other.sides.right.value;
  }
};

class PlanFinder {
 public:
  PlanFinder(const SizeComparison& asked, std::optional<std::int64_t> step,
             EvaluationContext& context)
      : asked_(asked), step_(step.value_or(1)), is_axis_(!step), context_(context) {}

  std::vector<SizePlan> find() {
    if (!prices(asked_.left) && !prices(asked_.right))
      return {{1, kMaxLength / step_, asked_.sides}};
    std::optional<Formulas> last;
    std::int64_t rung = 0;
    for (const std::int64_t next : rungs()) {
      auto now = at(next);
      if (!now) continue;
      if (!last) {
        add(next, now->sides);
      } else if (!(*now == *last)) {
        climb(rung, *last, next, *now);
      }
      plans_.back().last = next;
      last = std::move(now);
      rung = next;
      if (plans_.size() > kMostPlans) return {};
    }
    return std::move(plans_);
  }

 private:
  std::vector<std::int64_t> rungs() const {
    if (!is_axis_) return ladder(kMaxLength / step_, kRungs);
    std::vector<std::int64_t> powers;
    for (std::int64_t size = 1; size <= kLargestAxis; size *= 2) powers.push_back(size);
    return powers;
  }

  std::optional<Formulas> at(std::int64_t parts) {
    throw_if_cancelled();
    if (context_.host.budget() != nullptr && context_.host.budget()->stopped()) return std::nullopt;
    const auto number = static_cast<double>(parts) * static_cast<double>(step_);
    auto sides = sides_planned_at(asked_.left, &asked_.right, {asked_.size.name.text},
                                  {{asked_.size.symbol, number}}, context_);
    if (!sides) return std::nullopt;
    return Formulas{*std::move(sides)};
  }

  void climb(std::int64_t low, const Formulas& one, std::int64_t high, const Formulas& other) {
    const auto change = [&](std::int64_t last, std::int64_t first, const Formulas& now) {
      plans_.back().last = last;
      add(first, now.sides);
    };
    if (is_axis_) return change(low, high, other);
    find_changes(
        low, one, high, other, [&](std::int64_t parts) { return at(parts); }, change);
  }

  void add(std::int64_t first, const Sides& sides) { plans_.push_back({first, first, sides}); }

  const SizeComparison& asked_;
  std::int64_t step_;
  bool is_axis_;
  EvaluationContext& context_;
  std::vector<SizePlan> plans_;
};

}  // namespace

std::vector<std::int64_t> ladder(std::int64_t most, std::int64_t rungs_of_two) {
  constexpr std::int64_t kFine = std::int64_t{1} << 24;
  std::vector<std::int64_t> rungs;
  std::int64_t power = 1;
  for (std::int64_t rung = 1; rung <= most;) {
    rungs.push_back(rung);
    while (power * 2 <= rung) power *= 2;
    rung += rung < kFine ? std::max<std::int64_t>(power / rungs_of_two, 1) : 3 * power;
  }
  return rungs;
}

std::vector<SizePlan> plans_of(const SizeComparison& asked, std::optional<std::int64_t> step,
                               EvaluationContext& context) {
  return PlanFinder(asked, step, context).find();
}

}  // namespace shard
