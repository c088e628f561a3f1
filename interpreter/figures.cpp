#include "interpreter/figures.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <initializer_list>
#include <span>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/find.h"
#include "interpreter/run_timeline.h"

namespace shard {

namespace {

// Steps that cost the same share their figures: a cost, and how many steps have it.
struct Share {
  const Cost* cost;
  std::int64_t steps;
};

// Of the steps [first, end) that `counts` accepts, in the order in which the costs first occur.
template <class Counts>
std::vector<Share> shares_of(const Program& program, std::size_t first, std::size_t end,
                             const Counts& counts) {
  std::vector<Share> shares;
  std::unordered_map<const Cost*, std::size_t> places;
  for (std::size_t i = first; i < end; ++i) {
    if (!counts(program.steps[i])) continue;
    const Cost* cost = program.steps[i].cost.get();
    const auto [known, is_new] = places.try_emplace(cost, shares.size());
    if (is_new) shares.push_back({cost, 0});
    ++shares[known->second].steps;
  }
  return shares;
}

std::vector<Share> shares_of(const Program& program, std::size_t first, std::size_t end) {
  return shares_of(program, first, end, [](const StepRecord&) { return true; });
}

Amount times(std::int64_t count, const Amount& amount) { return Amount(count) * amount; }
Formula times(std::int64_t count, const Formula& formula) { return Formula(count) * formula; }
Cost times(std::int64_t count, const Cost& cost) {
  Cost result = cost;
  for (Amount* amount : {&result.flops, &result.hbm_bytes, &result.comm_bytes})
    *amount = times(count, *amount);
  for (Formula* time :
       {&result.math, &result.hbm, &result.comms, &result.comms_latency, &result.comms_transfer})
    *time = times(count, *time);
  return result;
}

Cost operator+(Cost a, const Cost& b) {
  a += b;
  return a;
}

// What `of` gives for the shares, added up half by half: a formula may grow with each, and is not to be copied as often.
template <class Sum, class Of>
Sum sum_of(std::span<const Share> shares, const Of& of) {
  if (shares.empty()) return {};
  if (shares.size() == 1 && shares.front().steps == 1) return of(*shares.front().cost);
  if (shares.size() == 1) return times(shares.front().steps, of(*shares.front().cost));
  const std::size_t middle = shares.size() / 2;
  Sum sum = sum_of<Sum>(shares.first(middle), of);
  return std::move(sum) + sum_of<Sum>(shares.subspan(middle), of);
}

// A time of the timeline as the figure that it is, so that the two compare as equal; rounded if it is none of them.
Formula exact_or_near(double seconds, std::initializer_list<const Formula*> figures) {
  constexpr double kRounding = 1e-9;
  for (const Formula* figure : figures) {
    const auto exact = figure->constant();
    if (exact && std::abs(exact->to_double() - seconds) <= kRounding * seconds) return *figure;
  }
  return to_seconds(seconds);
}

}  // namespace

Cost total_cost(const Program& program, std::size_t first, std::size_t end) {
  if (end == first + 1) return *program.steps[first].cost;
  return sum_of<Cost>(shares_of(program, first, end), [](const Cost& cost) { return cost; });
}

PeakMemory peak_memory_of(const Program& program) {
  return peak_memory(program.plan, run_order(program.plan, {}, program.ended),
                     program.machine.mesh);
}

std::optional<double> seconds_alone(const Program& program, std::span<const Step> steps,
                                    std::span<const StepRecord> records) {
  std::vector<const Cost*> costs;
  for (const StepRecord& record : records) {
    costs.push_back(record.cost.get());
    if (!costs.back()->time().constant()) return std::nullopt;
  }
  const Plan plan{.copies = program.plan.copies, .steps = {steps.begin(), steps.end()}};
  return timeline_of(plan, costs, program.machine.mesh).end;
}

std::optional<double> overlapped_time(const Program& program, const StatementRecord& record) {
  const std::size_t count = record.end_step - record.first_step;
  return seconds_alone(program, std::span(program.plan.steps).subspan(record.first_step, count),
                       std::span(program.steps).subspan(record.first_step, count));
}

namespace {

// Of long programs on a thread of its own, if there is one to be had.
std::future<PeakMemory> begin_peak_memory(const Program& program) {
  constexpr std::size_t kLong = 4096;  // steps
  const auto reckon = [&program] { return peak_memory_of(program); };
  if (program.steps.size() >= kLong) {
    try {
      return std::async(std::launch::async, reckon);
    } catch (const std::system_error&) {
      // Then by and by.
    }
  }
  return std::async(std::launch::deferred, reckon);
}

}  // namespace

Figures figures_of(const Program& program) {
  Figures figures;
  const std::size_t count = program.steps.size();
  std::future<PeakMemory> peak = begin_peak_memory(program);
  figures.total = total_cost(program, 0, count);
  figures.lower = figures.total.lower();
  figures.upper = figures.total.upper();
  figures.time =
      sum_of<Formula>(shares_of(program, 0, count), [](const Cost& cost) { return cost.time(); });
  RunTimeline run = run_timeline(program, figures.time.constant().has_value());
  figures.timeline = std::move(run.timeline);
  figures.faults = std::move(run.faults);
  figures.peak = peak.get();
  for (std::size_t i = 0; i < program.machine.mesh.axes.size(); ++i) {
    const AxisId axis{static_cast<std::int32_t>(i)};
    const auto runs_over = [&](const StepRecord& step) { return contains(step.axes, axis); };
    figures.comms_by_axis.push_back({program.machine.mesh.axes[axis].name,
                                     sum_of<Formula>(shares_of(program, 0, count, runs_over),
                                                     [](const Cost& cost) { return cost.comms; })});
  }
  return figures;
}

std::optional<Quantity> figure(const Figures& figures, const std::string& field) {
  if (field == "flops") return Quantity{Formula(figures.total.flops), kFlops};
  if (field == "comm_bytes") return Quantity{Formula(figures.total.comm_bytes), kBytes};
  if (field == "hbm_bytes") return Quantity{Formula(figures.total.hbm_bytes), kBytes};
  if (field == "math") return Quantity{figures.total.math, kSeconds};
  if (field == "hbm") return Quantity{figures.total.hbm, kSeconds};
  if (field == "latency") return Quantity{figures.total.comms_latency, kSeconds};
  if (field == "comms") return Quantity{figures.total.comms, kSeconds};
  if (field == "time") return Quantity{figures.time, kSeconds};
  if (field == "lower") return Quantity{figures.lower, kSeconds};
  if (field == "upper") return Quantity{figures.upper, kSeconds};
  if (figures.timeline && field == "timeline")
    return Quantity{
        exact_or_near(figures.timeline->end, {&figures.time, &figures.lower, &figures.upper}),
        kSeconds};
  if (figures.timeline && field == "exposed")
    return Quantity{to_seconds(figures.timeline->exposed), kSeconds};
  if (field == "peak_memory") return Quantity{figures.peak.bytes, kBytes};
  return std::nullopt;
}

const std::vector<std::string>& bound_names() {
  static const std::vector<std::string> names = {
      std::string(name_of(Bound::Compute)), std::string(name_of(Bound::Memory)),
      std::string(name_of(Bound::Communication)), std::string(name_of(Bound::Latency))};
  return names;
}

const std::vector<std::string>& figure_fields() {
  static const std::vector<std::string> fields = {
      "flops", "comm_bytes", "hbm_bytes", "math",  "hbm",  "comms",       "time",   "lower",
      "upper", "timeline",   "exposed",   "bound", "fits", "peak_memory", "latency"};
  return fields;
}

}  // namespace shard
