#include "interpreter/statements/runner.h"

#include <fmt/format.h>

#include <memory>

#include "base/format.h"
#include "interpreter/check/level.h"
#include "interpreter/statements/retell.h"
#include "interpreter/statements/statement.h"

namespace shard {

namespace {

// Whether nothing more is to be run.
bool stopped(const Span& span, RunContext& context) {
  const RunnerState& state = context.state;
  if (!state.calls.empty() && state.calls.back().returned) return true;
  Budget* budget = context.options.budget;
  if (budget == nullptr) return false;
  if (budget->stopped()) return true;
  const Scope& scope = context.scope;
  const bool repeated = scope.names.loops > 0 || !state.calls.empty() || scope.supposition;
  if (!repeated || ++budget->statements <= kMaxStatements) return false;
  budget->exhausted = true;
  report(
      context.check, DiagnosticKind::TooManySteps, span,
      fmt::format("loops, functions and cost blocks have run {} statements, and are stopped here",
                  format_integer(kMaxStatements)),
      {"run fewer passes, or price one: c = cost { … }, then L * c.time"});
  return true;
}

// Looks again at what was said from `first` on, and at nothing else: a text may have thousands of mistakes.
void retell_from(std::size_t first, const ast::Statement& statement, const Scope& before,
                 RunContext& context) {
  DiagnosticSink& sink = context.check.sink;
  DiagnosticSink own = sink.split_off(first);
  retell(statement, before, context, own);
  sink.append(std::move(own));
}

void run_statement(const ast::Statement& statement, RunContext& context) {
  const DiagnosticSink& sink = context.check.sink;
  if (statement.has_error) {
    // While the names of the statement still mean what they meant before it.
    if (context.unread++ < kMostShown)
      retell_from(context.first_of_reading, statement, context.scope, context);
    skip(statement, context.scope);
    return;
  }
  const std::size_t told = sink.all().size();
  // Of what is not shown nobody reads how it is said.
  const bool is_shown = sink.shows_more_errors();
  // Copying it for every statement would take a fifth of the time of checking. Statements stand inside each other: it is
  // large, and no part of the stack.
  const auto before =
      context.options.try_help && is_shown ? std::make_unique<const Scope>(context.scope) : nullptr;
  match(statement.node, [&](const auto& node) { run(node, statement, context); });
  const std::size_t said = sink.all().size() - told;
  // Where it is more, statements inside of this one have looked at theirs, each with its own line and not with the whole block.
  if (is_shown && said > 0 && said <= kMostShown)
    retell_from(told, statement, before ? *before : context.scope, context);
}

// False if nothing more is to be run.
bool run_or_stop(const ast::Statement& statement, RunContext& context) {
  if (stopped(statement.at.span, context)) return false;
  run_statement(statement, context);
  return true;
}

}  // namespace

void run_here(const std::vector<ast::Statement>& statements, RunContext& context) {
  const Level level(context.options.budget);
  if (statements.empty() || !level.check(statements.front().at.span, context.check)) return;
  for (const ast::Statement& statement : statements) {
    if (!run_or_stop(statement, context)) return;
  }
}

void run_apart(const std::vector<ast::Statement>& body, DiagnosticSink& sink, RunContext& context) {
  RunnerOptions inner = context.options;
  inner.interactive = false;
  run_statements(body, context.state, inner, sink);
}

void run_statements(const NextStatement& next, RunnerState& state, const RunnerOptions& options,
                    DiagnosticSink& sink) {
  RunContext context(state, options, sink);
  for (bool runs = true;;) {
    context.first_of_reading = sink.all().size();
    const ast::Statement* statement = next();
    if (statement == nullptr) return;
    runs = runs && run_or_stop(*statement, context);
  }
}

void run_statements(const std::vector<ast::Statement>& statements, RunnerState& state,
                    const RunnerOptions& options, DiagnosticSink& sink) {
  RunContext context(state, options, sink);
  run_here(statements, context);
}

}  // namespace shard
