// The bytes that each device holds while a plan runs (cost model, "Peak memory").
#pragma once

#include <vector>

#include "runtime/formula.h"
#include "runtime/mesh.h"
#include "runtime/plan.h"

namespace shard {

// Bytes per device alive while a step runs: temporaries counted, a step's operands are alive with its result, and a copy
// lives until its FreeStep or the end. Of what is placed the fullest device counts.
struct MemoryUse {
  int step;  // that makes a copy
  Formula bytes;
};
std::vector<MemoryUse> memory_over_time(const Plan& plan, const Mesh& mesh);

// The peak of these, and the copies alive then. While sizes are symbols the bytes are a maximum, and step and copies are
// not known.
struct PeakMemory {
  Formula bytes;
  int step = -1;               // the event at which the peak is reached first, if sizes are known
  std::vector<CopyId> copies;  // largest first; of several in the same memory one
};
PeakMemory peak_memory(const Plan& plan, const Mesh& mesh);
// Of the plan's copies when this happens with them.
PeakMemory peak_memory(const Plan& plan, const std::vector<Event>& events, const Mesh& mesh);

// The same when steps overlap: `when` says of each step when it starts and ends. What a step makes is there from its
// start on, and what is freed goes when the last one ends that reads it; what none reads, when the step starts that comes
// behind its FreeStep. A step that never runs starts at infinity. Where the bytes change, in order of time.
// REQUIRES: sizes are numbers.
struct Interval {
  double start = 0;  // seconds
  double end = 0;
};
struct MemoryAt {
  double seconds;
  double bytes;
};
std::vector<MemoryAt> memory_on_timeline(const Plan& plan, const Mesh& mesh,
                                         const std::vector<Interval>& when);

}  // namespace shard
