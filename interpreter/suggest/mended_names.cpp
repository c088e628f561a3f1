#include "interpreter/suggest/mended_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/tree/statement_parts.h"
#include "interpreter/estimate/figures.h"
#include "interpreter/suggest/change_told.h"
#include "interpreter/suggest/example_axes.h"

namespace shard {

namespace {

using AxisWords = std::vector<std::string>;

AxisWords split_axes_of(const BracketPart& part, const Scope& scope) {
  AxisWords axes;
  for (const ast::Dimension& dimension : part.dimensions) {
    for (const ast::Identifier& axis : dimension.axes) {
      if (scope.find_axes(axis.text)) axes.push_back(axis.text);
    }
  }
  return axes;
}

AxisWords known_axes(const std::vector<ast::Identifier>& names, const Scope& scope) {
  AxisWords axes;
  for (const ast::Identifier& name : names) {
    if (scope.find_axes(name.text)) axes.push_back(name.text);
  }
  return axes;
}

bool is_in(const std::vector<ast::Identifier>& names, const Span& place) {
  return std::any_of(names.begin(), names.end(), [&](const ast::Identifier& name) {
    return name.at.span.begin >= place.begin && name.at.span.end <= place.end;
  });
}

// The axis of a collective: what its operand is split or unreduced over and its target is not.
std::string axis_of_collective(const StatementParts& parts, const Scope& scope) {
  if (parts.brackets.empty()) return "";
  const BracketPart& first = parts.brackets.front();
  AxisWords axes = known_axes(first.unreduced, scope);
  if (axes.empty()) {
    axes = split_axes_of(first, scope);
    const AxisWords kept =
        parts.brackets.size() > 1 ? split_axes_of(parts.brackets.back(), scope) : AxisWords();
    std::erase_if(axes, [&](const std::string& axis) { return contains(kept, axis); });
  }
  return axes.size() == 1 ? axes.front() : "";
}

// The axis of a mark `{U_X}`: that of the collective, or the only one that splits two operands.
std::string axis_of_mark(const StatementParts& parts, const Scope& scope) {
  for (const ast::Collective* collective : parts.collectives) {
    const AxisWords axes = known_axes(collective->axes, scope);
    if (axes.size() == 1) return axes.front();
  }
  AxisWords seen;
  AxisWords twice;
  for (const BracketPart& part : parts.brackets) {
    for (const std::string& axis : split_axes_of(part, scope))
      (contains(seen, axis) && !contains(twice, axis) ? twice : seen).push_back(axis);
  }
  return twice.size() == 1 ? twice.front() : "";
}

std::string meant_axis(const StatementParts& parts, const Span& place, const Scope& scope) {
  for (const ast::Collective* collective : parts.collectives) {
    if (is_in(collective->axes, place)) return axis_of_collective(parts, scope);
  }
  for (const BracketPart& part : parts.brackets) {
    if (is_in(part.unreduced, place)) return axis_of_mark(parts, scope);
  }
  return "";
}

// "math" of `T_math`, where that is a figure of a block and no name of the script.
std::string figure_word(std::string_view word, const Scope& scope) {
  if (!word.starts_with("T_") && !word.starts_with("t_")) return "";
  std::string field(word.substr(2));
  const std::string name(word);
  const bool own = scope.find_binding(name) != nullptr || scope.names.find_dimension(name);
  return !own && contains(figure_fields(), field) ? field : "";
}

std::vector<Edit> figures_in_text(const Span& statement, std::string_view text,
                                  std::string_view block, const Scope& scope) {
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_name_character(text[end])) ++end;
    const std::string field =
        i > 0 && text[i - 1] == '.' ? "" : figure_word(text.substr(i, end - i), scope);
    if (!field.empty()) {
      const auto begin = statement.begin + static_cast<std::uint32_t>(i);
      edits.push_back({{statement.file, begin, statement.begin + static_cast<std::uint32_t>(end)},
                       fmt::format("{}.{}", block, field)});
    }
    i = std::max(end, i + 1);
  }
  return edits;
}

// Where the name of the axis stands first in the statement.
Span first_use(const StatementParts& parts, const Span& told, std::string_view name) {
  Span first = told;
  const auto look_at = [&](const std::vector<ast::Identifier>& axes) {
    for (const ast::Identifier& axis : axes) {
      if (axis.text == name && axis.at.span.begin < first.begin) first = axis.at.span;
    }
  };
  for (const BracketPart& part : parts.brackets) {
    for (const ast::Dimension& dimension : part.dimensions) look_at(dimension.axes);
    look_at(part.unreduced);
  }
  for (const ast::Collective* collective : parts.collectives) look_at(collective->axes);
  return first;
}

}  // namespace

std::string free_block_name(const Scope& scope) {
  std::string name = "c";
  for (int i = 2; scope.find_binding(name) != nullptr || scope.names.find_array(name) ||
                  scope.told.is_unknown(name);
       ++i)
    name = fmt::format("c{}", i);
  return name;
}

