// What the memory of a device consists of: copy by copy at the peak, step by step, and over time.
#pragma once

#include <string>
#include <vector>

#include "interpreter/estimate/figures.h"
#include "interpreter/program/program.h"

namespace shard {

// A copy that is alive at the peak.
struct HeldCopy {
  std::string array;  // "Win[D, F]"
  double bytes = 0;   // per device
  std::string
      maker;  // the step or statement that made it, "input", or "filled": with zeros, ones or indices
};
// Largest first. REQUIRES: the peak's step is known.
std::vector<HeldCopy> held_at_peak(const Program& program, const PeakMemory& peak);

// The most that is alive while each step runs, in program order.
struct StepMemory {
  std::string step;
  int statement = -1;  // index in Program::statements
  Formula bytes;
};
std::vector<StepMemory> memory_by_step(const Program& program, const Figures& figures);

// Bytes alive over time. REQUIRES: figures.timeline, and sizes are numbers.
std::vector<MemoryAt> memory_on_timeline(const Program& program, const Figures& figures);

}  // namespace shard
