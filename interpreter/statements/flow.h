// Checked flows become statements of the program that grows.
#pragma once

#include <optional>
#include <string>

#include "interpreter/statements/runner.h"
#include "runtime/machine/machine.h"

namespace shard {

// Plans flows one after the other. Reports TooLarge for too many dimensions without a size, RateMissing once, LinkFailed,
// and what lowering reports.
class FlowPlanner {
 public:
  FlowPlanner(RunnerState& state, const RunnerOptions& options, CheckContext& context)
      : state_(state), options_(options), scope_(state.scope), context_(context) {}

  // The program of the machine in force: the one that grows, or a new one.
  Program& program();
  // The statement that the flow was checked from; without a flow it had a mistake.
  void plan(std::optional<checked::Flow> flow, const ast::Statement& statement);
  // `text`: the statement as it is shown.
  void plan(checked::Flow flow, std::string text);

 private:
  bool only_grew(const Machine& before) const;
  void count_open_sizes(const checked::Flow& flow);
  void check_links(Program& target, Span span);
  void forget_inferred(CopyId copy, const Program& target);
  void note_rates(const Program& target, Span span);

  RunnerState& state_;
  const RunnerOptions& options_;
  Scope& scope_;
  CheckContext& context_;
  bool noted_rate_ = false;
};

}  // namespace shard
