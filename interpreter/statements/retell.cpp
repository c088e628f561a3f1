#include "interpreter/statements/retell.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "interpreter/statements/line_trial.h"
#include "interpreter/suggest/example_axes.h"
#include "interpreter/suggest/foreign_statement.h"
#include "interpreter/suggest/mended_names.h"
#include "interpreter/suggest/mended_target.h"
#include "interpreter/suggest/other_size.h"
#include "interpreter/suggest/swapped_names.h"
#include "interpreter/suggest/tried_lines.h"

namespace shard {

namespace {

// The text of the statement that ran before; nothing if none did.
std::string_view last_statement(const RunnerState& state, const SourceMap& sources) {
  if (state.programs.empty()) return {};
  const auto& statements = state.programs[state.current].statements;
  const std::string_view text =
      statements.empty() ? std::string_view{} : sources.text(statements.back().span);
  return text.find('#') == std::string_view::npos ? text : std::string_view{};
}

}  // namespace

// What knows more comes first: a mistake that one of them explains is none that the next one looks for.
void retell(const ast::Statement& statement, const Scope& before, RunContext& context,
            DiagnosticSink& sink) {
  RunnerState& state = context.state;
  const RunnerOptions& options = context.options;
  Scope& scope = context.scope;
  retell_swapped(statement, scope, sink);
  mend_dimensions(statement, scope, sink);
  if (options.modules == nullptr) return;
  const SourceMap& sources = options.modules->sources();
  if (sources.is_fixed(statement.at.span.file)) return sink.drop_edits(statement.at.span.file);
  const std::string_view text = sources.text(statement.at.span);
  mend_axes(statement, text, scope, sink);
  mend_printed_arrays(statement, text, scope, sink);
  mend_other_size(statement, text, last_statement(state, sources), scope, sink);
  mend_early_calls(statement, sources, sink);
  mend_figures(statement, text, last_statement(state, sources), scope, sink);
  const auto corrections = write_out_corrections(statement.at.span, text, sink);
  retell_foreign(statement, sources, scope, sink);
  use_axes_of_mesh(statement.at.span, text, scope, sink);
  if (options.try_help)
    try_lines(statement.at.span, text, corrections, before, line_trial(before, state, options),
              sink);
}

void offer_arrays(std::size_t first, const char* what, bool inputs, RunContext& context) {
  const DiagnosticSink told = context.check.sink.split_off(first);
  constexpr std::size_t kMostColumns = 60;
  std::string names;
  for (const auto& [key, array] : context.scope.names.array_names) {
    const ArrayInfo& one = std::as_const(context.scope.store).arrays[array];
    if ((one.computed || inputs) && !one.of_gradients && names.size() < kMostColumns)
      names += fmt::format("{}`{}`", names.empty() ? "" : ", ", one.name);
  }
  for (Diagnostic one : told.all()) {
    const bool offers = one.kind == DiagnosticKind::UnknownName && one.edits.empty();
    if (offers && !names.empty()) one.help = {fmt::format("{}: {}", what, names)};
    context.check.sink.report(std::move(one));
  }
}

}  // namespace shard
