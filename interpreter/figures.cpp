#include "interpreter/figures.h"

#include <algorithm>
#include <utility>

namespace shard {

namespace {

Cost operator+(Cost a, const Cost& b) {
  a += b;
  return a;
}

// What `of` gives for the steps [first, end), added up half by half: a formula may grow with each step, and is not to be
// copied as often.
template <class Sum, class Of>
Sum sum_of(const Program& program, std::size_t first, std::size_t end, const Of& of) {
  if (first >= end) return {};
  if (end - first == 1) return of(program.steps[first]);
  const std::size_t middle = first + (end - first) / 2;
  Sum sum = sum_of<Sum>(program, first, middle, of);
  return std::move(sum) + sum_of<Sum>(program, middle, end, of);
}

}  // namespace

Cost total_cost(const Program& program, std::size_t first, std::size_t end) {
  return sum_of<Cost>(program, first, end, [](const StepRecord& step) { return step.cost; });
}

PeakMemory peak_memory_of(const Program& program) {
  return peak_memory(finished_plan(program, {}), program.machine.mesh);
}

Figures figures_of(const Program& program) {
  Figures figures;
  figures.total = total_cost(program, 0, program.steps.size());
  figures.lower = figures.total.lower();
  figures.upper = figures.total.upper();
  const std::size_t count = program.steps.size();
  figures.time =
      sum_of<Formula>(program, 0, count, [](const StepRecord& step) { return step.cost.time(); });
  figures.peak = peak_memory_of(program);
  for (std::size_t i = 0; i < program.machine.mesh.axes.size(); ++i) {
    const AxisId axis{static_cast<std::int32_t>(i)};
    const Formula seconds = sum_of<Formula>(program, 0, count, [&](const StepRecord& step) {
      const bool runs_over = std::find(step.axes.begin(), step.axes.end(), axis) != step.axes.end();
      return runs_over ? step.cost.comms : Formula();
    });
    figures.comms_by_axis.push_back({program.machine.mesh.axes[axis].name, seconds});
  }
  return figures;
}

std::optional<Quantity> figure(const Figures& figures, const std::string& field) {
  if (field == "flops") return Quantity{Formula(figures.total.flops), kFlops};
  if (field == "comm_bytes") return Quantity{Formula(figures.total.comm_bytes), kBytes};
  if (field == "hbm_bytes") return Quantity{Formula(figures.total.hbm_bytes), kBytes};
  if (field == "math") return Quantity{figures.total.math, kSeconds};
  if (field == "hbm") return Quantity{figures.total.hbm, kSeconds};
  if (field == "comms") return Quantity{figures.total.comms, kSeconds};
  if (field == "time") return Quantity{figures.time, kSeconds};
  if (field == "lower") return Quantity{figures.lower, kSeconds};
  if (field == "upper") return Quantity{figures.upper, kSeconds};
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
      "flops", "comm_bytes", "hbm_bytes", "math",  "hbm",  "comms",
      "time",  "lower",      "upper",     "bound", "fits", "peak_memory"};
  return fields;
}

}  // namespace shard
