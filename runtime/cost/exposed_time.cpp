#include "runtime/cost/exposed_time.h"

#include <algorithm>
#include <utility>

#include "base/contains.h"

namespace shard {
namespace {

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

double critical_seconds(const Timeline& timeline) {
  std::vector<std::pair<double, double>> critical;
  for (const TimedStep& step : timeline.steps) {
    if (step.is_critical() && !timeline.streams[step.streams.front()].computes)
      critical.emplace_back(step.start, step.end);
  }
  return length_of_union(std::move(critical));
}

void set_exposed(Timeline& timeline) {
  const std::vector<double> busy = busy_seconds(timeline);
  std::size_t busiest = 0;
  for (std::size_t stream = 0; stream < busy.size(); ++stream) {
    if (timeline.streams[stream].computes && busy[stream] > busy[busiest]) busiest = stream;
  }
  // The time in which it computes or something moves, minus the time in which it computes.
  std::vector<std::pair<double, double>> either;
  for (const TimedStep& step : timeline.steps) {
    if (step.streams.empty()) continue;
    const bool moves = !timeline.streams[step.streams.front()].computes;
    if (moves || contains(step.streams, busiest)) either.emplace_back(step.start, step.end);
  }
  timeline.exposed = std::max(0.0, length_of_union(std::move(either)) - busy[busiest]);
}

}  // namespace shard
