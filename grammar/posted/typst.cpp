// Formulas of Typst.
#include <string>
#include <utility>

#include "grammar/posted/spelling.h"

namespace shard {
namespace {

// Words of its formulas that stand for signs.
constexpr std::pair<std::string_view, std::string_view> kTypstWords[] = {
    {"dot", "·"},   {"dot.op", "·"},       {"dot.c", "·"},  {"times", "·"},  {"ast", "·"},
    {"->", "→"},    {"arrow.r", "→"},      {"arrow", "→"},  {"=>", "→"},     {"-->", "→"},
    {"|->", "→"},   {"arrow.r.long", "→"}, {"quad", "  "},  {"qquad", "  "}, {"space", " "},
    {"wide", "  "}, {"thin", " "},         {"times.o", "·"}};

std::string subscript_row(const std::string& text) {
  std::string bare;
  for (const char c : text) {
    if (c != ' ') bare += c;
  }
  return bare;
}

bool is_typst(const std::string& text) {
  static const std::regex mark(
      R"(\$[^$]*("[A-Za-z ]+"|\w_\(|\bdot(_|\b)|\btimes\b|arrow\.r|bold\(|upright\()[^$]*\$)");
  return text.find('\\') == std::string::npos || text.find("\\{") != std::string::npos ||
                 text.ends_with("\\")
             ? std::regex_search(text, mark)
             : false;
}

// A line of a formula over several lines: `quad W_k[D, K_Y, H],`.
bool is_typst_row(const std::string& text) {
  static const std::regex mark(R"(^\s*&?\s*(quad\b|upright\(|"[A-Za-z]+"(\[|_)))");
  return std::regex_search(text, mark);
}

}  // namespace

void respell_typst(Respelt& line) {
  if (!is_typst(line.text()) && !is_typst_row(line.text())) return;
  // The look of a letter, and names in quotes.
  static const std::regex look_pattern(
      R"((bold|upright|italic|cal|bb|sans|mono|op|text|math\.bold|math\.upright)\(([^()]*)\))");
  line.replace_all(look_pattern, [](const auto& match) { return match.str(2); });
  static const std::regex name(R"re("([^"]*)")re");
  line.replace_all(name, [](const auto& match) { return match.str(1); });
  // `D_(X Y Z)` are three axes.
  static const std::regex subscript(R"(_\(([A-Za-z0-9, ]*)\))");
  line.replace_all(subscript,
                   [](const auto& match) { return "_{" + subscript_row(match.str(1)) + "}"; });
  static const std::regex word_pattern(
      R"((^|[\s$&\])}])(dot\.op|dot\.c|dot|times\.o|times|ast|arrow\.r\.long|arrow\.r|arrow|-->|\|->|->|=>|qquad|quad|space|wide|thin)(?=[\s_$&]|$))");
  line.replace_all(word_pattern, [](const auto& match) -> std::optional<std::string> {
    for (const auto& [word, sign] : kTypstWords) {
      if (match.str(2) == word) return match.str(1) + std::string(sign);
    }
    return std::nullopt;
  });
  static const std::regex break_pattern(R"(\\\s*$)");
  line.replace_all(break_pattern, [](const auto&) { return std::string(); });
}

}  // namespace shard
