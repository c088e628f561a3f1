#include "runtime/cost/peak_memory.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "base/cancellation.h"
#include "base/check.h"
#include "runtime/cost/occupancy.h"

namespace shard {
namespace {

// What happens at one moment, in order: first what ends, then what starts, each by `rank`.
struct Timed {
  MemorySchedule::Moment moment;
  bool starts = false;
  std::size_t rank = 0;
};

// Frees rank after the step they wait for, or before the step they make room for.
std::size_t rank_of(std::size_t step) { return 2 * step + 1; }
std::size_t behind(std::size_t step) { return rank_of(step) + 1; }
std::size_t before(std::size_t step) { return rank_of(step) - 1; }

class TimelineOrder {
 public:
  TimelineOrder(const MemorySchedule& schedule, const Plan& plan)
      : events_(schedule.events),
        when_(schedule.when),
        uses_(plan.copies.size()),
        next_step_(events_.size()) {
    std::size_t next = events_.size();
    for (std::size_t i = events_.size(); i-- > 0;) {
      next_step_[i] = next;
      if (events_[i].step != nullptr) next = i;
    }
  }

  std::vector<MemorySchedule::Moment> find() {
    std::vector<Timed> timed;
    for (std::size_t i = 0; i < events_.size(); ++i)
      timed.push_back(events_[i].step != nullptr ? start(i) : end(i));
    std::erase_if(timed, [](const Timed& one) { return std::isinf(one.moment.seconds); });
    std::stable_sort(timed.begin(), timed.end(), [](const Timed& a, const Timed& b) {
      return std::tuple(a.moment.seconds, a.starts, a.rank) <
             std::tuple(b.moment.seconds, b.starts, b.rank);
    });
    std::vector<MemorySchedule::Moment> moments;
    for (const Timed& one : timed) moments.push_back(one.moment);
    return moments;
  }

 private:
  // For a copy: the last to end of the steps that make or read it.
  struct Use {
    double end = 0;
    double start = 0;
    std::size_t step = 0;
    bool is_read = false;
  };

  Use& use_of(CopyId copy) { return uses_[static_cast<std::size_t>(copy.value)]; }

  // Of steps that end at the same time, the one that starts last counts: one without a duration.
  void note(CopyId copy, std::size_t i, bool reads) {
    Use& use = use_of(copy);
    if (std::pair(when_[i].end, when_[i].start) >= std::pair(use.end, use.start)) {
      use.end = when_[i].end;
      use.start = when_[i].start;
      use.step = i;
    }
    use.is_read = use.is_read || reads;
  }

  Timed start(std::size_t i) {
    const Step& step = *events_[i].step;
    const CopyId changed = changed_in_place(step);
    const bool alone = !changed.valid() || use_of(changed).end <= when_[i].start;
    for_each_operand(step, [&](CopyId operand) { note(operand, i, true); });
    note(result_of(step), i, false);
    return {{when_[i].start, i, alone}, true, rank_of(i)};
  }

  Timed end(std::size_t i) {
    const Use& use = use_of(events_[i].freed);
    // A result that nothing reads lives until the step for which it makes room.
    if (const std::size_t next = next_step_[i];
        !use.is_read && next < events_.size() && when_[next].start >= use.end)
      return {{when_[next].start, i}, true, before(next)};
    if (use.start == use.end) return {{use.end, i}, true, behind(use.step)};
    return {{use.end, i}, false, i};
  }

  const std::vector<Event>& events_;
  const std::vector<Interval>& when_;
  std::vector<Use> uses_;               // by copy
  std::vector<std::size_t> next_step_;  // by event
};

// The maximum, by halves: with sizes missing, a max is compared with each of its arguments, and those of a half stay
// short.
Formula highest(std::span<const Formula> totals) {
  if (totals.empty()) return {};
  if (totals.size() == 1) return totals.front();
  const std::size_t middle = totals.size() / 2;
  return max(highest(totals.first(middle)), highest(totals.subspan(middle)));
}

// The moment at which the peak is first reached, and its bytes, without keeping the others; nullopt if totals are not
// plain numbers.
std::optional<std::pair<std::size_t, Rational>> plain_peak(const MemorySchedule& schedule,
                                                           const Plan& plan, const Mesh& mesh) {
  Occupancy occupancy(plan, schedule.events, mesh);
  std::pair<std::size_t, Rational> peak = {schedule.moments.size(), 0};
  for (std::size_t i = 0; i < schedule.moments.size(); ++i) {
    throw_if_cancelled();
    if (!occupancy.advance(schedule.moments[i].event, schedule.moments[i].alone)) continue;
    const auto total = occupancy.plain_total();
    if (!total) return std::nullopt;
    if (peak.first == schedule.moments.size() || *total > peak.second) peak = {i, *total};
  }
  return peak;
}

// Symbolic totals that may be the highest. Repeated statements make totals grow by the same step again and again: the
// highest of such a run is at one of its ends, whatever the sizes, so the totals in between are dropped.
class Candidates {
 public:
  void add(const Formula& total) {
    while (!totals_.empty()) {
      const Formula higher = max(totals_.back(), total);
      if (higher == totals_.back()) return;
      if (!(higher == total)) break;
      totals_.pop_back();
      step_.reset();
    }
    if (!totals_.empty()) {
      const Formula step = total - totals_.back();
      if (step_ == step) totals_.pop_back();
      step_ = step;
    }
    totals_.push_back(total);
  }

