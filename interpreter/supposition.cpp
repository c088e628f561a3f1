#include "interpreter/supposition.h"

#include "interpreter/runner.h"

namespace shard {

std::optional<Figures> suppose(const ast::BlockExpr& block, Scope scope,
                               const RunnerOptions& options, CheckContext& context) {
  DiagnosticSink inner;
  RunnerState state{.scope = std::move(scope), .programs = {}, .entries = {}};
  run_statements(block.body, state,
                 {.judge_expects = false,
                  .budget = options.budget,
                  .modules = options.modules,
                  .faults = options.faults},
                 inner);
  for (const Diagnostic& diagnostic : inner.all()) {
    if (info(diagnostic.kind).severity != Severity::Note) context.sink.report(diagnostic);
  }
  context.scope.learn_names(state.scope);
  if (inner.has_errors() || state.incomplete) return std::nullopt;
  if (state.programs.empty()) return Figures{};
  if (state.programs.front().is_sweep || state.programs.back().is_sweep) {
    context.sink.report({.kind = DiagnosticKind::MisplacedStatement,
                         .span = state.programs.back().statements.front().span,
                         .message = "each pass of a loop over a list has a cost of its own",
                         .help = {"put the cost block into the loop"}});
    return std::nullopt;
  }
  if (state.programs.size() > 1) {
    context.sink.report(
        {.kind = DiagnosticKind::BadMesh,
         .span = state.programs.back().statements.front().span,
         .message =
             "the mesh changes in the middle of the block, so its figures have no common measure",
         .help = {"price each part in a block of its own"}});
    return std::nullopt;
  }
  Figures figures = figures_of(state.programs.front());
  // Formulas are those of the machine at the start: faults at a time wait for the sizes, as the timeline does.
  if (report_failure(state.programs.front(), figures.faults, context.sink)) return std::nullopt;
  return figures;
}

}  // namespace shard
