// The memory that a program takes on each device, by the one schedule that everything judges it by: the timeline that is
// reported, and where there is none the order of the script.
#pragma once

#include <optional>
#include <vector>

#include "interpreter/estimate/fault_effects.h"
#include "interpreter/program/program.h"
#include "runtime/cost/peak_memory.h"
#include "runtime/cost/timeline.h"

namespace shard {

// All copies are freed behind their last use. What a fault keeps from running holds nothing.
MemorySchedule memory_schedule(const Program& program, const std::optional<Timeline>& timeline,
                               const FaultEffects& faults);

struct ProgramMemory {
  PeakMemory peak;
  Formula in_order;  // the peak if one step ran after the other, as the script has them
};
ProgramMemory memory_of(const Program& program, const std::optional<Timeline>& timeline,
                        const FaultEffects& faults);
// The same with a timeline of its own.
ProgramMemory memory_of(const Program& program);

}  // namespace shard
