// Products of matrices, which have no dimensions: `y = W x`, MATLAB's `y = x * w'`.
#include <fmt/format.h>

#include <algorithm>

#include "base/unit.h"
#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/translate/writer.h"

namespace shard {
namespace {

constexpr std::string_view kNameLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

// Letters side by side as the product of matrices that they are: `W x` as `W @ x`, `Q K^T` as `Q @ K.T`.
std::string with_products(std::string_view text, std::size_t& first) {
  std::string line;
  bool ended = false;  // an operand
  for (std::size_t i = 0; i < text.size();) {
    if (text.substr(i).starts_with("^T") || text.substr(i).starts_with("^\\top")) {
      line += ".T";
      i += text[i + 1] == 'T' ? 2 : 5;
      ended = true;
      continue;
    }
    const bool brace = text.substr(i).starts_with("^{T}");
    const std::size_t root = text.substr(i).starts_with("√") ? i + std::string_view("√").size() : 0;
    if (root > 0 && root < text.size() && is_letter(text[root])) {
      std::size_t end = root;
      while (end < text.size() && (is_letter(text[end]) || text[end] == '_')) ++end;
      line += fmt::format("sqrt({})", text.substr(root, end - root));
      i = end;
      ended = true;
      continue;
    }
    if (brace || text.substr(i).starts_with("√") || text.substr(i).starts_with("\\sqrt")) {
      line += brace ? ".T" : "sqrt";
      i += brace ? 4 : text[i] == '\\' ? 5 : std::string_view("√").size();
      ended = brace;
      continue;
    }
    const char c = text[i];
    const bool word = is_letter(c) || is_digit(c);
    const bool opens = c == '(' && (i == 0 || !is_letter(text[i - 1]));
    if (ended && ((word && is_letter(c)) || opens)) {
      line += " @ ";
      // Behind a name a parenthesis may be a remark, or a call that was meant.
      if (first == std::string_view::npos && !opens) first = i;
    }
    if (word) {
      const std::size_t begin = i;
      while (i < text.size() && (is_letter(text[i]) || is_digit(text[i]) || text[i] == '_')) ++i;
      const std::string_view name = text.substr(begin, i - begin);
      const bool capitals = name.size() == 2 &&
                            std::all_of(name.begin(), name.end(),
                                        [](char letter) { return letter >= 'A' && letter <= 'Z'; });
      line += capitals ? fmt::format("{} @ {}", name[0], name[1]) : std::string(name);
      if (capitals && first == std::string_view::npos) first = begin + 1;
      ended = i >= text.size() || text[i] != '(';
      continue;
    }
    if (c != ' ') ended = c == ')';
    line += c == '{' ? '(' : c == '}' ? ')' : c;
    ++i;
  }
  return line;
}

// Whether it may be a formula of matrices: names of one or two letters, and functions.
bool is_formula(std::string_view text) {
  std::size_t length = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    if (!is_letter(c) && length > 2 && c != '(' && c != '{') return false;
    length = is_letter(c) ? length + 1 : 0;
  }
  return text.find_first_of("[]\"'#:;,<>!&|%") == std::string_view::npos;
}

// MATLAB's `x * w'`: matrices, and what stands after a prime is transposed.
std::optional<ForeignMistake> read_primes(std::string_view text, const ForeignNames& names) {
  const std::size_t equal = text.find('=');
  std::size_t first = std::string_view::npos;
  std::string right;
  for (std::size_t i = equal == std::string_view::npos ? text.size() : equal + 1; i < text.size();
       ++i) {
    const bool prime = text[i] == '\'' && (is_letter(text[i - 1]) || text[i - 1] == ')');
    if (prime && first == std::string_view::npos) first = i;
    right += prime ? ".T" : text[i] == '*' ? "@" : std::string(1, text[i]);
  }
  const auto tree = first == std::string_view::npos ? std::nullopt : read_foreign_expression(right);
  if (!tree) return std::nullopt;
  const std::string target(bare_text(text.substr(0, equal)));
  ForeignWriter writer(names);
  const auto value = writer.write(*tree);
  if (!value || !value->is_array || target.find_first_not_of(kNameLetters) != std::string::npos)
    return std::nullopt;
  ForeignMistake mistake = foreign_mistake(
      first, first + 1,
      "a prime is part of a name here: another order of dimensions is told by brackets");
  mistake.made = target;
  mistake.array = {value->seen_dimensions()};
  const std::string line = fmt::format("{}{} = {}", target, brackets_text(value->seen_dimensions()),
                                       value->named ? bracketed_text(*value) : value->text);
  if (is_readable(line)) mistake.help = {line};
  return mistake;
}

// `y = W x`, `S = Q K^T`
std::optional<ForeignMistake> read_juxtaposition(std::string_view text, const ForeignNames& names) {
  const std::size_t equal = text.find('=');
  if (equal == std::string_view::npos || !is_formula(text)) return std::nullopt;
  const std::string_view target = bare_text(text.substr(0, equal));
  const bool plain = !target.empty() && std::all_of(target.begin(), target.end(), is_letter);
  std::size_t first = std::string_view::npos;
  const std::string right = with_products(text.substr(equal + 1), first);
  if (!plain || first == std::string_view::npos || right.find(" @ ") == std::string::npos)
    return std::nullopt;
  // `t = n us` is a number with its unit.
  const std::size_t after = equal + 1 + text.substr(equal + 1).find_first_not_of(' ');
  const std::string_view begin_word = text.substr(after, equal + 1 + first - after);
  if (names.is_scalar(bare_text(begin_word)) &&
      parse_unit(bare_text(text.substr(equal + 1 + first))))
    return std::nullopt;
  const auto tree = read_foreign_expression(right);
  if (!tree) return std::nullopt;
  // Two words of English are no product.
  ForeignWriter writer(names);
  const auto value = writer.write(*tree);
  if (!value || !value->is_array) return std::nullopt;
  const std::size_t begin = equal + 1 + first;
  ForeignMistake mistake = foreign_mistake(
      begin, begin + 1,
      "a product has a sign, `·`, and its arrays have their dimensions in brackets");
  mistake.made = std::string(target);
  mistake.array = {value->seen_dimensions()};
  const bool brackets = value->use != ForeignOperand::Use::Value;
  const std::string line = fmt::format(
      "{}{} = {}", target, brackets ? brackets_text(value->seen_dimensions()) : "", value->text);
  if (is_readable(line)) mistake.help = {line};
  return mistake;
}

}  // namespace

std::optional<ForeignMistake> read_foreign_matrices(std::string_view text,
                                                    const ForeignNames& names) {
  if (auto mistake = read_primes(text, names)) return mistake;
  return read_juxtaposition(text, names);
}

}  // namespace shard
