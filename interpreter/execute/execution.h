// Running a program on emulated devices, and comparing what comes out with the unsharded computation.
//
// In this folder:
//   execution.h                   runs a program
//   verification.h, judgements.h  judges what the devices hold; which copy is judged by what
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/estimate/fault_effects.h"
#include "interpreter/execute/verification.h"
#include "interpreter/ir/symbols.h"
#include "interpreter/program/program.h"
#include "runtime/array/device_array.h"
#include "runtime/execute/emulator.h"

namespace shard {

struct ExecutionOptions {
  bool estimate = false;  // costs only
  bool verify = false;
  InputValues inputs = InputValues::Integers;
  int threads = 0;
  bool hops = false;        // RunOptions::hops
  bool per_device = false;  // RunOptions::per_device
  double memory = 0;        // bytes of the host that may be used
  double max_flops = 2e11;
  std::function<bool()> cancelled;
};

struct Execution {
  bool executed = false;
  std::string reason;  // why not, if it was not: "D has no size"
  std::string demand;  // what it takes, if that passes a limit: "running it takes 134.2 MFLOPs"
  std::optional<DiagnosticKind>
      refusal;  // the limit that it passes, with which an error would be reported
  std::optional<Fault> fault;
  bool is_planned_fault = false;  // of the emulated machine (FaultEffects::failure)
  int fault_statement = -1;
  bool cancelled = false;
  std::uint64_t saturated = 0;
  std::map<CopyId, GlobalArray> kept;  // whole arrays that the program asks for (Program::requests)
  std::vector<Comparison>
      comparisons;  // in the order in which the arrays were made; empty without `verify`
};

// `faults` are those of `whole`, of which `program` is a part or all.
Execution execute(const Program& program, const Scope& scope, const ExecutionOptions& options,
                  const Program& whole, const FaultEffects& faults);

// Half of the memory that is free on this machine, in bytes.
double default_memory();

}  // namespace shard
