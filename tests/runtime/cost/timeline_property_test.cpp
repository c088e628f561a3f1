// The rules of the timeline (cost model, "The timeline") on random plans, played again step by step, without any of the
// structures of the simulation.
#include <map>
#include <optional>
#include <set>

#include "tests/property.h"
#include "tests/runtime/support/timed_script.h"

namespace shard::timeline_property_test {
namespace {

struct PlainStep {
  enum class Kind { Input, Compute, Gather, Reduce };
  Kind kind = Kind::Input;
  AxisId axis;
  std::vector<std::size_t> operands;
  int seconds = 0;
};
using PlainPlan = std::vector<PlainStep>;

class Replay {
 public:
  Replay(PlainPlan plan, std::size_t prefetch) : plan_(std::move(plan)), prefetch_(prefetch) {}

  // When each step starts; nothing of one that never does.
  std::vector<std::optional<double>> starts() {
    start_.assign(plan_.size(), std::nullopt);
    for (std::optional<double> next = 0; next; next = next_end()) {
      now_ = *next;
      while (const auto i = first_that_may_start()) start_[*i] = now_;
    }
    return start_;
  }

 private:
  bool has_ended(std::size_t i) const { return start_[i] && *start_[i] + plan_[i].seconds <= now_; }
  bool is_gather(std::size_t i) const {
    return plan_[i].kind == PlainStep::Kind::Gather && plan_[i].seconds > 0;
  }
  bool computes(std::size_t i) const { return plan_[i].kind == PlainStep::Kind::Compute; }
  bool share_a_stream(std::size_t a, std::size_t b) const {
    return computes(a) == computes(b) && (computes(a) || plan_[a].axis == plan_[b].axis);
  }
  bool is_ready(std::size_t i) const {
    const auto& operands = plan_[i].operands;
    return std::all_of(operands.begin(), operands.end(), [&](auto o) { return has_ended(o); });
  }

  std::optional<std::size_t> first_use(std::size_t i) const {
    std::optional<std::size_t> first;
    for (std::size_t reader = i + 1; reader < plan_.size(); ++reader) {
      const auto& operands = plan_[reader].operands;
      if (std::find(operands.begin(), operands.end(), i) == operands.end()) continue;
      const bool is_use = plan_[reader].seconds > 0 && !is_gather(reader);
      const auto use = is_use ? std::optional(reader) : first_use(reader);
      if (use && (!first || *use < *first)) first = use;
    }
    return first;
  }

  // One of the next, or needed by the very next use, and behind none that could go.
  bool is_its_turn(std::size_t gather) const {
    std::set<std::pair<std::size_t, std::size_t>> waiting;
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      if (!is_gather(i) || !share_a_stream(i, gather)) continue;
      if (const auto use = first_use(i); use && !start_[*use]) waiting.insert({*use, i});
    }
    std::size_t before = 0;
    for (const auto& [use, i] : waiting) {
      if (i == gather) return before < prefetch_ || use == waiting.begin()->first;
      if (!start_[i] && is_ready(i)) return false;
      ++before;
    }
    return false;
  }

  bool may_start(std::size_t i) const {
    if (start_[i] || !is_ready(i)) return false;
    if (plan_[i].seconds == 0) return true;
    for (std::size_t other = 0; other < plan_.size(); ++other) {
      if (plan_[other].seconds == 0 || !share_a_stream(i, other)) continue;
      if (start_[other] && !has_ended(other)) return false;
      if (computes(i) && other < i && !start_[other]) return false;
    }
    return !is_gather(i) || !first_use(i) || is_its_turn(i);
  }

  // What takes no time, then what computes, then the earliest.
  std::optional<std::size_t> first_that_may_start() const {
    std::optional<std::size_t> first;
    const auto order = [&](std::size_t i) {
      return std::tuple(plan_[i].seconds > 0, !computes(i), i);
    };
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      if (may_start(i) && (!first || order(i) < order(*first))) first = i;
    }
    return first;
  }

  std::optional<double> next_end() const {
    std::optional<double> next;
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      if (!start_[i] || has_ended(i)) continue;
      const double end = *start_[i] + plan_[i].seconds;
      if (!next || end < *next) next = end;
    }
    return next;
  }

  PlainPlan plan_;
  std::size_t prefetch_;
  std::vector<std::optional<double>> start_;
  double now_ = 0;
};

