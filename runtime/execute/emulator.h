// Executing a plan on emulated devices.
//
// In this folder:
//   emulator.h                                             runs a plan
//   contract.h, contract_piece.h                           products over devices, whole and in pieces
//   fused_reduce_product.h, fused_tiles.h, tile_program.h  products whose partial sums are summed as they are made
//   run_elementwise.h, run_reduction.h, run_selection.h, run_transpose.h  the other steps
//   input_values.h                                         inputs on the devices
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "runtime/array/device_array.h"
#include "runtime/machine/machine.h"
#include "runtime/plan/plan.h"

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

// Where the emulated machine fails: the step that makes the copy is not carried out.
struct PlannedFault {
  CopyId result;
  int device = -1;
  std::string message;
};

struct RunOptions {
  int threads = 0;  // 0: as many as the machine has
  InputValues inputs = InputValues::Integers;
  bool hops = false;  // collectives that have a schedule are carried out hop by hop
  // Every device has blocks of its own and does all of its work; replicas are compared after each step. Otherwise equal
  // work is done once.
  bool per_device = false;
  std::optional<PlannedFault> planned_fault = std::nullopt;
  // Collectives that go along the schedules of another machine, by what they make: links had failed by then.
  std::map<CopyId, std::shared_ptr<const Machine>> rerouted = {};
  // Called after each step that makes a copy, in step order, from the calling thread.
  std::function<void(CopyId, const DeviceArray&)> observe;
  // Of which copies `observe` wants to see all; null: of all. Others it may not be called for: partial sums are added as they
  // are made if nobody wants to see them.
  std::function<bool(CopyId)> is_observed;
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
  bool is_planned_fault = false;  // RunOptions::planned_fault
  bool cancelled = false;
  std::uint64_t saturated = 0;  // int8 results that were clamped
  int threads = 0;
};

// Runs every step in order; work inside a step is shared between threads. The bits of every result
// are the same for every thread count. REQUIRES: all shapes and axis sizes are numbers, dimensions
// divide, dtypes are executable.
RunReport run(const Machine& machine, const Plan& plan, const RunOptions& options);

// Bytes of host memory, FLOPs, blocks of arrays and hops that running would take: asked before running.
struct HostDemand {
  double bytes = 0;  // of arrays, packed operands and parts of products, tables of hops
  double flops = 0;
  double blocks = 0;  // of all copies, those freed again included
  double hops = 0;    // RunOptions::hops
};
HostDemand host_demand(const Machine& machine, const Plan& plan, const RunOptions& options = {});

}  // namespace shard
