#include "grammar/foreign/foreign.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/words.h"
#include "grammar/foreign/line.h"

namespace shard {

namespace {

// Blocks go before words and functions, which stand inside them; whole lines before their signs.
std::optional<ForeignMistake> read_any(std::string_view text, const ForeignNames& names) {
  if (auto mistake = read_foreign_remark(text)) return mistake;
  if (auto mistake = read_foreign_sheet(text, names)) return mistake;
  if (auto mistake = read_foreign_block(text, names)) return mistake;
  if (auto mistake = read_foreign_form(text, names)) return mistake;
  if (auto mistake = read_foreign_words(text, names)) return mistake;
  if (auto mistake = read_foreign_mark(text, names)) return mistake;
  if (auto mistake = read_foreign_target(text, names)) return mistake;
  if (auto mistake = read_foreign_split(text, names)) return mistake;
  if (auto mistake = read_foreign_phrase(text, names)) return mistake;
  if (auto mistake = read_foreign_order(text, names)) return mistake;
  if (auto mistake = read_foreign_size(text, names)) return mistake;
  if (auto line = read_foreign_line(text, names)) return line->mistake;
  if (auto mistake = read_foreign_signs(text, names)) return mistake;
  if (auto mistake = read_foreign_board(text, names)) return mistake;
  return read_foreign_factors(text, names);
}

// `else if` goes on with what stands before it on its line.
void join_else(std::vector<std::string>& help, std::string_view before) {
  const std::string_view line = bare_text(before.substr(before.rfind('\n') + 1));
  for (std::string& text : help) {
    const std::string whole = fmt::format("{} {}", line, text);
    if (text.starts_with("else if") && !line.empty() && is_readable(whole)) text = whole;
  }
}

}  // namespace

std::optional<ForeignMistake> read_foreign(std::string_view text, const ForeignNames& names) {
  // What is longer was written by a program, and by none of these habits.
  constexpr std::size_t kLongest = 4000;
  if (text.size() > kLongest) return std::nullopt;
  auto mistake = read_any(text, names);
  // A call that has lost what it is of says nothing.
  if (mistake && text.find("()") == std::string_view::npos)
    std::erase_if(mistake->help,
                  [](const std::string& line) { return line.find("()") < line.size(); });
  if (mistake && mistake->help.empty() && mistake->message.ends_with(kLeaveOut))
    mistake->help = {fmt::format("# {}", bare_text(text.substr(0, text.find('\n'))))};
  return mistake;
}

std::string mesh_line(const std::vector<std::string>& sizes, std::vector<std::string> axes) {
  constexpr std::size_t kMost = 6;
  for (const char* const name : {"X", "Y", "Z", "V", "U", "T", "S", "R", "Q", "P", "O", "N"}) {
    if (axes.size() < sizes.size() && std::find(axes.begin(), axes.end(), name) == axes.end())
      axes.emplace_back(name);
  }
  axes.resize(std::min(axes.size(), kMost));
  std::string text;
  for (std::size_t i = 0; i < axes.size(); ++i)
    text += fmt::format("{}{}: {}", i == 0 ? "" : ", ", axes[i], i < sizes.size() ? sizes[i] : "2");
  return text.empty() ? "mesh {X: 4, Y: 2}" : fmt::format("mesh {{{}}}", text);
}

std::vector<std::string> written_dimensions(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t open = at + name.size();
    if ((at > 0 && is_name_character(text[at - 1])) || open >= text.size() || text[open] != '[')
      continue;
    const std::size_t close = text.find(']', open);
    if (close == std::string_view::npos) return {};
    std::vector<std::string> dimensions;
    std::string_view rest = text.substr(open + 1, close - open - 1);
    while (true) {
      // Commas stand in `D_{X,Y}` as well.
      std::string_view word = bare_text(rest);
      std::size_t length = 0;
      while (length < word.size() && is_name_character(word[length])) ++length;
      const std::string_view dimension = word.substr(0, std::min(word.find('_'), length));
      if (dimension.empty() || !is_letter(dimension.front())) return {};
      dimensions.emplace_back(dimension);
      word.remove_prefix(length);
      if (word.starts_with('{')) word.remove_prefix(std::min(word.find('}'), word.size() - 1) + 1);
      word = bare_text(word);
      if (word.empty()) return dimensions;
      if (word.front() != ',') return {};
      rest = word.substr(1);
    }
  }
  return {};
}

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
  static const std::vector<DiagnosticKind> kinds = [] {
    std::vector<DiagnosticKind> retold;
    for (const DiagnosticInfo& entry : diagnostic_catalogue()) {
      if (entry.foreign == Foreign::Retold) retold.push_back(entry.kind);
    }
    return retold;
  }();
  return kinds;
}

}  // namespace shard
