#include "interpreter/solve/size_plans.h"

#include <string>
#include <utility>

#include "base/cancellation.h"
#include "interpreter/solve/plan_listener.h"

namespace shard {

namespace {

constexpr std::size_t kMostPlans = 256;
constexpr std::int64_t kRungs = 2;  // to a factor of two
constexpr std::int64_t kLargestAxis = std::int64_t{1} << 20;

// Both sides, and the steps of the blocks that were priced for them.
struct Planned {
  Sides sides;
  std::string steps;

  friend bool operator==(const Planned& one, const Planned& other) {
    return one.steps == other.steps && have_equal_sides(one.sides, other.sides);
  }
  static bool have_equal_sides(const Sides& one, const Sides& other) {
    return one.left.value == other.left.value && one.right.value == other.right.value;
  }
};

class PlanFinder {
 public:
  PlanFinder(const SizeComparison& asked, std::optional<std::int64_t> step,
             EvaluationContext& context)
      : asked_(asked),
        step_(step.value_or(1)),
        is_axis_(!step),
        listener_(context.host),
        context_{context.check, listener_} {}

  std::vector<SizePlan> find(bool& too_many) {
    if (!prices(asked_.left) && !prices(asked_.right))
      return {{1, kMaxLength / step_, asked_.sides}};
    std::optional<Planned> last;
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
      too_many = priced_ > kMostPriced || plans_.size() > kMostPlans;
      if (too_many) return {};
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

  std::optional<Planned> at(std::int64_t parts) {
    throw_if_cancelled();
    if (context_.host.budget() != nullptr && context_.host.budget()->stopped()) return std::nullopt;
    // Without an answer a search between two rungs ends at once.
    if (++priced_ > kMostPriced) return std::nullopt;
    const auto number = static_cast<double>(parts) * static_cast<double>(step_);
    auto sides = sides_planned_at(asked_.left, &asked_.right, {asked_.size.name.text},
                                  {{asked_.size.symbol, number}}, context_);
    std::string steps = listener_.take_steps();
    if (!sides) return std::nullopt;
    return Planned{*std::move(sides), std::move(steps)};
  }

  void climb(std::int64_t low, const Planned& one, std::int64_t high, const Planned& other) {
    const auto change = [&](std::int64_t last, std::int64_t first, const Planned& now) {
      plans_.back().last = last;
      add(first, now.sides);
    };
    if (is_axis_) return change(low, high, other);
    find_changes(
        low, one, high, other, [&](std::int64_t parts) { return at(parts); }, change);
  }

  void add(std::int64_t first, const Sides& sides) {
    if (plans_.empty() || !Planned::have_equal_sides(plans_.back().sides, sides))
      plans_.push_back({first, first, sides});
  }

  const SizeComparison& asked_;
  std::int64_t step_;
  bool is_axis_;
  PlanListener listener_;
  EvaluationContext context_;
  std::size_t priced_ = 0;
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
                               EvaluationContext& context, bool& too_many) {
  return PlanFinder(asked, step, context).find(too_many);
}

}  // namespace shard