void mend_axes(const ast::Statement& statement, std::string_view text, const Scope& scope,
               DiagnosticSink& sink) {
  if (!scope.machine.mesh_known() ||
      !sink.has_within(statement.at.span, {DiagnosticKind::UnknownAxis}))
    return;
  const StatementParts parts = parts_of(statement);
  change_told(statement.at.span, sink, [&](const Diagnostic& told) -> std::optional<Diagnostic> {
    if (told.kind != DiagnosticKind::UnknownAxis || !told.edits.empty()) return std::nullopt;
    const auto begin = told.span.begin - statement.at.span.begin;
    Diagnostic mended = told;
    mended.span = first_use(parts, told.span, text.substr(begin, told.span.end - told.span.begin));
    const bool open = told.help.size() == 1 && !told.help.front().starts_with("did you mean");
    if (!open) return mended;
    const std::string axis = meant_axis(parts, told.span, scope);
    if (!axis.empty()) {
      mended.edits = {{told.span, axis}};
      return mended;
    }
    // `A[I_X, J]` as documents have it, on a mesh with axes of other names.
    std::string line = with_mesh_axes(text, scope);
    if (line == text || line.find_first_of("\n#") != std::string::npos) return mended;
    mended.help.insert(mended.help.begin(), std::move(line));
    return mended;
  });
}

void mend_printed_arrays(const ast::Statement& statement, std::string_view text, const Scope& scope,
                         DiagnosticSink& sink) {
  const Span& place = statement.at.span;
  if (!std::holds_alternative<ast::Print>(statement.node) ||
      !sink.has_within(place, {DiagnosticKind::NotScalar}))
    return;
  change_told(place, sink, [&](const Diagnostic& told) -> std::optional<Diagnostic> {
    const std::string word(
        text.substr(told.span.begin - place.begin, told.span.end - told.span.begin));
    const bool field = told.span.end < place.end && text[told.span.end - place.begin] == '.';
    if (told.kind != DiagnosticKind::NotScalar || !told.edits.empty() || field ||
        !scope.names.find_array(word))
      return std::nullopt;
    Diagnostic mended = told;
    mended.edits = {{told.span, fmt::format("bytes({})", word)}};
    return mended;
  });
}

void mend_figures(const ast::Statement& statement, std::string_view text, std::string_view last,
                  const Scope& scope, DiagnosticSink& sink) {
  const Span& place = statement.at.span;
  const std::vector<DiagnosticKind> kinds = {DiagnosticKind::UnknownName};
  if (!sink.has_within(place, kinds)) return;
  std::optional<Diagnostic> first;
  for (const Diagnostic& told : sink.all()) {
    if (told.kind != DiagnosticKind::UnknownName || !encloses(place, told.span)) continue;
    const auto word = text.substr(told.span.begin - place.begin, told.span.end - told.span.begin);
    if (figure_word(word, scope).empty()) return;
    if (!first) first = told;
  }
  if (!first) return;
  const bool block = !first->edits.empty();
  const std::string known = block ? first->edits.front().text : "";
  const std::string name = block ? known.substr(0, known.find('.')) : free_block_name(scope);
  first->edits = figures_in_text(place, text, name, scope);
  if (block) return sink.replace(place, kinds, *std::move(first));
  const std::string_view statements = last.empty() ? "A[I_X, J] → A[I, J]" : last;
  const Span begin{place.file, place.begin, place.begin};
  first->edits.push_back({begin, fmt::format("{} = cost {{ {} }}; ", name, one_line(statements))});
  first->help.clear();
  sink.replace(place, kinds, *std::move(first));
}

void mend_early_calls(const ast::Statement& statement, const SourceMap& sources,
                      DiagnosticSink& sink) {
  const Span& place = statement.at.span;
  if (!sink.has_within(place, {DiagnosticKind::UnknownFunction})) return;
  change_told(place, sink, [&](const Diagnostic& told) -> std::optional<Diagnostic> {
    // A block's statements have been here when the block comes.
    if (told.kind != DiagnosticKind::UnknownFunction || !told.notes.empty()) return std::nullopt;
    const std::string_view all = sources.text(place.file);
    const std::string_view name = sources.text(told.span);
    const std::size_t found = all.find(fmt::format("fn {}(", name), place.end);
    if (found == std::string_view::npos) return std::nullopt;
    const auto begin = static_cast<std::uint32_t>(found + std::string_view("fn ").size());
    Diagnostic mended = told;
    mended.message = fmt::format("`{}` is called above its definition", name);
    mended.help = {"define a function above the lines that call it"};
    mended.edits.clear();
    mended.notes.push_back(
        {{place.file, begin, begin + static_cast<std::uint32_t>(name.size())}, "defined here"});
    return mended;
  });
}

}  // namespace shard
