// The memory that a program takes on each device, on the one schedule by which everything judges it: the reported
// timeline, or the order of the script if there is none.
#pragma once

#include <optional>
#include <vector>

#include "interpreter/estimate/fault_effects.h"
#include "interpreter/program/program.h"
#include "runtime/cost/peak_memory.h"
#include "runtime/cost/timeline.h"

namespace shard {

// Every copy is freed after its last use. What a fault stops from running holds no memory.
MemorySchedule memory_schedule(const Program& program, const std::optional<Timeline>& timeline,
                               const FaultEffects& faults);

struct ProgramMemory {
  PeakMemory peak;
  Formula in_order;  // the peak if steps ran one after another, in script order
};
ProgramMemory memory_of(const Program& program, const std::optional<Timeline>& timeline,
                        const FaultEffects& faults);
// Computes its own timeline.
ProgramMemory memory_of(const Program& program);

}  // namespace shard
