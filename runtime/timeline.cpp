#include "runtime/timeline.h"

#include <algorithm>
#include <limits>
#include <map>
#include <queue>
#include <set>
#include <utility>

#include "base/check.h"
#include "base/find.h"
#include "runtime/timeline_streams.h"

namespace shard {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// Times within a billionth of the whole are the same.
constexpr double kRounding = 1e-9;

double seconds_of(const Formula& formula) {
  const auto number = formula.constant();
  SHARD_CHECK(number.has_value());
  return number->to_double();
}

// The steps of a plan on their streams, event by event.
class Simulation {
 public:
  Simulation(const Plan& plan, const std::vector<const Cost*>& costs, const Mesh& mesh,
             int prefetch, const std::vector<TimelineChange>& changes)
      : plan_(plan),
        changes_(changes),
        prefetch_(static_cast<std::size_t>(std::max(prefetch, 1))),
        count_(plan.steps.size()),
        readers_(count_),
        missing_(count_, 0),
        seconds_(count_, 0),
        use_(count_, kNone),
        window_edges_(count_) {
    const Streams streams(plan, mesh);
    timeline_.places = streams.places();
    timeline_.streams = streams.all();
    timeline_.steps.resize(count_);
    busy_with_.assign(timeline_.streams.size(), kNone);
    last_on_.assign(timeline_.streams.size(), kNone);
    in_order_.resize(timeline_.streams.size());
    gathers_.resize(timeline_.streams.size());
    link_operands();
    for (std::size_t i = 0; i < count_; ++i) add(i, *costs[i], streams);
    for (std::size_t i = count_; i-- > 0;) use_[i] = first_use(i);
    for (std::size_t i = 0; i < count_; ++i) {
      if (!is_for_later(i)) continue;
      for (const std::size_t stream : step(i).streams) gathers_[stream].insert({use_[i], i});
    }
  }

  Timeline run() {
    std::vector<std::size_t> first;
    for (std::size_t i = 0; i < count_; ++i) {
      if (missing_[i] == 0) first.push_back(i);
    }
    for (const std::size_t i : first) become_ready(i);
    start_what_can();
    while (!ends_.empty()) {
      if (change_ < changes_.size() && changes_[change_].at < ends_.top().first) {
        change();
        continue;
      }
      now_ = ends_.top().first;
      while (!ends_.empty() && ends_.top().first <= now_) {
        const auto [end, i] = ends_.top();
        ends_.pop();
        if (end == step(i).end) finish(i);  // else a change moved it
      }
      start_what_can();
    }
    SHARD_CHECK(started_.size() == count_);
    find_slack();
    set_exposed(timeline_);
    return std::move(timeline_);
  }

 private:
  // Gathers that are not used so far, by their uses.
  using Waiting = std::set<std::pair<std::size_t, std::size_t>>;

  TimedStep& step(std::size_t i) { return timeline_.steps[i]; }
  const TimedStep& step(std::size_t i) const { return timeline_.steps[i]; }

  bool is_gather(std::size_t i) const {
    const auto* collective = std::get_if<CollectiveStep>(&plan_.steps[i].action);
    return collective != nullptr && collective->kind == CollectiveKind::AllGather &&
           !step(i).streams.empty();
  }
  // One that nobody uses has nothing to wait for.
  bool is_for_later(std::size_t i) const { return is_gather(i) && use_[i] != kNone; }
  bool computes(std::size_t i) const { return timeline_.streams[step(i).streams.front()].computes; }

  void link_operands() {
    std::vector<std::size_t> makers(plan_.copies.size(), kNone);
    const auto index = [](CopyId copy) { return static_cast<std::size_t>(copy.value); };
    for (std::size_t i = 0; i < count_; ++i) {
      for (const CopyId operand : operands_of(plan_.steps[i])) {
        const std::size_t maker = makers[index(operand)];
        if (maker == kNone || (!readers_[maker].empty() && readers_[maker].back() == i)) continue;
        readers_[maker].push_back(i);
        ++missing_[i];
      }
      const CopyId result = result_of(plan_.steps[i]);
      if (result.valid()) makers[index(result)] = i;
    }
  }

  void add(std::size_t i, const Cost& cost, const Streams& streams) {
    const double work = std::max(seconds_of(cost.math), seconds_of(cost.hbm));
    seconds_[i] = work + seconds_of(cost.comms);
    if (seconds_[i] <= 0) return;
    step(i).streams = streams.of(plan_.steps[i], plan_);
    if (!step(i).streams.empty() && computes(i)) {
      for (const std::size_t stream : step(i).streams) in_order_[stream].push(i);
    }
  }

  // The first step that takes time among those that need the result. A gather of what was gathered is no use of it: both
  // are for what comes behind them.
  std::size_t first_use(std::size_t i) const {
    std::size_t first = kNone;
    for (const std::size_t reader : readers_[i]) {
      const bool passes_on = step(reader).streams.empty() || is_gather(reader);
      first = std::min(first, passes_on ? use_[reader] : reader);
    }
    return first;
  }

