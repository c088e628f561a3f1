// What steps cost together: the steps of a statement, and those of a program at each place that its arrays distinguish.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "interpreter/program/program.h"
#include "runtime/cost/cost.h"

namespace shard {

// Per device. `time` is Σ max(math, hbm) + comms over the steps; `lower` and `upper` are max and sum of T_math and
// T_comms (cost model, "A statement, a block").
struct Totals {
  Formula flops;
  Formula comm_bytes;
  Formula hbm_bytes;
  Formula math;
  Formula math_at_peak;  // 0 if the chip states no efficiency
  Formula hbm;
  Formula comms;
  Formula comms_latency;
  Formula comms_transfer;
  Formula time;
  Formula lower;
  Formula upper;
};
// The figures of Totals by name ("flops"), in report order.
struct TotalFigure {
  const char* name;
  Formula Totals::*value;
};
std::span<const TotalFigure> total_figures();

Totals totals_of(const Cost& cost);
Bound bound_of(const Totals& totals);

// The sum over steps [first, end).
Cost total_cost(const Program& program, std::size_t first, std::size_t end);

// A collective over several axes counts for each of them.
struct AxisComms {
  std::string axis;
  Formula seconds;
};

// Devices at one place do the same work (runtime/plan/places.h). If nothing is placed there is one place, with no name.
struct PlaceTotals {
  Totals most;  // each figure at the place where it is greatest
  // By total_figures(): the name of that place; empty if the figure is 0, nothing is placed, or missing sizes decide.
  std::vector<std::string> at = std::vector<std::string>(total_figures().size());
  // By place, in mesh order; never empty.
  std::vector<std::vector<AxisComms>> comms_by_axis = std::vector<std::vector<AxisComms>>(1);
};
PlaceTotals totals_by_place(const Program& program);
// T_comms of the collectives over these axes, at the place where it is greatest.
Formula comms_over(const PlaceTotals& totals, std::span<const std::size_t> axes);

}  // namespace shard
