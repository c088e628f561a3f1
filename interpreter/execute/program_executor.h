// What runs programs.
#pragma once

#include "interpreter/estimate/fault_effects.h"
#include "interpreter/execute/execution.h"
#include "interpreter/ir/symbols.h"
#include "interpreter/program/program.h"

namespace shard {

class ProgramExecutor {
 public:
  ProgramExecutor() = default;
  ProgramExecutor(const ProgramExecutor&) = delete;
  ProgramExecutor& operator=(const ProgramExecutor&) = delete;
  virtual ~ProgramExecutor() = default;

  // Runs `program`, all or a part of `whole`, unless something is in its way, which is said. `faults` are those of `whole`.
  virtual Execution run(const Program& program, const Scope& scope, const ExecutionOptions& options,
                        const Program& whole, const FaultEffects& faults) const = 0;
  // What ExecutionOptions::memory is where nobody says it: bytes that may be taken without being missed.
  virtual double default_memory() const = 0;
};

// Runs the program with `executor`, unless the options or a sweep say that it is only estimated. REQUIRES: `executor`, or
// options.estimate.
Execution execute(const ProgramExecutor* executor, const Program& program, const Scope& scope,
                  const ExecutionOptions& options, const Program& whole,
                  const FaultEffects& faults);

}  // namespace shard
