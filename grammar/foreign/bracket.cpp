// Dimensions in other brackets than one pair of square ones: `A[I][J]`, `A(I, J)`.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/collective.h"
#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/foreign/rewrite.h"
#include "grammar/translate/function.h"
#include "grammar/translate/token.h"

namespace shard {
namespace {

using ForeignKind = ForeignToken::Kind;

bool is_index_name(std::string_view text) {
  text = bare_text(text);
  if (text.empty() || text.front() < 'A' || text.front() > 'Z') return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return c == '_' || c == '{' || c == '}' || c == ',' || (c >= '0' && c <= '9') || is_letter(c);
  });
}

// `i`, `i_x`: a dimension in small letters.
bool is_small_index(std::string_view text) {
  return !text.empty() && text.front() >= 'a' && text.front() <= 'z' &&
         (text.size() == 1 || text[1] == '_');
}

// `I_X`, `J`, `64`: what stands in the brackets of an array. With `small` also `i`, `j`.
bool are_dimensions(std::string_view word, std::string_view text, const ForeignNames& names,
                    bool small) {
  const std::vector<std::string> known = names.dimensions();
  const std::vector<std::string> items = parted_at_commas(text);
  // `tnah(A)` is a function of an array.
  const bool function = items.size() == 1 && word.size() > 2 && word.front() >= 'a' &&
                        items.front().find('_') == std::string::npos;
  const bool arrays = std::any_of(items.begin(), items.end(),
                                  [&](const std::string& item) { return names.is_array(item); });
  if (function || arrays) return false;
  const bool named =
      std::any_of(items.begin(), items.end(), is_index_name) || (small && items.size() > 1);
  return named && std::all_of(items.begin(), items.end(), [&](const std::string& item) {
           const bool number = !item.empty() && std::all_of(item.begin(), item.end(), is_digit);
           return number || is_index_name(item) || (small && is_small_index(item)) ||
                  std::find(known.begin(), known.end(), item) != known.end();
         });
}

// Whether the word may be an array that stands with its dimensions in parentheses.
bool may_be_array(std::string_view word, const ForeignNames& names) {
  return names.is_array(word) ||
         (!names.is_function(word) && find_collective(word.substr(0, word.find('_'))) == nullptr &&
          foreign_function(word) == nullptr);
}

}  // namespace

// `A[I_X][J]`: the text with all dimensions in one pair of brackets.
std::optional<ForeignMistake> read_two_pairs(std::string_view text, const ForeignNames& names) {
  ForeignRewrite line(text);
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != ']' || text[i + 1] != '[') continue;
    const std::size_t close = closing_bracket(text, i + 1);
    if (close == std::string_view::npos) break;
    const std::string_view inside = text.substr(i + 2, close - i - 2);
    if (!is_index_name(inside) || names.is_array(inside)) continue;
    line.find(i + 1, close + 1,
              "the dimensions of an array stand in one pair of brackets; a second "
              "pair picks an element");
    line.replace(i, i + 2, ", ");
  }
  // `float x[B][D]` is another mistake.
  return line.offered();
}

// `C(I, K) = A(I, J) * B(J, K)`: with brackets. The line makes such an array or another one, or one is known.
std::optional<ForeignMistake> read_parentheses(std::string_view text, const ForeignTokens& tokens,
                                               const ForeignNames& names) {
  ForeignRewrite rewrite(text);
  // What flows, stands next to brackets or is shown, is made of arrays.
  bool certain = is(tokens[0], "show") ||
                 std::any_of(tokens.begin(), tokens.end(), [](const ForeignToken& token) {
                   return is(token, "→") || is(token, "->") || is(token, "[");
                 });
  const auto opens = [&](std::size_t i) {
    return tokens[i].kind == ForeignKind::Word && tokens[i + 1].glued &&
           (is(tokens[i + 1], "(") || is(tokens[i + 1], "{")) && tokens[i].text.back() != '_' &&
           may_be_array(tokens[i].text, names) &&
           !(is(tokens[i + 1], "{") && tokens[i + 2].text.starts_with("U_"));  // mark.cpp
  };
  // One alone, `f(a, b)`, is a function of numbers.
  std::size_t groups = 0;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) groups += opens(i) ? 1 : 0;
  const bool small = groups > 1;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!opens(i)) continue;
    const std::size_t open = tokens[i + 1].begin;
    const std::size_t close = closing_bracket(text, open);
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view inside = text.substr(open + 1, close - open - 1);
    if (!are_dimensions(tokens[i].text, inside, names, small)) continue;
    const std::string_view rest = bare_text(text.substr(close + 1));
    const bool target =
        i == 0 && !rest.starts_with("==") && (rest.starts_with('=') || rest.starts_with(':'));
    certain = certain || target || names.is_array(tokens[i].text);
    rewrite.find(open, close + 1, "the dimensions of an array stand in brackets");
    // `x(B, D) w(D, F)`: factors side by side.
    const std::size_t done = rewrite.done();
    const bool beside = done > 0 && bare_text(text.substr(done, tokens[i].begin - done)).empty();
    if (beside) rewrite.replace(done, tokens[i].begin, " · ");
    rewrite.replace(open, close + 1, fmt::format("[{}]", inside));
  }
  if (!certain) return std::nullopt;
  std::string line = rewrite.line();
  // The sign of a product of arrays.
  for (const std::string_view sign : {"] * ", "] @ "}) {
    for (std::size_t at = line.find(sign); at != std::string::npos; at = line.find(sign, at + 1))
      line.replace(at, sign.size(), "] · ");
  }
  auto mistake = rewrite.offered(line);
  if (mistake && tokens[1].glued && !is(tokens[1], "."))
    mistake->made = std::string(tokens[0].text);
  return mistake;
}

}  // namespace shard
