// Executing a program on smaller arrays than it is planned for, as the options ask.
#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "grammar/tree/names.h"
#include "interpreter/program/cut_sizes.h"
#include "interpreter/session/session.h"

namespace shard {

Execution Session::execute_cut(const ProgramRun& run, DiagnosticSink& sink) {
  const ExecutionOptions& options = options_.execution;
  if (!options.cut.changes_anything() || options.estimate || run.program.is_sweep)
    return execute(options_.executor, run, options);
  auto cut = cut_sizes(run.program, run.scope, options.cut);
  if (const auto* mistake = std::get_if<CutMistake>(&cut)) {
    sink.report({.kind = mistake->kind,
                 .span = span_of_option("<--set>", mistake->asked),
                 .message = mistake->message,
                 .help = mistake->help});
    Execution none;
    none.reason = mistake->message;
    return none;
  }
  auto& smaller = std::get<CutProgram>(cut);
  Execution execution = execute(options_.executor,
                                {.program = smaller.program,
                                 .scope = smaller.scope,
                                 .whole = run.whole,
                                 .faults = run.faults,
                                 .originals = run.originals},
                                options);
  execution.cut = std::move(smaller.dimensions);
  return execution;
}

void Session::check_cut(DiagnosticSink& sink) {
  if (options_.execution.cut.lengths.empty()) return;
  const auto& dimensions = state_.scope.store.dimensions;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < dimensions.size(); ++i)
    names.push_back(dimensions[DimensionId{static_cast<std::int32_t>(i)}].name);
  for (const SizeCut::Length& length : options_.execution.cut.lengths) {
    const auto is_meant = [&](const std::string& name) {
      return name_key(name) == name_key(length.name);
    };
    if (std::any_of(names.begin(), names.end(), is_meant)) continue;
    const auto near = nearest_name(length.name, names);
    sink.report({.kind = DiagnosticKind::UnknownDimension,
                 .span = span_of_option("<--set>", to_text(length)),
                 .message = fmt::format("no array of the script has a dimension `{}`", length.name),
                 .help = near ? std::vector{fmt::format("--set {}={}", *near, length.length)}
                              : std::vector<std::string>()});
  }
}

}  // namespace shard
