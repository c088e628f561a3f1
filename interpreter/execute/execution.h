// Runs a program on emulated devices and compares the outcome with the unsharded computation.
//
// In this folder:
//   execution.h                   runs a program
//   verification.h, judgements.h  judges what the devices hold; which copy is judged against what
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
  double memory = 0;        // bytes of host memory that may be used
  // At the speed of the products in bench/README.md, 1.7e10 FLOPs in 44 ms, half a second. Beyond it a script is only
  // estimated.
  double max_flops = 2e11;
  std::function<bool()> cancelled;
};

struct Execution {
  bool executed = false;
  std::string reason;  // why it was not run: "D has no size"
  std::string demand;  // what it takes, if that exceeds a limit: "running it takes 134.2 MFLOPs"
  std::optional<DiagnosticKind> refusal;  // that of the exceeded limit, for an error
  std::optional<Fault> fault;
  bool is_planned_fault = false;  // the fault is the emulated machine's (FaultEffects::failure)
  int fault_statement = -1;
  bool cancelled = false;
  std::uint64_t saturated = 0;
  std::map<CopyId, GlobalArray> kept;  // whole arrays that the program asks for (Program::requests)
  std::vector<Comparison>
      comparisons;  // in the order in which the arrays were made; empty without `verify`
};

// `faults` are those of `whole`; `program` is all or a part of it.
Execution execute(const Program& program, const Scope& scope, const ExecutionOptions& options,
                  const Program& whole, const FaultEffects& faults);

// Half of the memory that is free on this machine, in bytes.
double default_memory();

}  // namespace shard