  // Operands are there.
  void become_ready(std::size_t i) {
    std::vector<std::size_t> ready = {i};
    while (!ready.empty()) {
      const std::size_t next = ready.back();
      ready.pop_back();
      if (!step(next).streams.empty()) {
        ready_[{is_for_later(next), step(next).streams}].insert(next);
        continue;
      }
      step(next).start = step(next).end = now_;
      started_.push_back(next);
      for (const std::size_t reader : readers_[next]) {
        if (--missing_[reader] == 0) ready.push_back(reader);
      }
    }
  }

  // What runs goes on at another pace, and what has not started will take another time.
  void change() {
    const TimelineChange& next = changes_[change_++];
    std::set<std::size_t> running(busy_with_.begin(), busy_with_.end());
    running.erase(kNone);
    for (const std::size_t i : running) {
      if (next.seconds[i] == seconds_[i]) continue;
      const double end = next.at + (step(i).end - next.at) * next.seconds[i] / seconds_[i];
      if (end == step(i).end) continue;
      step(i).end = end;
      ends_.push({end, i});
    }
    seconds_ = next.seconds;
  }

  void finish(std::size_t i) {
    step(i).changes = change_;
    for (const std::size_t stream : step(i).streams) busy_with_[stream] = kNone;
    for (const std::size_t reader : readers_[i]) {
      if (--missing_[reader] == 0) become_ready(reader);
    }
  }

  // From the first one again after each start, which may have let a gather go ahead that comes earlier.
  void start_what_can() {
    for (std::size_t i = next_to_start(); i != kNone; i = next_to_start()) {
      const auto group = ready_.find({is_for_later(i), step(i).streams});
      group->second.erase(i);
      if (group->second.empty()) ready_.erase(group);
      start(i);
    }
  }

  // What computes, which takes nothing from what moves and may be the use that gathers wait for, and then the first step
  // of the plan that may start. Of steps that need the same streams only the first one may, of gathers the one
  // that is used first.
  std::size_t next_to_start() const {
    std::size_t next = kNone;
    const auto consider = [&](std::size_t i) {
      const bool is_first =
          next == kNone || std::pair(!computes(i), i) < std::pair(!computes(next), next);
      if (is_first && may_start(i)) next = i;
    };
    for (const auto& [kind, steps] : ready_) {
      const auto& [for_later, streams] = kind;
      if (!for_later) {
        consider(*steps.begin());
        continue;
      }
      const Waiting& waiting = gathers_[streams.front()];
      const auto end = end_of_next(waiting);
      auto first = waiting.begin();
      while (first != end && steps.count(first->second) == 0) ++first;
      if (first != end) consider(first->second);
    }
    return next;
  }

  bool may_start(std::size_t i) const {
    const auto& streams = step(i).streams;
    const bool is_free = std::all_of(streams.begin(), streams.end(), [&](std::size_t stream) {
      return busy_with_[stream] == kNone;
    });
    if (!is_free) return false;
    if (computes(i)) {
      return std::all_of(streams.begin(), streams.end(),
                         [&](std::size_t stream) { return in_order_[stream].front() == i; });
    }
    return !is_for_later(i) || std::all_of(streams.begin(), streams.end(), [&](std::size_t stream) {
      return is_next(i, gathers_[stream]);
    });
  }

  void start(std::size_t i) {
    TimedStep& timed = step(i);
    started_.push_back(i);
    timed.start = now_;
    timed.end = now_ + seconds_[i];
    for (const std::size_t stream : timed.streams) {
      if (last_on_[stream] != kNone) stream_edges_.emplace_back(last_on_[stream], i);
      last_on_[stream] = i;
      busy_with_[stream] = i;
      if (computes(i)) in_order_[stream].pop();
    }
    use_of_gathers(i);
    ends_.push({timed.end, i});
  }

  bool is_ready(std::size_t i) const {
    const auto group = ready_.find({is_for_later(i), step(i).streams});
    return group != ready_.end() && group->second.count(i) != 0;
  }

  // Whether it may go ahead: those that are used before it have gone, or are not ready.
  bool is_next(std::size_t gather, const Waiting& waiting) const {
    const auto end = end_of_next(waiting);
    for (auto next = waiting.begin(); next != end; ++next) {
      if (next->second == gather) return true;
      if (is_ready(next->second)) return false;
    }
    return false;
  }

  // Gathers whose first use this is make room for others to go ahead.
  void use_of_gathers(std::size_t i) {
    for (auto& waiting : gathers_) {
      const auto first = waiting.lower_bound({i, 0});
      auto last = first;
      while (last != waiting.end() && last->first == i) ++last;
      if (first == last) continue;
      const std::set<std::size_t> ahead = next_of(waiting);
      waiting.erase(first, last);
      for (const std::size_t gather : next_of(waiting)) {
        if (ahead.count(gather) == 0) window_edges_[gather].push_back(i);
      }
    }
  }

