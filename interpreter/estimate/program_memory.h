// The memory that a program takes on each device, on the one schedule by which everything judges it: the reported
// timeline, or the order of the script if there is none.
#pragma once

#include <future>
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
// The peak in script order, reckoned on a thread of its own if the program is long. Where a fault may end the run, the times
// decide what is in it, and nothing can be begun before they are known.
std::optional<std::future<PeakMemory>> begin_memory_in_order(const Program& program);
// `begun`: what `begin_memory_in_order` gave for the same program, before its timeline was known.
ProgramMemory memory_of(const Program& program, const std::optional<Timeline>& timeline,
                        const FaultEffects& faults,
                        std::optional<std::future<PeakMemory>> begun = std::nullopt);
// Computes its own timeline.
ProgramMemory memory_of(const Program& program);

}  // namespace shard
