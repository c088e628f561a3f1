// What stands in another order or between other signs: meshes, sizes, comparisons, targets, arrows.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/source/left_arrow.h"
#include "grammar/translate/token.h"

namespace shard {
namespace {

using ForeignKind = ForeignToken::Kind;
using Tokens = ForeignTokens;

// `X = 4, Y: 2x2` from token `i` on, as `X: 4, Y: 2x2`; empty if it is anything else.
std::string pairs_of(std::string_view text, const Tokens& tokens, std::size_t i,
                     std::string_view separator) {
  std::vector<std::string> pairs;
  const auto passes = [&](const ForeignToken& token) {
    return is(token, ",") || is(token, "{") || is(token, "(") || is(token, "}") || is(token, ")") ||
           is(token, ";") || is(token, "[") || is(token, "]");
  };
  while (tokens[i].kind != ForeignKind::End) {
    if (passes(tokens[i])) {
      ++i;
      continue;
    }
    const bool name = tokens[i].kind == ForeignKind::Word || tokens[i].kind == ForeignKind::Text;
    const bool sign = is(tokens[i + 1], ":") || is(tokens[i + 1], "=");
    if (!name || !sign || tokens[i + 2].kind != ForeignKind::Number) return "";
    pairs.push_back(fmt::format("{}{}{}", tokens[i].text, separator, tokens[i + 2].text));
    i += 3;
  }
  return text.empty() ? "" : join(pairs, ", ");
}

// `cfg = {"B": 64, "D": 128}`
std::optional<ForeignMistake> read_dictionary(std::string_view text, const Tokens& tokens) {
  const bool opens = tokens[0].kind == ForeignKind::Word && is(tokens[1], "=") &&
                     is(tokens[2], "{") && is(tokens[4], ":");
  if (!opens || (tokens[3].kind != ForeignKind::Text && tokens[3].kind != ForeignKind::Word))
    return std::nullopt;
  ForeignMistake mistake =
      foreign_mistake(tokens[2], "there are no dictionaries: names stand by themselves");
  mistake.made = std::string(tokens[0].text);
  const std::string pairs = pairs_of(text, tokens, 2, " = ");
  if (!pairs.empty()) offer_line(mistake, pairs);
  return mistake;
}

// `mesh = (4, 2)`, `mesh [4, 2]`, `mesh = 4x2`: sizes without names.
std::optional<ForeignMistake> read_mesh_of_sizes(const Tokens& tokens, std::size_t begin) {
  std::vector<std::string> sizes;
  for (std::size_t i = begin; i + 1 < tokens.size(); ++i) {
    const ForeignToken& token = tokens[i];
    if (token.kind == ForeignKind::Number) {
      sizes.emplace_back(token.text);
      continue;
    }
    const bool between = is(token, ",") || is(token, "x") || is(token, "*") || is(token, "×");
    const bool bracket = is(token, "(") || is(token, ")") || is(token, "[") || is(token, "]") ||
                         is(token, "{") || is(token, "}");
    if (!between && !bracket) return std::nullopt;
  }
  if (sizes.empty()) return std::nullopt;
  ForeignMistake mistake =
      foreign_mistake(tokens[begin].begin, tokens[tokens.size() - 2].end,
                      "the axes of a mesh have names, and stand in braces, each with its size");
  offer_line(mistake, mesh_line(sizes, {}));
  return mistake;
}

// `mesh = {X = 4}`, `mesh(X=4)`, `mesh {X: 4 Y: 2}`
std::optional<ForeignMistake> read_mesh(std::string_view text, const Tokens& tokens) {
  if (!is(tokens[0], "mesh") && !is(tokens[0], "Mesh")) return std::nullopt;
  const std::size_t begin = is(tokens[1], "=") ? 2 : 1;
  const std::string pairs = pairs_of(text, tokens, begin, ": ");
  if (pairs.empty()) return read_mesh_of_sizes(tokens, begin);
  ForeignToken place = tokens[1];
  std::string message = "the axes of a mesh stand in braces, each with its size";
  for (std::size_t i = begin; i + 1 < tokens.size(); ++i) {
    const bool gap =
        tokens[i].kind == ForeignKind::Number && tokens[i + 1].kind == ForeignKind::Word;
    if (!gap) continue;
    place = tokens[i + 1];
    message = "a comma stands between the axes of a mesh";
  }
  ForeignToken last = tokens[1];
  for (const ForeignToken& token : tokens) {
    if (token.kind != ForeignKind::End) last = token;
  }
  if (message.front() == 't' && is(tokens[1], "{") && is(last, "}")) {
    place = last;
    const bool twice = text.find("}}") != std::string_view::npos;
    if (twice) message = "`}` closes nothing";
    for (std::size_t i = begin; i < tokens.size() && !twice; ++i) {
      if (!is(tokens[i], "=")) continue;
      place = tokens[i];
      message = "the size of an axis stands after `:`";
      break;
    }
  }
  ForeignMistake mistake = foreign_mistake(place, std::move(message));
  offer_line(mistake, fmt::format("mesh {{{}}}", pairs));
  return mistake;
}

// `I: 64, J: 64`
std::optional<ForeignMistake> read_sizes(std::string_view text, const Tokens& tokens) {
  if (tokens[0].kind != ForeignKind::Word || !is(tokens[1], ":")) return std::nullopt;
  const std::string pairs = pairs_of(text, tokens, 0, " = ");
  if (pairs.empty()) return std::nullopt;
  ForeignMistake mistake =
      foreign_mistake(tokens[1], "a size is given by `=`, an element type by `:`");
  offer_line(mistake, pairs);
  return mistake;
}

// `x = AllGather_X x[B_X] → x[B]`
std::optional<ForeignMistake> read_two_targets(std::string_view text, const Tokens& tokens) {
  int depth = 0;
  const ForeignToken* equal = nullptr;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const ForeignToken& token = tokens[i];
    if (is(token, "[") || is(token, "{") || is(token, "(")) ++depth;
    if (is(token, "]") || is(token, "}") || is(token, ")")) --depth;
    if (depth > 0) continue;
    if (is(token, "=") && equal == nullptr) equal = &token;
    if (equal == nullptr || (!is(token, "→") && !is(token, "->"))) continue;
    ForeignMistake mistake =
        foreign_mistake(token, "a line has one target, in front of a `=` or after an arrow");
    offer_line(mistake, std::string(text.substr(equal->end)));
    if (mistake.help.empty()) return std::nullopt;
    return mistake;
  }
  return std::nullopt;
}

// Arrows to the right of other notations.
constexpr std::string_view kRightArrows[] = {"=>", "⇒", "==>", "-->", "--->", "|->", "~>",  "~~>",
                                             "⟹",  "↦", "⟼",   "⇢",   "⇨",    "➔",   "➜",   "➡",
                                             "➞",  "↝", "⤳",   "⇝",   ">>",   ">>>", ">->", "->>"};

// `sum_J(A)`, `A + 1`, `A`: what can be read, and is no word of a remark.
bool is_value(std::string_view text) {
  constexpr std::size_t kLongestName = 4;
  const bool computes = text.find_first_of("(+*/") != std::string_view::npos ||
                        text.find("·") != std::string_view::npos ||
                        text.find("⊙") != std::string_view::npos;
  return (computes || text.size() <= kLongestName) && is_readable(text);
}

// `A[I] <- B[I]`, `A[I_X] ~> A[I]`
std::optional<ForeignMistake> read_arrow(std::string_view text, const Tokens& tokens) {
  for (std::size_t i = 1; i + 2 < tokens.size(); ++i) {
    const ForeignToken& token = tokens[i];
    const auto is_sign = [&](std::string_view sign) { return is(token, sign); };
    const bool back = std::any_of(std::begin(kLeftArrows), std::end(kLeftArrows), is_sign);
    if (!back && std::none_of(std::begin(kRightArrows), std::end(kRightArrows), is_sign)) continue;
    // Signs that mean something between numbers have an array on either side.
    const bool own = is(token, ">>");
    const bool arrays = (is(tokens[i - 1], "]") || is(tokens[i - 1], "}")) &&
                        tokens[i + 1].kind == ForeignKind::Word && is(tokens[i + 2], "[");
    if (own && !arrays) continue;
    const std::string_view left = bare_text(text.substr(0, token.begin));
    const std::string_view right = bare_text(text.substr(token.end));
    // `A[I_X] → A[I]  <-- no comms!`
    const bool remark = back && tokens[i + 1].kind != ForeignKind::End &&
                        left.find('[') != std::string_view::npos &&
                        right.find('[') == std::string_view::npos && !is_value(right) &&
                        is_readable(left);
    if (remark) {
      ForeignMistake mistake = foreign_mistake(token.begin, token.end, "remarks begin with `#`");
      offer_line(mistake, fmt::format("{}  # {}", left, text.substr(token.begin)));
      return mistake;
    }
    ForeignMistake mistake = foreign_mistake(
        token, back ? "arrows point to the right"
                    : fmt::format("`{}` means nothing in the notation: an arrow is `→` or `->`",
                                  token.text));
    offer_line(mistake, fmt::format("{} → {}", back ? right : left, back ? left : right));
    if (own && mistake.help.empty()) return std::nullopt;
    return mistake;
  }
  return std::nullopt;
}

// `0 < B < 100`. Signs that open to both sides are no chain, but a tag: `A<sub>in</sub>`.
std::optional<ForeignMistake> read_chain(std::string_view text, const Tokens& tokens,
                                         const ForeignNames& names) {
  const auto rises = [](const ForeignToken& token) {
    return is(token, "<") || is(token, "<=") || is(token, "≤") || is(token, "==");
  };
  const auto falls = [](const ForeignToken& token) {
    return is(token, ">") || is(token, ">=") || is(token, "≥") || is(token, "==");
  };
  for (std::size_t i = 1; i + 3 < tokens.size(); ++i) {
    const ForeignToken& next = tokens[i + 2];
    const bool chained = (rises(tokens[i]) && rises(next)) || (falls(tokens[i]) && falls(next));
    if (!chained || !ends_operand(tokens[i + 1])) continue;
    ForeignMistake mistake = foreign_mistake(next, "comparisons do not chain");
    const std::string line = fmt::format("{} and {}", text.substr(0, tokens[i + 1].end),
                                         text.substr(tokens[i + 1].begin));
    offer_line(mistake, line);
    if (const auto elements = read_conditions_of_arrays(line, names)) mistake.help = elements->help;
    return mistake;
  }
  return std::nullopt;
}

// `A[I_X, J] P('Y', None)`: where both said the same, the line would have been read.
std::optional<ForeignMistake> read_second_layout(std::string_view text, const Tokens& tokens) {
  constexpr std::string_view kLayouts[] = {"P", "PS", "PartitionSpec", "Shard", "Replicate"};
  for (std::size_t i = 2; i + 1 < tokens.size(); ++i) {
    const bool list = is(tokens[i], "[") || is(tokens[i], "(");
    const ForeignToken& word = tokens[i + (list ? 1 : 0)];
    if (!is(tokens[i - 1], "]") || !contains(kLayouts, word.text)) continue;
    const std::size_t open = text.rfind('[', tokens[i - 1].begin);
    const bool split =
        open != std::string_view::npos &&
        text.substr(open, tokens[i].begin - open).find_first_of("_@") != std::string_view::npos;
    ForeignMistake mistake = foreign_mistake(
        tokens[i],
        split ? "the array has another layout in its brackets already: one of the two is right"
              : "a layout beside an array has no more entries than its dimensions, and placements "
                "one for each axis of the mesh above");
    if (!split) return mistake;
    offer_line(mistake, bare_text(text.substr(0, tokens[i].begin)));
    return mistake;
  }
  return std::nullopt;
}

}  // namespace

std::optional<ForeignMistake> read_foreign_order(std::string_view text, const ForeignNames& names) {
  const auto tokens = foreign_tokens(text);
  if (!tokens || tokens->size() < 3) return std::nullopt;
  if (auto mistake = read_mesh(text, *tokens)) return mistake;
  if (auto mistake = read_sizes(text, *tokens)) return mistake;
  if (auto mistake = read_dictionary(text, *tokens)) return mistake;
  if (auto mistake = read_chain(text, *tokens, names)) return mistake;
  if (auto mistake = read_foreign_declaration(text, names)) return mistake;
  if (auto mistake = read_two_targets(text, *tokens)) return mistake;
  if (auto mistake = read_second_layout(text, *tokens)) return mistake;
  return read_arrow(text, *tokens);
}

}  // namespace shard
