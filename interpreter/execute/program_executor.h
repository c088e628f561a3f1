// What runs programs.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "interpreter/estimate/fault_effects.h"
#include "interpreter/execute/execution.h"
#include "interpreter/ir/symbols.h"
#include "interpreter/program/program.h"

namespace shard {

// A program that is run, all or a part of `whole`.
struct ProgramRun {
  const Program& program;
  const Scope& scope;
  const Program& whole;
  const FaultEffects& faults;  // of `whole`
  // By copy of the program: which one it is of `whole`; empty if both have the same.
  std::vector<CopyId> originals = {};
  // What the devices hold already, of the inputs of that kind (InputKind::Held).
  KeptCopies held = {};
  // Which copies are to be given back (Execution::held); null: none.
  std::function<bool(CopyId)> keeps = {};
};

class ProgramExecutor {
 public:
  ProgramExecutor() = default;
  ProgramExecutor(const ProgramExecutor&) = delete;
  ProgramExecutor& operator=(const ProgramExecutor&) = delete;
  virtual ~ProgramExecutor() = default;

  // Runs the program, unless something is in its way, which is said.
  virtual Execution run(const ProgramRun& run, const ExecutionOptions& options) const = 0;
  // Whether `run` would run it: nothing that it needs is missing, and no limit is exceeded.
  virtual bool has_room(const ProgramRun& run, const ExecutionOptions& options) const = 0;
  // What ExecutionOptions::memory is where nobody says it: bytes that may be taken without being missed.
  virtual double default_memory() const = 0;
};

// Runs the program with `executor`, unless the options or a sweep say that it is only estimated. REQUIRES: `executor`, or
// options.estimate.
Execution execute(const ProgramExecutor* executor, const ProgramRun& run,
                  const ExecutionOptions& options);

}  // namespace shard