  // The next gathers in the order of their uses: so many, or all those that the first use needs. So everything starts at
  // some time: of what has not, take the step that is first by its use, or by itself if it is no gather for later. What
  // it needs is there, and what would go ahead of it on its streams has gone.
  Waiting::const_iterator end_of_next(const Waiting& waiting) const {
    std::size_t rank = 0;
    auto end = waiting.begin();
    while (end != waiting.end() && (rank++ < prefetch_ || end->first == waiting.begin()->first))
      ++end;
    return end;
  }
  std::set<std::size_t> next_of(const Waiting& waiting) const {
    std::set<std::size_t> next;
    const auto end = end_of_next(waiting);
    for (auto gather = waiting.begin(); gather != end; ++gather) next.insert(gather->second);
    return next;
  }

  // How late each step could end: as what comes behind it starts, in the order in which it happened.
  void find_slack() {
    for (const TimedStep& timed : timeline_.steps)
      timeline_.end = std::max(timeline_.end, timed.end);
    std::vector<double> latest(count_, timeline_.end);  // ends
    std::vector<std::vector<std::size_t>> behind(count_);
    for (const auto& [before, next] : stream_edges_) behind[before].push_back(next);
    const auto latest_start = [&](std::size_t i) { return latest[i] - seconds_of_step(i); };
    for (auto started = started_.rbegin(); started != started_.rend(); ++started) {
      const std::size_t i = *started;
      for (const std::size_t next : readers_[i])
        latest[i] = std::min(latest[i], latest_start(next));
      for (const std::size_t next : behind[i]) latest[i] = std::min(latest[i], latest_start(next));
      for (const std::size_t opener : window_edges_[i])
        latest[opener] = std::min(latest[opener], latest_start(i) + seconds_of_step(opener));
      const double slack = latest[i] - step(i).end;
      step(i).slack = slack <= kRounding * timeline_.end ? 0 : slack;
    }
  }

  double seconds_of_step(std::size_t i) const { return step(i).end - step(i).start; }

  const Plan& plan_;
  const std::vector<TimelineChange>& changes_;
  std::size_t change_ = 0;  // the next one
  std::size_t prefetch_;
  std::size_t count_;
  std::vector<std::vector<std::size_t>> readers_;  // by step: those that read its result
  std::vector<std::size_t> missing_;               // by step: operands that are not there yet
  std::vector<double> seconds_;
  std::vector<std::size_t> use_;  // by step: the first step with a duration that needs its result
  // By stream.
  std::vector<std::size_t> busy_with_;
  std::vector<std::size_t> last_on_;
  std::vector<std::queue<std::size_t>> in_order_;  // what computes and has not started
  std::vector<Waiting> gathers_;
  double now_ = 0;
  // Steps with all operands that are not started: by whether they are gathers for later, and what they run on.
  std::map<std::pair<bool, std::vector<std::size_t>>, std::set<std::size_t>> ready_;
  using Event = std::pair<double, std::size_t>;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> ends_;
  std::vector<std::size_t> started_;  // in the order in which they did
  std::vector<std::pair<std::size_t, std::size_t>> stream_edges_;
  std::vector<std::vector<std::size_t>> window_edges_;  // by gather: uses that it waited for
  Timeline timeline_;
};

double length_of_union(std::vector<std::pair<double, double>> intervals) {
  std::sort(intervals.begin(), intervals.end());
  double length = 0;
  std::pair<double, double> current = {0, 0};
  for (const auto& [start, end] : intervals) {
    if (start > current.second) {
      length += current.second - current.first;
      current = {start, end};
    }
    current.second = std::max(current.second, end);
  }
  return length + (current.second - current.first);
}

}  // namespace

std::vector<double> busy_seconds(const Timeline& timeline) {
  std::vector<double> busy(timeline.streams.size(), 0.0);
  for (const TimedStep& step : timeline.steps) {
    for (const std::size_t stream : step.streams) busy[stream] += step.end - step.start;
  }
  return busy;
}

void set_exposed(Timeline& timeline) {
  const std::vector<double> busy = busy_seconds(timeline);
  std::size_t busiest = 0;
  for (std::size_t stream = 0; stream < busy.size(); ++stream) {
    if (timeline.streams[stream].computes && busy[stream] > busy[busiest]) busiest = stream;
  }
  // The time in which it computes or something moves, without that in which it computes.
  std::vector<std::pair<double, double>> either;
  for (const TimedStep& step : timeline.steps) {
    if (step.streams.empty()) continue;
    const bool moves = !timeline.streams[step.streams.front()].computes;
    if (moves || contains(step.streams, busiest)) either.emplace_back(step.start, step.end);
  }
  timeline.exposed = std::max(0.0, length_of_union(std::move(either)) - busy[busiest]);
}

Timeline timeline_of(const Plan& plan, const std::vector<const Cost*>& costs, const Mesh& mesh,
                     int prefetch, const std::vector<TimelineChange>& changes) {
  SHARD_CHECK(costs.size() == plan.steps.size());
  return Simulation(plan, costs, mesh, prefetch, changes).run();
}

}  // namespace shard
