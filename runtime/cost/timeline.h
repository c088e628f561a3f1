// When each step of a plan runs, if independent steps overlap (cost model, "The timeline").
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/cost/cost.h"
#include "runtime/machine/mesh.h"
#include "runtime/plan/plan.h"

namespace shard {

// Something that does one thing at a time: a device's compute unit, its links along one torus axis, or its port into a
// network. All devices do the same, except where arrays are placed: then each place has its own streams.
struct Stream {
  std::string name;  // "compute", "X", "X.1" for the second torus axis of X
  bool computes = false;
  std::size_t place = 0;  // index into Timeline::places
};

// Seconds.
struct TimedStep {
  double start = 0;
  double end = 0;
  double slack = 0;                  // how much later it could end without delaying the whole
  std::vector<std::size_t> streams;  // the streams it occupies; none: it takes no time
  std::size_t changes = 0;           // how many changes of the machine came before its end
  bool is_critical() const { return !streams.empty() && slack <= 0; }
};

struct Timeline {
  std::vector<std::string> places;  // "Z=0", …; a single "" if nothing is placed
  std::vector<Stream> streams;
  std::vector<TimedStep> steps;  // by step of the plan
  double end = 0;
  double exposed = 0;  // time in which something moves while the busiest compute unit waits
};

// From `at` on, steps take other times: `seconds`, by step.
struct TimelineChange {
  double at = 0;
  std::vector<double> seconds;
};

// A step starts when its operands are there and its streams are free. Computation runs in the order of the plan. Data
// moves as soon as it can, the earlier step of the plan first; but an AllGather whose result is not used yet must be
// one of the next `prefetch` on its stream, in order of use, or be needed by the very next use. Its use is the first
// step after it that is not an AllGather. Every step runs. `costs` is by step, `changes` ordered by time. A step
// running at the time of a change has done as great a part as of its time has passed; the rest continues at the new
// pace.
// REQUIRES: every time is a number.
// One gather can then run while the next use computes. More ahead would hold gathered weights in memory for longer.
constexpr int kPrefetch = 2;
Timeline timeline_of(const Plan& plan, const std::vector<const Cost*>& costs, const Mesh& mesh,
                     int prefetch = kPrefetch, const std::vector<TimelineChange>& changes = {});

}  // namespace shard
