// What the statements of a script run with: the tables as they are at this point, the programs that grow, and where mistakes
// are reported. Private to the files of this room.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "interpreter/evaluate/evaluator.h"
#include "interpreter/statements/runner.h"

namespace shard {

struct RunContext final : StatementHost {
  RunContext(RunnerState& of, const RunnerOptions& with, DiagnosticSink& sink)
      : state(of),
        options(with),
        scope(of.scope),
        check{of.scope, sink, scalar_source(), of.brackets} {}

  // cost_block.cpp
  std::shared_ptr<const Figures> suppose(const Supposition& supposition,
                                         CheckContext& context) override;
  bool calls_functions() const override { return true; }
  // question.cpp
  std::optional<Value> answer(const ast::Question& question, Span span,
                              CheckContext& context) override;
  std::shared_ptr<const Figures> totals() const override;
  // call.cpp
  std::optional<Value> call(const ast::Call& call, Span span) override;
  Budget* budget() const override { return options.budget; }

  RunnerState& state;
  const RunnerOptions& options;
  Scope& scope;  // of the state
  CheckContext check;
  // In the sink: where what was said of reading the outermost statement that runs begins.
  std::size_t first_of_reading = 0;
  std::size_t unread = 0;  // statements that could not be read, so far
  // Names::depth inside of the innermost braces that end no names, those of `if` and `fused`.
  std::optional<int> lasting_braces = std::nullopt;
};

// Statement after statement, until nothing more is to be run: a function returned, or the script may take no more.
void run_here(const std::vector<ast::Statement>& statements, RunContext& context);
// The statements of a body at this point, as those of a script; what they report goes into `sink`.
void run_apart(const std::vector<ast::Statement>& body, DiagnosticSink& sink, RunContext& context);

// The value of a scalar; nullopt after a report.
std::optional<Value> value_of(const ast::Expr& expr, RunContext& context);

// The machine is the script's, and a function runs on the one that is there: MisplacedStatement inside of functions. `word` is
// that of the statement.
bool refused_in_function(std::string_view word, Span span, RunContext& context);
// What asks for something has no place in a block that is priced and never run: BadArgument inside of cost blocks.
bool refused_in_cost_block(std::string_view word, Span span, RunContext& context);

}  // namespace shard
