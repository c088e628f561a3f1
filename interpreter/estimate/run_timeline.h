// When the steps of a program run, and where a fault ends them.
#pragma once

#include <optional>

#include "interpreter/estimate/fault_effects.h"
#include "interpreter/program/program.h"
#include "runtime/cost/timeline.h"

namespace shard {

struct RunTimeline {
  std::optional<Timeline> timeline;
  FaultEffects faults;
};

// Up to where a fault ends the run: the failed step frees its streams at that time, and the steps before it in the
// script run on. `has_times`: every time is a number; otherwise there is no timeline.
RunTimeline run_timeline(const Program& program, bool has_times);

}  // namespace shard
