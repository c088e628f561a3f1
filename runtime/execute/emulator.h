// Executing a plan on emulated devices.
//
// In this folder:
//   emulator.h                     runs a plan
//   host_demand.h                  what that takes, before it starts
//   outlines.h                     the arrays of a plan before anything is in them
//   contract.h, contract_piece.h   products over devices, whole and in pieces
//   fused_reduce_product.h         products whose partial sums are summed as they are made
//   run_elementwise.h, run_reduction.h, run_selection.h, run_transpose.h  the other steps
//   selection_block.h              one device's part of a selection
//   input_values.h                 inputs on the devices
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "runtime/array/device_array.h"
#include "runtime/machine/machine.h"
#include "runtime/plan/plan.h"
#include "runtime/plan/run_values.h"

namespace shard {

// The value of an input at a global row-major index, before rounding to its dtype: a pure function.
double input_value(InputValues values, std::string_view seed, std::uint64_t index);
// The element of any input, before rounding to its dtype.
double input_element(InputValues values, const InputStep& step, std::uint64_t index);

// Where the emulated machine fails: the step that makes the copy is not executed.
struct PlannedFault {
  CopyId result;
  int device = -1;
  std::string message;
};

struct RunOptions {
  int threads = 0;  // 0: as many as the machine has
  InputValues inputs = InputValues::Integers;
  // Execute collectives that have a schedule hop by hop, and add in the order of the hops instead of the devices'.
  bool hops = false;
  // Every device has its own blocks and does all of its work; replicas are compared after each step. Otherwise equal
  // work is done once.
  bool per_device = false;
  std::optional<PlannedFault> planned_fault = std::nullopt;
  // With `hops`: collectives that use the schedules of another machine, as links had failed by then; by the copies they
  // make.
  std::map<CopyId, std::shared_ptr<const Machine>> rerouted = {};
  // What the devices hold at the begin, of the inputs of that kind.
  std::map<CopyId, DeviceArray> held = {};
  // Called after each step that makes a copy, in step order, on the calling thread.
  std::function<void(CopyId, const DeviceArray&)> observe;
  // Which copies `observe` has to see; null: all of them. For others it may not be called: partial sums nobody wants to
  // see are added as they are made.
  std::function<bool(CopyId)> is_observed;
  // Called between steps; returning true ends the run early (Ctrl-C).
  std::function<bool()> cancelled;
};

struct RunReport {
  std::optional<Fault> fault;
  bool is_planned_fault = false;  // RunOptions::planned_fault
  bool cancelled = false;
  std::size_t steps_done = 0;
  std::uint64_t saturated = 0;  // integer results that were clamped
  int threads = 0;
};

// Runs every step in order; threads share the work within a step. The bits of every result are the same for any number
// of threads. REQUIRES: all shapes and axis sizes are numbers, dimensions divide, dtypes are executable.
RunReport run(const Machine& machine, const Plan& plan, const RunOptions& options);

}  // namespace shard
