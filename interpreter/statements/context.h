// What statements with a file of their own, loops, functions, `drop`, `save`, need of the runner. Private to these files.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "interpreter/ir/checked.h"
#include "interpreter/statements/runner.h"

namespace shard {

struct StatementRunner {
  RunnerState& state;
  const RunnerOptions& options;
  CheckContext& context;
  // The value of a scalar; nullopt after a report.
  std::function<std::optional<Value>(const ast::Expr&)> value_of;
  // Plans a flow that was checked; `text` is how the report shows it.
  std::function<void(const checked::Flow&, const std::string& text)> plan;
  // The program that grows.
  std::function<Program&()> program;
  // Runs statements as if they stood here.
  std::function<void(const std::vector<ast::Statement>&)> run_here;

  // Runs the statements of a body at this point, as those of a script; what they report goes into `sink`.
  void run(const std::vector<ast::Statement>& body, DiagnosticSink& sink) const;
};

}  // namespace shard
