#include "runtime/cost/timeline.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/cancellation.h"
#include "base/check.h"
#include "base/packed_lists.h"
#include "runtime/cost/exposed_time.h"
#include "runtime/cost/step_readers.h"
#include "runtime/cost/streams.h"

namespace shard {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// Times are sums of doubles in different orders, so a slack within a billionth of the whole counts as none.
constexpr double kRounding = 1e-9;

double seconds_of(const Formula& formula) {
  const auto number = formula.constant();
  SHARD_CHECK(number.has_value());
  return number->to_double();
}

// The steps of a plan on their streams, as a discrete-event simulation.
class Simulation {
 public:
  Simulation(const Plan& plan, const std::vector<const Cost*>& costs, const Mesh& mesh,
             int prefetch, const std::vector<TimelineChange>& changes)
      : plan_(plan),
        changes_(changes),
        prefetch_(static_cast<std::size_t>(std::max(prefetch, 1))),
        count_(plan.steps.size()),
        readers_(readers_of(plan)),
        missing_(count_, 0),
        seconds_(count_, 0),
        use_(count_, kNone),
        is_ready_(count_, false),
        group_of_(count_, kNone) {
    Streams streams(plan, mesh);
    timeline_.places = streams.places();
    timeline_.streams = streams.all();
    timeline_.steps.resize(count_);
    busy_with_.assign(timeline_.streams.size(), kNone);
    last_on_.assign(timeline_.streams.size(), kNone);
    in_order_.resize(timeline_.streams.size());
    gathers_.resize(timeline_.streams.size());
    std::unordered_map<const Cost*, double> seconds;
    for (std::size_t i = 0; i < count_; ++i) {
      for (const std::size_t reader : readers_[i]) ++missing_[reader];
      const auto [known, is_new] = seconds.try_emplace(costs[i]);
      if (is_new) known->second = seconds_of_cost(*costs[i]);
      seconds_[i] = known->second;
      if (seconds_[i] > 0) step(i).streams = streams.of(plan.steps[i]);
      if (!step(i).streams.empty() && computes(i)) {
        for (const std::size_t stream : step(i).streams) in_order_[stream].push(i);
      }
    }
    for (std::size_t i = count_; i-- > 0;) use_[i] = first_use(i);
    for (std::size_t i = 0; i < count_; ++i) put_into_group(i);
  }

  Timeline run() {
    std::vector<std::size_t> first;
    for (std::size_t i = 0; i < count_; ++i) {
      if (missing_[i] == 0) first.push_back(i);
    }
    for (const std::size_t i : first) become_ready(i);
    start_what_can();
    while (!ends_.empty()) {
      throw_if_cancelled();
      if (change_ < changes_.size() && changes_[change_].at < ends_.top().first) {
        change();
        continue;
      }
      now_ = ends_.top().first;
      while (!ends_.empty() && ends_.top().first <= now_) {
        const auto [end, i] = ends_.top();
        ends_.pop();
        if (end == step(i).end) finish(i);  // else a change has moved it
      }
      start_what_can();
    }
    SHARD_CHECK(started_.size() == count_);
    find_slack();
    set_exposed(timeline_);
    return std::move(timeline_);
  }

 private:
  // Gathers not used so far, ordered by use.
  using Waiting = std::set<std::pair<std::size_t, std::size_t>>;
  using FirstFirst = std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>>;
  // Steps that run on the same streams.
  struct Group {
    bool for_later = false;  // gathers; the one used first goes first
    std::vector<std::size_t> streams;
    FirstFirst ready;         // has all operands and is not started; not used for gathers
    std::size_t gathers = 0;  // how many gathers are ready
  };

  TimedStep& step(std::size_t i) { return timeline_.steps[i]; }
  const TimedStep& step(std::size_t i) const { return timeline_.steps[i]; }

  bool is_gather(std::size_t i) const {
    const auto* collective = std::get_if<CollectiveStep>(&plan_.steps[i].action);
    return collective != nullptr && collective->kind == CollectiveKind::AllGather &&
           !step(i).streams.empty();
  }
  // A gather that nobody uses has nothing to wait for.
  bool is_for_later(std::size_t i) const { return is_gather(i) && use_[i] != kNone; }
  bool computes(std::size_t i) const { return timeline_.streams[step(i).streams.front()].computes; }

  static double seconds_of_cost(const Cost& cost) {
    return std::max(seconds_of(cost.math), seconds_of(cost.hbm)) + seconds_of(cost.comms);
  }

  void put_into_group(std::size_t i) {
    if (step(i).streams.empty()) return;
    const bool for_later = is_for_later(i);
    if (for_later) {
      for (const std::size_t stream : step(i).streams) gathers_[stream].insert({use_[i], i});
    }
    const auto same = std::find_if(groups_.begin(), groups_.end(), [&](const Group& group) {
      return group.for_later == for_later && group.streams == step(i).streams;
    });
    group_of_[i] = static_cast<std::size_t>(same - groups_.begin());
    if (same == groups_.end())
      groups_.push_back({.for_later = for_later, .streams = step(i).streams, .ready = {}});
  }

  // The first step with a duration among those that need the result. A gather of a gathered array does not count: both
  // serve whatever comes after them.
  std::size_t first_use(std::size_t i) const {
    std::size_t first = kNone;
    for (const std::size_t reader : readers_[i]) {
      const bool passes_on = step(reader).streams.empty() || is_gather(reader);
      first = std::min(first, passes_on ? use_[reader] : reader);
    }
    return first;
  }

