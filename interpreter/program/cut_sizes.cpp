#include "interpreter/program/cut_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/format.h"
#include "base/words.h"
#include "grammar/tree/names.h"
#include "interpreter/program/element_values.h"
#include "interpreter/program/program_lengths.h"

namespace shard {

namespace {

using Length = LengthRelations::Length;

std::vector<std::string> multiples_help(const std::string& name, std::int64_t wanted,
                                        std::int64_t multiple) {
  const std::int64_t below = wanted / multiple * multiple;
  const std::string above = fmt::format("--set {}={}", name, below + multiple);
  if (below == 0) return {"the nearest: " + above};
  return {fmt::format("the nearest: --set {}={} or {}", name, below, above)};
}

CutMistake described(const LengthRelations::Mistake& mistake, const SizeCut::Length& asked) {
  if (mistake.multiple > 1) {
    return {.kind = DiagnosticKind::NotDivisible,
            .asked = to_text(asked),
            .message = fmt::format("`{}` cannot be {}: it is split into {} parts", asked.name,
                                   format_integer(asked.length), format_integer(mistake.multiple)),
            .help = multiples_help(asked.name, asked.length, mistake.multiple)};
  }
  return {.kind = DiagnosticKind::SizeMismatch,
          .asked = to_text(asked),
          .message = fmt::format("`{}` cannot be {}: {}", asked.name, format_integer(asked.length),
                                 mistake.reason)};
}

// With the lengths that were found.
CutProgram with_lengths(const Program& program, const Scope& scope, const ProgramLengths& lengths,
                        const LengthRelations& relations) {
  CutProgram result{.program = program, .scope = scope, .dimensions = {}, .kept = {}};
  std::set<std::tuple<std::string, std::int64_t, bool>> told;
  for (std::size_t i = 0; i < program.plan.copies.size(); ++i) {
    const CopyId id{static_cast<std::int32_t>(i)};
    Copy& copy = result.program.plan.copies[id];
    for (std::size_t d = 0; d < copy.shape.size(); ++d) {
      const Length length = lengths.of(id)[d];
      const auto cut = relations.cut_length(length);
      const auto full = relations.full(length);
      if (!cut) continue;
      copy.shape.edit()[d] = *cut;
      const bool is_kept = cut == full;
      if ((is_kept && *cut == 1) ||
          !told.emplace(copy.dimensions[d], full.value_or(0), is_kept).second)
        continue;
      (is_kept ? result.kept : result.dimensions)
          .push_back({.name = copy.dimensions[d], .full = full, .cut = *cut});
    }
  }
  std::stable_sort(result.kept.begin(), result.kept.end(),
                   [](const auto& a, const auto& b) { return a.cut > b.cut; });
  for (std::size_t i = 0; i < scope.store.dimensions.size(); ++i) {
    const DimensionId id{static_cast<std::int32_t>(i)};
    const auto cut = relations.cut_length(lengths.of(id));
    if (!cut || cut == relations.full(lengths.of(id))) continue;
    DimensionInfo& info = result.scope.store.dimensions[id];
    info.literal = std::nullopt;
    info.own_length = cut;
  }
  return result;
}

// What elements are computed with is known once the dimensions that it names have a length.
void put_lengths_into_elements(const Scope& scope, const ProgramLengths& lengths,
                               const LengthRelations& relations, Program& program) {
  Values values;
  for (std::size_t i = 0; i < scope.store.dimensions.size(); ++i) {
    const DimensionId id{static_cast<std::int32_t>(i)};
    const auto cut = relations.cut_length(lengths.of(id));
    if (cut && !relations.full(lengths.of(id))) values.emplace(scope.symbol_of(id), *cut);
  }
  if (!values.empty()) put_values(values, program);
}

// The schedule of a collective depends on how much it moves.
void keep_schedules(const Program& full, Program& cut) {
  for (Step& step : cut.plan.steps) {
    auto* collective = std::get_if<CollectiveStep>(&step.action);
    if (collective == nullptr) continue;
    const Copy& operand = full.plan.copies[collective->operand];
    Amount elements = 1;
    for (const Amount& length : local_shape(operand.shape, operand.layout, full.machine.mesh))
      elements = elements * length;
    const auto constant = elements.constant();
    collective->planned_elements = constant ? constant->to_int64() : std::nullopt;
  }
}

}  // namespace

std::string to_text(const SizeCut::Length& length) {
  return fmt::format("{}={}", length.name, length.length);
}

std::variant<CutProgram, CutMistake> cut_sizes(const Program& program, const Scope& scope,
                                               const SizeCut& cut) {
  ProgramLengths lengths = lengths_of(program, scope);
  LengthRelations& relations = lengths.relations;
  for (const SizeCut::Length& asked : cut.lengths) {
    for (const Length length : lengths.named(name_key(asked.name))) {
      if (const auto mistake = relations.ask(length, asked.length))
        return described(*mistake, asked);
    }
  }
  if (const auto mistake = relations.cut(cut.scale)) {
    for (const SizeCut::Length& asked : cut.lengths) {
      const std::vector<Length> named = lengths.named(name_key(asked.name));
      if (std::any_of(named.begin(), named.end(),
                      [&](Length length) { return relations.is_same(length, mistake->length); }))
        return described(*mistake, asked);
    }
  }
  CutProgram result = with_lengths(program, scope, lengths, relations);
  put_lengths_into_elements(scope, lengths, relations, result.program);
  keep_schedules(program, result.program);
  return result;
}

}  // namespace shard
