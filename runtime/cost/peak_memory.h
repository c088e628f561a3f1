// The bytes that each device holds while a plan runs (cost model, "Peak memory"), under either of two schedules: one
// event after the other, in the order of the plan, or the timeline, where steps overlap. A step's operands are alive
// together with its result, temporaries count, and for placed arrays the fullest device does.
#pragma once

#include <string>
#include <vector>

#include "runtime/algebra/formula.h"
#include "runtime/machine/mesh.h"
#include "runtime/plan/plan.h"

namespace shard {

// When a step runs, in seconds. A step that never runs starts at infinity.
struct Interval {
  double start = 0;
  double end = 0;
};

// What happens to the copies of a plan, in which order. On the timeline, a result exists from the start of its step; a
// freed copy goes when the last step that reads it ends, or, if none does, when the step after its release starts.
// Simultaneous ends come first, then starts in the order of the plan, where a step without a duration is over before
// the next.
struct MemorySchedule {
  struct Moment {
    double seconds = 0;
    std::size_t event = 0;  // of `events`
    bool alone = true;      // no other step reads, in the meantime, what this one changes in place
  };
  std::vector<Event> events;
  std::vector<Interval> when;  // by event; unspecified for frees
  std::vector<Moment> moments;
};
// The plan's own order. Steps that never run, according to `when`, are left out, and their operands stay.
MemorySchedule in_order(std::vector<Event> events, const std::vector<Interval>& when = {});
// The order of the timeline, with `when` by event.
MemorySchedule on_timeline(std::vector<Event> events, std::vector<Interval> when, const Plan& plan);

// The peak, and the copies alive then. While sizes are symbols, only the bytes are known, as a maximum.
struct PeakMemory {
  Formula bytes;
  int event = -1;              // at which it is first reached
  int statement = -1;          // to which that event belongs
  std::string place;           // of the fullest device; "" if nothing is placed
  std::vector<CopyId> copies;  // largest first; one for each piece of memory
};
PeakMemory peak_memory(const MemorySchedule& schedule, const Plan& plan, const Mesh& mesh);

// The peak during each step that makes a copy, in the order of the plan. REQUIRES: on a timeline, sizes are numbers.
struct MemoryUse {
  int event;
  Formula bytes;
};
std::vector<MemoryUse> memory_by_step(const MemorySchedule& schedule, const Plan& plan,
                                      const Mesh& mesh);

// Where the bytes change, ordered by time. For a total that lasts no time, the highest precedes what remains.
// REQUIRES: sizes are numbers.
struct MemoryAt {
  double seconds;
  double bytes;
};
std::vector<MemoryAt> memory_over_time(const MemorySchedule& schedule, const Plan& plan,
                                       const Mesh& mesh);

}  // namespace shard
