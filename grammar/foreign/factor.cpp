// Factors side by side, `2 B D`, also in formulas of LaTeX.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/unit.h"
#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/foreign/rewrite.h"
#include "grammar/markup/plain_text.h"
#include "grammar/translate/token.h"
#include "grammar/tree/keyword.h"

namespace shard {
namespace {

using ForeignKind = ForeignToken::Kind;
using Tokens = ForeignTokens;

bool ends_factor(const ForeignToken& token, bool bar_open) {
  return token.kind == ForeignKind::Word || token.kind == ForeignKind::Number || is(token, ")") ||
         (is(token, "|") && !bar_open);
}

bool begins_factor(const ForeignToken& token, bool bar_open) {
  return token.kind == ForeignKind::Word || token.kind == ForeignKind::Number || is(token, "(") ||
         (is(token, "|") && !bar_open);
}

// `n GB`: the unit is no name of the script.
bool is_unit_of_name(const ForeignToken& name, const ForeignToken& unit,
                     const ForeignNames& names) {
  return name.kind == ForeignKind::Word && names.is_scalar(name.text) &&
         unit.kind == ForeignKind::Word && !names.is_scalar(unit.text) && parse_unit(unit.text);
}

// `2 GB`, and no `2 B D`: a number with its unit, as it is written here too.
bool is_amount(const Tokens& tokens, std::size_t number) {
  const ForeignToken& unit = tokens[number + 1];
  return tokens[number].kind == ForeignKind::Number && unit.kind == ForeignKind::Word &&
         parse_unit(unit.text) &&
         (number + 2 == tokens.size() || !begins_factor(tokens[number + 2], true));
}

// `2 B D / (|X| |Y|)`: numbers and names of numbers, nothing else.
std::optional<ForeignMistake> read_factors(std::string_view text, const Tokens& tokens,
                                           const ForeignNames& names) {
  static constexpr std::string_view kWords[] = {"and", "or", "not", "mod", "in", "else"};
  const auto is_word = [&](const ForeignToken& token) {
    const Keyword* keyword = find_keyword(token.text);
    return (keyword != nullptr && takes_value(*keyword)) ||
           std::any_of(std::begin(kWords), std::end(kWords),
                       [&](std::string_view word) { return is(token, word); });
  };
  ForeignRewrite line(text);
  bool bar = false;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const ForeignToken& token = tokens[i];
    const bool name = token.kind == ForeignKind::Word && !is_word(token);
    const bool target = i == 0 && is(tokens[1], "=");
    // `B`, `W_ici`
    const bool letter =
        !token.text.empty() && token.text[0] >= 'A' && token.text[0] <= 'Z' &&
        (token.text.size() == 1 ||
         (token.text[1] == '_' && std::all_of(token.text.begin() + 2, token.text.end(),
                                              [](char c) { return c >= 'a' && c <= 'z'; })));
    const bool known = names.is_scalar(token.text) || is(token, "devices");
    const bool unit = i > 0 && is_unit_of_name(tokens[i - 1], token, names);
    const bool field = is(tokens[i + 1], ".") || (i > 0 && is(tokens[i - 1], "."));
    const bool call = is(tokens[i + 1], "(") && tokens[i + 1].glued;
    if (name && !target && !field && !call && !letter && !known && !unit) return std::nullopt;
    if (names.is_array(token.text) || is(token, "[") || is(token, "{") || is(token, ":"))
      return std::nullopt;
    if (is(token, "||")) return std::nullopt;
    const bool is_bar = is(token, "|");
    if (is_bar) bar = !bar;
    const bool joined = !is_word(token) && !is_word(tokens[i + 1]) && ends_factor(token, bar) &&
                        begins_factor(tokens[i + 1], bar) && !(call && name);
    // `C (B)` may be a remark.
    const bool remark =
        is(tokens[i + 1], "(") && !tokens[i + 1].glued && !is(token, ")") && !line.mistake();
    if (!joined || remark || is_amount(tokens, i)) continue;
    line.find(token.begin, tokens[i + 1].end,
              is_unit_of_name(token, tokens[i + 1], names)
                  ? "a unit stands after a number"
                  : "factors stand with a `*` between them");
    const bool before_unit = is_unit_of_name(token, tokens[i + 1], names);
    line.replace(token.end, tokens[i + 1].begin, before_unit ? " * 1 " : " * ");
  }
  auto mistake = line.offered();
  if (mistake && tokens.size() > 2 && is(tokens[1], "="))
    mistake->made = std::string(tokens[0].text);
  return mistake;
}

// `2BDF` as `2 * B * D * F`; empty if it is no number with names after it.
std::string factors_of_number(std::string_view text) {
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  std::string line(text.substr(0, digits));
  if (digits == 0 || digits == text.size()) return "";
  for (const char c : text.substr(digits)) {
    if (c < 'A' || c > 'Z') return "";
    line += fmt::format(" * {}", c);
  }
  return line;
}

// `((a)/(b))`, which a fraction of LaTeX becomes, with no more parentheses than it needs after `= `.
std::string without_outer_parentheses(std::string line) {
  const std::size_t open = line.find("= ((");
  if (open == std::string::npos || !line.ends_with("))")) return line;
  const std::size_t middle = line.find(")/(", open);
  if (middle == std::string::npos || line.find(")/(", middle + 1) != std::string::npos) return line;
  const std::string above = line.substr(open + 4, middle - open - 4);
  const std::string below = line.substr(middle + 3, line.size() - middle - 5);
  const bool sum = above.find_first_of("+-()") != std::string::npos;
  const bool atom = std::all_of(below.begin(), below.end(), is_name_character);
  if (below.find_first_of("()") != std::string::npos) return line;
  return fmt::format("{}= {} / {}", line.substr(0, open), sum ? "(" + above + ")" : above,
                     atom ? below : "(" + below + ")");
}

// What is typed for a formula of LaTeX, with `*` for its signs. nullopt for one of arrays.
std::optional<std::string> typed_formula(std::string_view text) {
  std::string plain = without_markup(text).text;
  if (plain.find("·_") != std::string::npos) return std::nullopt;
  for (const std::string_view sign : {"×", "·"}) {
    for (std::size_t at = plain.find(sign); at != std::string::npos; at = plain.find(sign))
      plain.replace(at, sign.size(), "*");
  }
  // `W_{ici}`
  for (std::size_t at = plain.find("_{"); at != std::string::npos; at = plain.find("_{", at + 1)) {
    const std::size_t close = plain.find('}', at);
    if (close == std::string::npos) return std::nullopt;
    plain.erase(close, 1);
    plain.erase(at + 1, 1);
  }
  return plain;
}

}  // namespace

