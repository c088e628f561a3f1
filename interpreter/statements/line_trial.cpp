#include "interpreter/statements/line_trial.h"

#include <memory>

#include "interpreter/ir/frames.h"

namespace shard {

namespace {

// A text with more names was written by a program, and nobody reads its lines one by one.
constexpr std::size_t kMostNames = 4'096;
// Statements that lines may run, in loops and functions.
constexpr std::int64_t kMostInOneTrial = 1'000;

// The names that decide how a line is read.
std::shared_ptr<const Names> reading_names(const Scope& scope) {
  auto names = std::make_shared<Names>();
  for (const MeshAxis& axis : scope.mesh().axes) names->axes.push_back(axis.name);
  if (scope.names.array_names.size() + scope.names.bindings.size() > kMostNames) return names;
  for (const auto& [key, id] : scope.names.dimension_names)
    names->dimensions.add(scope.store.dimensions[id].name);
  for (const auto& [key, binding] : scope.names.bindings) names->dimensions.add(binding.name);
  for (const auto& [key, id] : scope.names.array_names)
    names->arrays.add(scope.store.arrays[id].name);
  return names;
}

TriedLine tried_line(const std::string& lines, FileId file, DiagnosticSink& sink) {
  TriedLine tried;
  for (const Diagnostic& diagnostic : sink.all()) {
    const Severity severity = info(diagnostic.kind).severity;
    if (severity == Severity::Error) tried.mistakes.insert({diagnostic.kind, diagnostic.message});
    tried.warns = tried.warns || severity == Severity::Warning;
  }
  const Span all{file, 0, static_cast<std::uint32_t>(lines.size())};
  const auto corrections = write_out_corrections(all, lines, sink);
  for (const Diagnostic& diagnostic : sink.all()) {
    if (info(diagnostic.kind).severity != Severity::Error) continue;
    const bool corrected =
        !diagnostic.help.empty() && corrections.contains(diagnostic.help.front());
    if (corrected) tried.mended = diagnostic.help.front();
    break;
  }
  return tried;
}

}  // namespace

TryLine line_trial(const Scope& scope, const RunnerState& state, const RunnerOptions& options) {
  return [&scope, &state, &options,
          known = reading_names(scope)](const std::string& lines) -> std::optional<TriedLine> {
    Budget* budget = options.budget;
    if (budget == nullptr || budget->stopped() || ++budget->trials > kMaxTrials)
      return std::nullopt;
    SourceMap sources;
    Names names = *known;
    DiagnosticSink sink;
    const FileId file = sources.add("line", lines);
    const ast::Module module = parse(sources, file, names, sink);
    const auto copy = std::make_unique<RunnerState>();
    copy->scope = trial_scope(scope);
    copy->calls = state.calls;
    Budget own{.statements = kMaxStatements - kMostInOneTrial,
               .calls = budget->calls,
               .levels = budget->levels,
               .cancelled = budget->cancelled};
    run_statements(
        module.statements, *copy,
        {.judge_expects = false, .check_only = true, .budget = &own, .faults = options.faults},
        sink);
    if (own.stopped()) return std::nullopt;
    return tried_line(lines, file, sink);
  };
}

}  // namespace shard
