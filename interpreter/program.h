// What one machine runs: a plan, and where its steps come from.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/checked.h"
#include "interpreter/scope.h"
#include "runtime/cost.h"
#include "runtime/plan.h"

namespace shard {

// A way to do a statement that was weighed, and what it would cost.
struct WeighedWay {
  std::vector<std::string> steps;  // in the notation
  Cost cost;
  Formula time;  // Σ max(math, hbm) + comms over its steps: what it was chosen by
};

// One step as the report shows it.
struct StepRecord {
  std::string text;          // "AllGather_Y In[B_X, D_Y] → In[B_X, D]"
  bool inferred = false;     // not written in the script
  std::vector<AxisId> axes;  // of a collective
  Cost cost;
};

// A statement that was planned. Its steps are [first_step, end_step) of the plan.
struct StatementRecord {
  std::string text;  // canonical
  Span span;
  std::size_t first_step = 0;
  std::size_t end_step = 0;
  ArrayId target;
  CopyId result;                 // invalid if nothing had to be done
  std::vector<WeighedWay> ways;  // lightest first; the first is what was done
  bool reference_sizes = false;  // weighed at reference sizes, as sizes are missing
  bool is_argument = false;      // an array gets the name that it has in a function
  checked::Flow flow;
};

// A copy whose contents are wanted when the run is over: to be saved, or compared with another.
struct ArrayRequest {
  CopyId copy;
  std::optional<CopyId> other;  // the copy that it is to equal
  double tolerance = 0;
  std::size_t entry = 0;  // of RunnerState::entries
  Span span;
};

// What one machine runs: a plan, and where its steps come from. `steps` runs parallel to `plan.steps`.
struct Program {
  Machine machine;
  Plan plan;
  std::vector<StepRecord> steps;
  std::vector<StatementRecord> statements;
  std::vector<ArrayRequest> requests;
  bool is_sweep = false;  // a pass of a loop over sizes or machines, which estimates only
  std::map<CopyId, ArrayId>
      owners;  // the array that a copy is one of; unnamed intermediate results have none
  std::map<CopyId, int> ended;  // copies of an array that a statement made anew, by that statement
};

// Whether every copy has its lengths in numbers.
bool has_all_sizes(const Program& program);
// The plan as it is run and as memory is counted: inputs first, every copy freed behind its last use, or where a new array ended it,
// unless it is in `keep`.
Plan finished_plan(const Program& program, const std::vector<CopyId>& keep);

// The program without the statements that compute with dimensions without a size, and without those that use what they
// make: what can be run of it.
Program part_with_sizes(const Program& program);

}  // namespace shard