// `T = \frac{2 B D F}{C}`: a formula of LaTeX as a number.
std::optional<ForeignMistake> read_foreign_formula(std::string_view text,
                                                   const ForeignNames& names) {
  const auto typed = text.find('\\') == std::string_view::npos ? std::nullopt : typed_formula(text);
  if (!typed) return std::nullopt;
  const auto tokens = foreign_tokens(*typed);
  if (!tokens || tokens->size() < 4) return std::nullopt;
  const bool binds = is((*tokens)[1], "=");
  if (!binds && !is((*tokens)[0], "expect") && !is((*tokens)[0], "print")) return std::nullopt;
  ForeignRewrite line(*typed);
  for (const ForeignToken& token : *tokens) {
    if (token.kind == ForeignKind::Word && names.is_array(token.text)) return std::nullopt;
    const std::string product =
        token.kind == ForeignKind::Number ? factors_of_number(token.text) : "";
    if (product.empty()) continue;
    line.replace(token.begin, token.end, product);
  }
  std::string plain = line.line();
  const auto parted = foreign_tokens(plain);
  if (!parted) return std::nullopt;
  if (const auto factors = read_factors(plain, *parted, names)) plain = factors->help.front();
  plain = without_outer_parentheses(std::string(bare_text(plain)));
  const bool numbers = plain.find_first_of("[{\\→") == std::string::npos;
  if (!numbers || !is_readable(plain)) return std::nullopt;
  ForeignMistake mistake = foreign_mistake(
      0, text.size(),
      "this is a formula of the text: here a product has a `*` between its factors");
  mistake.help = {plain};
  if (binds) mistake.made = std::string((*tokens)[0].text);
  return mistake;
}

std::optional<ForeignMistake> read_foreign_factors(std::string_view text,
                                                   const ForeignNames& names) {
  const auto tokens = foreign_tokens(text);
  if (!tokens || tokens->size() < 4) return std::nullopt;
  return read_factors(text, *tokens, names);
}

}  // namespace shard