  std::span<const Formula> totals() const { return totals_; }

 private:
  std::vector<Formula> totals_;
  std::optional<Formula> step_;  // that led to the last of at least two totals
};

Formula symbolic_peak(const MemorySchedule& schedule, const Plan& plan, const Mesh& mesh) {
  Occupancy occupancy(plan, schedule.events, mesh);
  Candidates candidates;
  for (const MemorySchedule::Moment& moment : schedule.moments) {
    throw_if_cancelled();
    if (occupancy.advance(moment.event, moment.alone)) candidates.add(occupancy.total());
  }
  return highest(candidates.totals());
}

// The highest total so far, for each running step.
class Highest {
 public:
  explicit Highest(const MemorySchedule& schedule)
      : schedule_(schedule), bytes_(schedule.events.size()) {}

  void step(std::size_t event, double now, const Rational& total) {
    std::erase_if(running_, [&](std::size_t one) { return schedule_.when[one].end <= now; });
    running_.push_back(event);
    for (const std::size_t one : running_) {
      if (!bytes_[one] || *bytes_[one] < total) bytes_[one] = total;
    }
  }

  const std::optional<Rational>& of(std::size_t event) const { return bytes_[event]; }

 private:
  const MemorySchedule& schedule_;
  std::vector<std::optional<Rational>> bytes_;  // by event
  std::vector<std::size_t> running_;
};

}  // namespace

MemorySchedule in_order(std::vector<Event> events, const std::vector<Interval>& when) {
  MemorySchedule schedule{.events = std::move(events), .when = {}, .moments = {}};
  std::set<CopyId> waiting;  // for a step that never runs
  for (std::size_t i = 0; i < schedule.events.size(); ++i) {
    const Event& event = schedule.events[i];
    const bool runs = when.empty() || event.step == nullptr || !std::isinf(when[i].start);
    if (!runs) for_each_operand(*event.step, [&](CopyId operand) { waiting.insert(operand); });
    const bool stays = event.step == nullptr && waiting.contains(event.freed);
    if (runs && !stays) schedule.moments.push_back({.event = i});
  }
  return schedule;
}

MemorySchedule on_timeline(std::vector<Event> events, std::vector<Interval> when,
                           const Plan& plan) {
  SHARD_CHECK(when.size() == events.size());
  MemorySchedule schedule{.events = std::move(events), .when = std::move(when), .moments = {}};
  schedule.moments = TimelineOrder(schedule, plan).find();
  return schedule;
}

PeakMemory peak_memory(const MemorySchedule& schedule, const Plan& plan, const Mesh& mesh) {
  const auto plain = plain_peak(schedule, plan, mesh);
  if (!plain) return {.bytes = symbolic_peak(schedule, plan, mesh), .place = "", .copies = {}};
  PeakMemory peak{.bytes = Formula(plain->second), .place = "", .copies = {}};
  if (plain->first == schedule.moments.size()) return peak;
  const std::size_t event = schedule.moments[plain->first].event;
  peak.event = static_cast<int>(event);
  peak.statement = schedule.events[event].statement;
  Occupancy occupancy(plan, schedule.events, mesh);
  for (std::size_t i = 0; i <= plain->first; ++i)
    occupancy.advance(schedule.moments[i].event, schedule.moments[i].alone);
  peak.place = occupancy.fullest_place();
  peak.copies = occupancy.largest_first();
  return peak;
}

std::vector<MemoryUse> memory_by_step(const MemorySchedule& schedule, const Plan& plan,
                                      const Mesh& mesh) {
  Occupancy occupancy(plan, schedule.events, mesh);
  std::vector<MemoryUse> uses;
  Highest highest_of(schedule);
  for (const MemorySchedule::Moment& moment : schedule.moments) {
    throw_if_cancelled();
    if (!occupancy.advance(moment.event, moment.alone)) continue;
    uses.push_back({static_cast<int>(moment.event), {}});
    if (schedule.when.empty())
      uses.back().bytes = occupancy.total();
    else
      highest_of.step(moment.event, moment.seconds, *occupancy.plain_total());
  }
  if (schedule.when.empty()) return uses;
  std::sort(uses.begin(), uses.end(),
            [](const MemoryUse& a, const MemoryUse& b) { return a.event < b.event; });
  for (MemoryUse& use : uses)
    use.bytes = Formula(*highest_of.of(static_cast<std::size_t>(use.event)));
  return uses;
}

std::vector<MemoryAt> memory_over_time(const MemorySchedule& schedule, const Plan& plan,
                                       const Mesh& mesh) {
  Occupancy occupancy(plan, schedule.events, mesh);
  std::vector<MemoryAt> curve;
  const auto& moments = schedule.moments;
  for (std::size_t i = 0; i < moments.size();) {
    const double now = moments[i].seconds;
    double most = 0;
    for (; i < moments.size() && moments[i].seconds == now; ++i) {
      if (occupancy.advance(moments[i].event, moments[i].alone))
        most = std::max(most, occupancy.plain_total()->to_double());
    }
    const double left = occupancy.plain_total()->to_double();
    if (most > left) curve.push_back({now, most});
    curve.push_back({now, left});
  }
  return curve;
}

}  // namespace shard
