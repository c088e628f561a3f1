// What a block of statements costs: the figures of `cost { … }` and of the report's totals.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpreter/fault_effects.h"
#include "interpreter/lower.h"
#include "interpreter/value.h"
#include "runtime/cost.h"
#include "runtime/peak_memory.h"
#include "runtime/timeline.h"

namespace shard {

struct AxisComms {
  std::string axis;
  Formula seconds;
};

// Per device. `time` is Σ max(math, hbm) + comms over the steps; `lower` and `upper` are max and sum of T_math and
// T_comms (cost model, "A statement, a block").
struct Figures {
  Cost total;
  Formula time;
  Formula lower;
  Formula upper;
  PeakMemory peak;
  std::optional<Timeline> timeline;  // if every time is a number; to where a fault ends the run
  FaultEffects faults;
  std::vector<AxisComms>
      comms_by_axis;  // in order of the mesh; a collective over several axes counts for each

  Bound bound() const { return bound_of(total); }
};

// The sum over steps [first, end).
Cost total_cost(const Program& program, std::size_t first, std::size_t end);
// With all copies freed behind their last use.
PeakMemory peak_memory_of(const Program& program);
// Seconds of steps of the program alone, if what is independent overlaps; nothing while a time is no number.
std::optional<double> seconds_alone(const Program& program, std::span<const Step> steps,
                                    std::span<const StepRecord> records);
// The same of a statement's steps.
std::optional<double> overlapped_time(const Program& program, const StatementRecord& record);
Figures figures_of(const Program& program);

// A field of a supposition: "flops", "comm_bytes", "math", "hbm", "comms", "time", "lower", "upper", "timeline", "exposed",
// "peak_memory", "latency".
// nullopt if no figure has that name; `bound` and `fits` are words and truths, and not quantities.
std::optional<Quantity> figure(const Figures& figures, const std::string& field);
const std::vector<std::string>& figure_fields();
// "compute", "memory", "communication", "latency": what `bound` may be.
const std::vector<std::string>& bound_names();

}  // namespace shard
