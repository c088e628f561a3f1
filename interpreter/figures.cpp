#include "interpreter/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "interpreter/run_timeline.h"

namespace shard {

namespace {

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

Figures figures_of(const Program& program) {
  Figures figures;
  figures.totals = totals_by_place(program);
  RunTimeline run = run_timeline(program, figures.totals.most.time.constant().has_value());
  figures.timeline = std::move(run.timeline);
  figures.faults = std::move(run.faults);
  figures.memory = memory_of(program, figures.timeline, figures.faults);
  return figures;
}

std::optional<Quantity> figure(const Figures& figures, const std::string& field) {
  const Totals& most = figures.totals.most;
  if (field == "flops") return Quantity{most.flops, kFlops};
  if (field == "comm_bytes") return Quantity{most.comm_bytes, kBytes};
  if (field == "hbm_bytes") return Quantity{most.hbm_bytes, kBytes};
  if (field == "math") return Quantity{most.math, kSeconds};
  if (field == "hbm") return Quantity{most.hbm, kSeconds};
  if (field == "latency") return Quantity{most.comms_latency, kSeconds};
  if (field == "comms") return Quantity{most.comms, kSeconds};
  if (field == "time") return Quantity{most.time, kSeconds};
  if (field == "lower") return Quantity{most.lower, kSeconds};
  if (field == "upper") return Quantity{most.upper, kSeconds};
  if (figures.timeline && field == "timeline")
    return Quantity{exact_or_near(figures.timeline->end, {&most.time, &most.lower, &most.upper}),
                    kSeconds};
  if (figures.timeline && field == "exposed")
    return Quantity{to_seconds(figures.timeline->exposed), kSeconds};
  if (field == "peak_memory") return Quantity{figures.memory.peak.bytes, kBytes};
  if (field == "peak_memory_in_order") return Quantity{figures.memory.in_order, kBytes};
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
      "flops",   "comm_bytes", "hbm_bytes", "math",        "hbm",
      "comms",   "time",       "lower",     "upper",       "timeline",
      "exposed", "bound",      "fits",      "peak_memory", "peak_memory_in_order",
      "latency"};
  return fields;
}

std::string arrival_text(const Program& program, const StatementRecord& send) {
  const Cost cost = total_cost(program, send.first_step, send.end_step);
  if (!cost.comms_latency.constant() || !cost.comms.constant()) return "";
  return fmt::format("first byte after {}, last after {}",
                     to_text(Quantity{cost.comms_latency, kSeconds}),
                     to_text(Quantity{cost.comms, kSeconds}));
}

}  // namespace shard
