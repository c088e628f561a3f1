#include "grammar/foreign.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "grammar/foreign_line.h"

namespace shard {

std::string_view bare_text(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

// Blocks go before words and functions, which stand inside them; whole lines before their signs.
std::optional<ForeignMistake> read_foreign(std::string_view text, const ForeignNames& names) {
  // What is longer was written by a program, and by none of these habits.
  constexpr std::size_t kLongest = 4000;
  if (text.size() > kLongest) return std::nullopt;
  if (auto mistake = read_foreign_block(text, names)) return mistake;
  if (auto mistake = read_foreign_form(text, names)) return mistake;
  if (auto mistake = read_foreign_words(text, names)) return mistake;
  if (auto mistake = read_foreign_order(text, names)) return mistake;
  if (auto line = read_foreign_line(text, names)) return line->mistake;
  if (auto mistake = read_foreign_signs(text, names)) return mistake;
  if (auto mistake = read_foreign_board(text, names)) return mistake;
  return read_foreign_factors(text, names);
}

namespace {

// `else if` goes on with what stands before it on its line.
void join_else(std::vector<std::string>& help, std::string_view before) {
  const std::string_view line = bare_text(before.substr(before.rfind('\n') + 1));
  for (std::string& text : help) {
    const std::string whole = fmt::format("{} {}", line, text);
    if (text.starts_with("else if") && !line.empty() && is_readable(whole)) text = whole;
  }
}

}  // namespace

Diagnostic diagnostic_of(const ForeignMistake& mistake, const Span& place, std::string_view file) {
  const auto offset = [&](std::size_t at) {
    return std::min(place.begin + static_cast<std::uint32_t>(at), place.end);
  };
  Diagnostic diagnostic{.kind = DiagnosticKind::NotNotation,
                        .span = {place.file, offset(mistake.begin), offset(mistake.end)},
                        .message = mistake.message,
                        .notes = {},
                        .help = mistake.help};
  join_else(diagnostic.help, file.substr(0, place.begin));
  return diagnostic;
}

const std::vector<DiagnosticKind>& foreign_kinds() {
  static const std::vector<DiagnosticKind> kinds = {
      DiagnosticKind::SyntaxError,         DiagnosticKind::NotNotation,
      DiagnosticKind::UnexpectedCharacter, DiagnosticKind::UnknownName,
      DiagnosticKind::UnknownFunction,     DiagnosticKind::UnknownField,
      DiagnosticKind::NotScalar,           DiagnosticKind::NotArray,
      DiagnosticKind::BadContraction,      DiagnosticKind::UnknownDtype,
      DiagnosticKind::TransposedUse,       DiagnosticKind::NotYet};
  return kinds;
}

bool is_language_function(std::string_view word) {
  static constexpr std::string_view kWords[] = {
      "bytes", "total_bytes", "min",   "max",  "sqrt",   "ceil",    "floor", "log2",
      "sum",   "equal",       "abs",   "exp",  "log",    "relu",    "gelu",  "silu",
      "tanh",  "sigmoid",     "where", "load", "random", "Reshape", "coord"};
  return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

}  // namespace shard
