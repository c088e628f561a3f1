// Executing a plan on emulated devices.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/array.h"
#include "runtime/mesh.h"
#include "runtime/plan.h"

namespace shard {

enum class InputValues {
  Integers,  // small integers, so that sums are exact in every dtype
  Normal,    // standard normal (rounded to the dtype)
};

// The value of an input at a global row-major index, before it is rounded to its dtype: a pure
// function.
double input_value(InputValues values, std::string_view seed, std::uint64_t index);
// The element of any input, before it is rounded to its dtype.
double input_element(InputValues values, const InputStep& step, std::uint64_t index);

struct RunOptions {
  int threads = 0;  // 0: as many as the machine has
  InputValues inputs = InputValues::Integers;
  // Called after each step that makes a copy, in step order, from the calling thread.
  std::function<void(CopyId, const DeviceArray&)> observe;
  // Asked between steps; true ends the run early (Ctrl-C).
  std::function<bool()> cancelled;
};

// A run that failed. `step` indexes the plan.
struct Fault {
  int step = -1;
  int device = -1;
  std::string message;
};

struct RunReport {
  std::optional<Fault> fault;
  bool cancelled = false;
  std::uint64_t saturated = 0;  // int8 results that were clamped
  int threads = 0;
};

// Runs every step in order; work inside a step is shared between threads. The bits of every result
// are the same for every thread count. REQUIRES: all shapes and axis sizes are numbers, dimensions
// divide, dtypes are executable.
RunReport run(const Machine& machine, const Plan& plan, const RunOptions& options);

// Bytes of host memory and FLOPs that running would take, equal work counted once: asked before
// running.
struct HostDemand {
  double bytes = 0;
  double flops = 0;
};
HostDemand host_demand(const Machine& machine, const Plan& plan);

}  // namespace shard