// Steps of all kinds, sums of what is gathered just before, and gathers of what was gathered.
class RandomPlan {
 public:
  PlainPlan make() {
    add({});
    for (int i = *rc::gen::inRange(1, 12); i-- > 0;) {
      switch (*rc::gen::inRange(0, 5)) {
        case 0:
          add_sum(*rc::gen::inRange(1, 5));
          break;
        case 1:
          add_chain(*rc::gen::inRange(1, 4));
          break;
        default:
          add_any();
      }
    }
    return plan_;
  }

 private:
  static int seconds(int least) { return *rc::gen::inRange(least, 5); }
  static AxisId axis() { return *rc::gen::inRange(0, 4) == 0 ? kY : kX; }
  std::size_t any() const { return *rc::gen::inRange<std::size_t>(0, plan_.size()); }
  std::size_t add(const PlainStep& step) {
    plan_.push_back(step);
    return plan_.size() - 1;
  }
  std::size_t gather(std::size_t operand) {
    return add({PlainStep::Kind::Gather, axis(), {operand}, seconds(1)});
  }

  void add_any() {
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        add({PlainStep::Kind::Compute, {}, {any(), any()}, seconds(0)});
        break;
      case 1:
        add({PlainStep::Kind::Reduce, axis(), {any()}, seconds(1)});
        break;
      case 2:
        gather(any());
        break;
      default:
        add({});
    }
  }
  void add_sum(int count) {
    std::vector<std::size_t> gathered;
    while (count-- > 0) gathered.push_back(gather(any()));
    gathered.push_back(any());
    add({PlainStep::Kind::Compute, {}, gathered, seconds(1)});
  }
  // With a slice between, sometimes.
  void add_chain(int count) {
    std::size_t last = any();
    while (count-- > 0) {
      last = gather(last);
      if (*rc::gen::arbitrary<bool>()) last = add({PlainStep::Kind::Compute, {}, {last}, 0});
    }
  }

  PlainPlan plan_;
};

testing::TimedScript script_of(const PlainPlan& plan) {
  testing::TimedScript script;
  std::vector<CopyId> copies;
  for (const PlainStep& step : plan) {
    std::vector<CopyId> operands;
    for (const std::size_t operand : step.operands) operands.push_back(copies[operand]);
    if (step.kind == PlainStep::Kind::Input)
      copies.push_back(script.input());
    else if (step.kind == PlainStep::Kind::Compute)
      copies.push_back(script.compute(operands, step.seconds));
    else if (step.kind == PlainStep::Kind::Gather)
      copies.push_back(script.gather(step.axis, operands.front(), step.seconds));
    else
      copies.push_back(script.reduce(step.axis, operands.front(), step.seconds));
  }
  return script;
}

void log(const PlainPlan& plan) {
  for (std::size_t i = 0; i < plan.size(); ++i) {
    RC_LOG() << i << ": kind " << static_cast<int>(plan[i].kind) << " axis " << plan[i].axis.value
             << ", " << plan[i].seconds << " s, of";
    for (const std::size_t operand : plan[i].operands) RC_LOG() << " " << operand;
    RC_LOG() << "\n";
  }
}

// Steps that waited for ever were at 0 with no time at all; and what came later in the plan went ahead of a gather whose
// use had started at the same moment.
TEST(TimelineProperties, EveryStepRunsWhenTheRulesSay) {
  check_property(2000, [] {
    const PlainPlan plan = RandomPlan().make();
    const int prefetch = *rc::gen::inRange(1, 4);
    log(plan);
    const Timeline timeline = script_of(plan).run(prefetch);
    const auto starts = Replay(plan, static_cast<std::size_t>(prefetch)).starts();
    double end = 0;
    for (std::size_t i = 0; i < plan.size(); ++i) {
      RC_ASSERT(starts[i].has_value());
      RC_ASSERT(timeline.steps[i].start == *starts[i]);
      RC_ASSERT(timeline.steps[i].end == *starts[i] + plan[i].seconds);
      end = std::max(end, timeline.steps[i].end);
    }
    RC_ASSERT(timeline.end == end);
  });
}

}  // namespace
}  // namespace shard::timeline_property_test
