// When each step of a plan runs, if what is independent overlaps (cost model, "The timeline").
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/cost/cost.h"
#include "runtime/machine/mesh.h"
#include "runtime/plan/plan.h"

namespace shard {

// What runs one thing at a time: the compute unit of a device, its links along one axis of the torus, its port into a
// network. All devices do the same, except where arrays are placed: then every place has streams of its own.
struct Stream {
  std::string name;  // "compute", "X", "X.1" for the second torus axis of X
  bool computes = false;
  std::size_t place = 0;  // of Timeline::places
};

// Seconds.
struct TimedStep {
  double start = 0;
  double end = 0;
  double slack = 0;                  // how much later it could end without the whole ending later
  std::vector<std::size_t> streams;  // that it keeps busy; none: it takes no time
  std::size_t changes = 0;           // of the machine that had come before it ended
  bool is_critical() const { return !streams.empty() && slack <= 0; }
};

struct Timeline {
  std::vector<std::string> places;  // "Z=0", …; one without a name if nothing is placed
  std::vector<Stream> streams;
  std::vector<TimedStep> steps;  // by step of the plan
  double end = 0;
  double exposed = 0;  // during which something moves and the compute unit that is busiest waits
};

// From `at` on steps take other times: `seconds`, by step.
struct TimelineChange {
  double at = 0;
  std::vector<double> seconds;
};

// Seconds that each stream is busy, by stream.
std::vector<double> busy_seconds(const Timeline& timeline);
// Sets `exposed`, from the steps and the end.
void set_exposed(Timeline& timeline);

// A step starts when its operands are there and its streams are free. Computing runs in the order of the plan. What moves
// runs as soon as it can, the earlier step of the plan first; an AllGather whose result is not used yet is one of the next
// `prefetch` on its stream, in the order of their uses, or needed by the very next use. The use is the first step behind it
// that is no AllGather. Every step runs. `costs` by step. Of a step that runs at the time of a change, as great a part is
// done as of its time has passed; the rest goes on at the new pace. `changes` in order of time. REQUIRES: every time is a
// number.
constexpr int kPrefetch = 2;
Timeline timeline_of(const Plan& plan, const std::vector<const Cost*>& costs, const Mesh& mesh,
                     int prefetch = kPrefetch, const std::vector<TimelineChange>& changes = {});

}  // namespace shard
