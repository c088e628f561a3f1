#include "interpreter/execute/program_executor.h"

#include "base/check.h"

namespace shard {

Execution execute(const ProgramExecutor* executor, const Program& program, const Scope& scope,
                  const ExecutionOptions& options, const Program& whole,
                  const FaultEffects& faults) {
  if (options.estimate) return {.reason = "--estimate"};
  if (program.is_sweep) return {.reason = "a pass of a loop over a list"};
  SHARD_CHECK(executor != nullptr);
  return executor->run(program, scope, options, whole, faults);
}

}  // namespace shard
