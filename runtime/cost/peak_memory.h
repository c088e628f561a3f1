// The bytes that each device holds while a plan runs (cost model, "Peak memory"). There are two schedules: one event
// after the other, as the plan has them, and the timeline, where steps overlap. A step's operands are alive with its
// result, temporaries count, and of placed arrays the fullest device.
#pragma once

#include <string>
#include <vector>

#include "runtime/algebra/formula.h"
#include "runtime/machine/mesh.h"
#include "runtime/plan/plan.h"

namespace shard {

// When a step runs, in seconds. One that never runs starts at infinity.
struct Interval {
  double start = 0;
  double end = 0;
};

// What happens with the copies of a plan, in which order. On the timeline what a step makes is there from its start on,
// and what is freed goes when the last one ends that reads it; what none reads, when the step starts that comes behind its
// being freed. Of what happens at one time ends are first; then what starts, in the order of the plan, of which steps
// without a duration are over before the next.
struct MemorySchedule {
  struct Moment {
    double seconds = 0;
    std::size_t event = 0;  // of `events`
    bool alone = true;      // no other step reads meanwhile what this one changes in place
  };
  std::vector<Event> events;
  std::vector<Interval> when;  // by event; of those that free nothing is said
  std::vector<Moment> moments;
};
// As the plan has them. Steps that never run, by `when`, are left out, and what they would read stays.
MemorySchedule in_order(std::vector<Event> events, const std::vector<Interval>& when = {});
// As they overlap: `when` by event.
MemorySchedule on_timeline(std::vector<Event> events, std::vector<Interval> when, const Plan& plan);

// The highest, and the copies alive then. While sizes are symbols the bytes are a maximum, and the rest is not known.
struct PeakMemory {
  Formula bytes;
  int event = -1;              // at which it is reached first
  int statement = -1;          // that it belongs to
  std::string place;           // of the fullest device; without a name if nothing is placed
  std::vector<CopyId> copies;  // largest first; of several in the same memory one
};
PeakMemory peak_memory(const MemorySchedule& schedule, const Plan& plan, const Mesh& mesh);

// The highest while each step runs that makes a copy, in the order of the plan. REQUIRES: on a timeline, sizes are numbers.
struct MemoryUse {
  int event;
  Formula bytes;
};
std::vector<MemoryUse> memory_by_step(const MemorySchedule& schedule, const Plan& plan,
                                      const Mesh& mesh);

// Where the bytes change, in order of time. Of what is there for no time the highest comes before what stays.
// REQUIRES: sizes are numbers.
struct MemoryAt {
  double seconds;
  double bytes;
};
std::vector<MemoryAt> memory_over_time(const MemorySchedule& schedule, const Plan& plan,
                                       const Mesh& mesh);

}  // namespace shard
