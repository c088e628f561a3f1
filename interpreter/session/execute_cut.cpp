// Executing a program on smaller arrays than it is planned for, as the options ask.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/words.h"
#include "grammar/tree/names.h"
#include "interpreter/program/cut_sizes.h"
#include "interpreter/session/session.h"

namespace shard {

namespace {

ProgramRun on_smaller_arrays(const ProgramRun& run, const CutProgram& cut) {
  return {.program = cut.program,
          .scope = cut.scope,
          .whole = run.whole,
          .faults = run.faults,
          .originals = run.originals};
}

bool has_room(const ProgramExecutor& executor, const ProgramRun& run,
              const ExecutionOptions& options, std::int64_t scale) {
  SizeCut size = options.cut;
  size.scale = Rational(1) / Rational(scale);
  const auto cut = cut_sizes(run.program, run.scope, size);
  const auto* smaller = std::get_if<CutProgram>(&cut);
  return smaller != nullptr && executor.has_room(on_smaller_arrays(run, *smaller), options);
}

// Exponent of the smallest scale: a million and more elements of a dimension are one.
constexpr int kMostHalvings = 20;

// The smallest power of 2 that the arrays are to be divided by; 0 if none is enough.
std::int64_t scale_with_room(const ProgramExecutor& executor, const ProgramRun& run,
                             const ExecutionOptions& options) {
  const auto fits = [&](int exponent) {
    return has_room(executor, run, options, std::int64_t{1} << exponent);
  };
  if (!fits(kMostHalvings)) return 0;
  int below = 0;
  int enough = kMostHalvings;
  while (enough - below > 1) {
    const int middle = (below + enough) / 2;
    (fits(middle) ? enough : below) = middle;
  }
  return std::int64_t{1} << enough;
}

std::vector<CutDimension> lengths_kept_by(const ProgramRun& run, SizeCut size) {
  // More would not be read.
  constexpr std::size_t kShown = 4;
  size.scale = Rational(1) / Rational(std::int64_t{1} << kMostHalvings);
  auto cut = cut_sizes(run.program, run.scope, size);
  auto* smaller = std::get_if<CutProgram>(&cut);
  if (smaller == nullptr) return {};
  if (smaller->kept.size() > kShown) smaller->kept.resize(kShown);
  return std::move(smaller->kept);
}

}  // namespace

Execution Session::execute_cut(const ProgramRun& run, DiagnosticSink& sink) {
  const ExecutionOptions& options = options_.execution;
  // Who wants a comparison is told how to get one.
  const auto with_advice = [&](Execution execution) {
    if (!execution.too_large || !options.verify || options_.interactive) return execution;
    execution.scale_with_room = scale_with_room(*options_.executor, run, options);
    if (execution.scale_with_room == 0) execution.kept_lengths = lengths_kept_by(run, options.cut);
    return execution;
  };
  if (!options.cut.changes_anything() || options.estimate || run.program.is_sweep)
    return with_advice(execute(options_.executor, run, options));
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
  Execution execution =
      with_advice(execute(options_.executor, on_smaller_arrays(run, smaller), options));
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
