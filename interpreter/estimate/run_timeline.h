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

// To where a fault ends the run: what has failed frees its streams then, and what comes before it in the script runs on.
// `has_times`: every time is a number; else there is no timeline.
RunTimeline run_timeline(const Program& program, bool has_times);

}  // namespace shard
