#include "interpreter/execute/program_executor.h"

#include "base/check.h"

namespace shard {

Execution execute(const ProgramExecutor* executor, const ProgramRun& run,
                  const ExecutionOptions& options) {
  if (options.estimate) return {.reason = "--estimate"};
  if (run.program.is_sweep) return {.reason = "a pass of a loop over a list"};
  SHARD_CHECK(executor != nullptr);
  return executor->run(run, options);
}

}  // namespace shard