  // Its operands are there. Steps without streams take no time and pass on at once.
  void become_ready(std::size_t i) {
    std::vector<std::size_t> ready = {i};
    while (!ready.empty()) {
      const std::size_t next = ready.back();
      ready.pop_back();
      if (!step(next).streams.empty()) {
        is_ready_[next] = true;
        Group& group = groups_[group_of_[next]];
        if (group.for_later)
          ++group.gathers;
        else
          group.ready.push(next);
        continue;
      }
      step(next).start = step(next).end = now_;
      started_.push_back(next);
      for (const std::size_t reader : readers_[next]) {
        if (--missing_[reader] == 0) ready.push_back(reader);
      }
    }
  }

  // Running steps continue at their new pace, and steps not yet started take their new times.
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

  // Searches from the beginning after each start, which may have allowed an earlier gather to go ahead.
  void start_what_can() {
    for (std::size_t i = next_to_start(); i != kNone; i = next_to_start()) {
      is_ready_[i] = false;
      Group& group = groups_[group_of_[i]];
      if (group.for_later)
        --group.gathers;
      else
        group.ready.pop();
      start(i);
    }
  }

  // First whatever computes, which takes nothing from what moves and may be the use that gathers wait for; then the
  // first step of the plan that may start. Of steps on the same streams only the first may, of gathers the one used
  // first.
  std::size_t next_to_start() const {
    std::size_t next = kNone;
    const auto consider = [&](std::size_t i) {
      const bool is_first =
          next == kNone || std::pair(!computes(i), i) < std::pair(!computes(next), next);
      if (is_first && may_start(i)) next = i;
    };
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Group& group = groups_[g];
      if (!group.ready.empty()) consider(group.ready.top());
      if (group.gathers == 0) continue;
      const Waiting& waiting = gathers_[group.streams.front()];
      const auto end = end_of_next(waiting);
      const auto first = std::find_if(waiting.begin(), end, [&](const auto& gather) {
        return is_ready_[gather.second] && group_of_[gather.second] == g;
      });
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

  // Whether it may go ahead: those used before it have started, or are not ready.
  bool is_next(std::size_t gather, const Waiting& waiting) const {
    const auto end = end_of_next(waiting);
    for (auto next = waiting.begin(); next != end; ++next) {
      if (next->second == gather) return true;
      if (is_ready_[next->second]) return false;
    }
    return false;
  }

  // When the step that first uses some gathers starts, others may go ahead.
  void use_of_gathers(std::size_t i) {
    for (auto& waiting : gathers_) {
      if (waiting.empty()) continue;
      const auto first = waiting.lower_bound({i, 0});
      auto last = first;
      while (last != waiting.end() && last->first == i) ++last;
      if (first == last) continue;
      const std::set<std::size_t> ahead = next_of(waiting);
      waiting.erase(first, last);
      for (const std::size_t gather : next_of(waiting)) {
        if (ahead.count(gather) == 0) window_edges_.emplace_back(gather, i);
      }
    }
  }

  // The next gathers in order of use: `prefetch_` of them, or all that the very next use needs. This never deadlocks:
  // of the steps not yet started take the first, ordering gathers by their use. Its operands are there, and whatever
  // precedes it on its streams has started.
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

  // How late each step could end: goes through the steps in reverse order of starting, from the latest starts of their
  // successors.
  void find_slack() {
    for (const TimedStep& timed : timeline_.steps)
      timeline_.end = std::max(timeline_.end, timed.end);
    std::vector<double> latest(count_, timeline_.end);  // latest ends
    const Lists<std::size_t> behind(count_, stream_edges_);
    const Lists<std::size_t> openers(count_, window_edges_);
    const auto latest_start = [&](std::size_t i) { return latest[i] - seconds_of_step(i); };
    for (auto started = started_.rbegin(); started != started_.rend(); ++started) {
      const std::size_t i = *started;
      for (const std::size_t next : readers_[i])
        latest[i] = std::min(latest[i], latest_start(next));
      for (const std::size_t next : behind[i]) latest[i] = std::min(latest[i], latest_start(next));
      for (const std::size_t opener : openers[i])
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
  Lists<std::size_t> readers_;        // by step: the steps that read its result
  std::vector<std::size_t> missing_;  // by step: operands still missing
  std::vector<double> seconds_;
  std::vector<std::size_t> use_;  // by step: the first step with a duration that needs its result
  // By stream.
  std::vector<std::size_t> busy_with_;
  std::vector<std::size_t> last_on_;
  std::vector<std::queue<std::size_t>> in_order_;  // computing steps not yet started
  std::vector<Waiting> gathers_;
  double now_ = 0;
  std::vector<bool> is_ready_;  // by step: it has all operands and is not started
  std::vector<Group> groups_;
  std::vector<std::size_t> group_of_;  // by step
  using Event = std::pair<double, std::size_t>;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> ends_;
  std::vector<std::size_t> started_;  // in the order of their starts
  std::vector<std::pair<std::size_t, std::size_t>> stream_edges_;
  // Gathers, and the uses that they waited for.
  std::vector<std::pair<std::size_t, std::size_t>> window_edges_;
  Timeline timeline_;
};

}  // namespace

Timeline timeline_of(const Plan& plan, const std::vector<const Cost*>& costs, const Mesh& mesh,
                     int prefetch, const std::vector<TimelineChange>& changes) {
  SHARD_CHECK(costs.size() == plan.steps.size());
  return Simulation(plan, costs, mesh, prefetch, changes).run();
}

}  // namespace shard
