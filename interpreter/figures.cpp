#include "interpreter/figures.h"

#include <algorithm>

namespace shard {

Cost total_cost(const Program& program, std::size_t first, std::size_t end) {
  Cost total;
  for (std::size_t i = first; i < end; ++i) total += program.steps[i].cost;
  return total;
}

Figures figures_of(const Program& program) {
  Figures figures;
  figures.total = total_cost(program, 0, program.steps.size());
  figures.lower = figures.total.lower();
  figures.upper = figures.total.upper();
  for (const StepRecord& step : program.steps) figures.time = figures.time + step.cost.time();
  figures.peak = peak_memory(finished_plan(program, {}), program.machine.mesh);
  for (std::size_t i = 0; i < program.machine.mesh.axes.size(); ++i) {
    const AxisId axis{static_cast<std::int32_t>(i)};
    Formula seconds;
    for (const StepRecord& step : program.steps) {
      if (std::find(step.axes.begin(), step.axes.end(), axis) != step.axes.end())
        seconds = seconds + step.cost.comms;
    }
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
