// Operators that are written otherwise here, and what stands in another order.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/foreign/token.h"
#include "grammar/tree/names.h"

namespace shard {
namespace {

using ForeignKind = ForeignToken::Kind;
using Tokens = ForeignTokens;

// A sign between two operands.
struct ForeignSign {
  std::string_view foreign;
  std::string_view own;
  std::string_view meaning;
};
constexpr ForeignSign kForeignSigns[] = {
    {"**", "^", "a power is written `^`"},
    {"%", " mod ", "a remainder is written `mod`"},
    {"&&", " and ", "`and` joins conditions"},
    {"||", " or ", "`or` joins conditions"},
    {"&", " and ", "`and` joins conditions"},
    {":=", " = ", "a name gets its value by `=`"},
    {".^", "^", "a power is written `^`, also of elements"},
    {"./", " / ", "a quotient is written `/`, also of elements"},
    {".+", " + ", "`+` adds elements as it is, without a dot"},
    {".-", " - ", "`-` subtracts elements as it is, without a dot"},
    {".==", " == ", "comparisons of elements stand without a dot"},
    {".!=", " != ", "comparisons of elements stand without a dot"},
    {".<=", " <= ", "comparisons of elements stand without a dot"},
    {".>=", " >= ", "comparisons of elements stand without a dot"},
    {".<", " < ", "comparisons of elements stand without a dot"},
    {".>", " > ", "comparisons of elements stand without a dot"},
    {".=", " = ", "a name gets its value by `=`"},
    {"//", "", "a quotient is rounded down by `floor`"},
    {"<<", " * 2^", "a shift of bits is a product with a power of 2"},
};

bool is_operand_end(const ForeignToken& token) {
  return token.kind == ForeignKind::Word || token.kind == ForeignKind::Number ||
         token.text == ")" || token.text == "]" || token.text == "|";
}

bool is_operand_begin(const ForeignToken& token) {
  return token.kind == ForeignKind::Word || token.kind == ForeignKind::Number ||
         token.text == "(" || token.text == "-" || token.text == "!" || token.text == "|";
}

ForeignMistake at(const ForeignToken& token, std::string message) {
  return {.begin = token.begin,
          .end = token.end,
          .message = std::move(message),
          .help = {},
          .made = {},
          .array = {}};
}

// `B = 4 % the batch`
bool begins_remark(const Tokens& tokens, std::size_t sign, const ForeignNames& names) {
  const ForeignToken& next = tokens[sign + 1];
  if (next.kind != ForeignKind::Word) return false;
  const bool unknown = !names.is_scalar(next.text) && !names.is_array(next.text);
  return unknown && (tokens[sign + 2].kind == ForeignKind::Word || is_english_word(next.text));
}

// `B and D < 100` as `B != 0 and D < 100`: a number that stands for a condition is one that is not 0.
std::string with_conditions(std::string_view text, const ForeignNames& names) {
  const auto tokens = foreign_tokens(text);
  if (!tokens) return std::string(text);
  const std::vector<std::string> numbers = names.dimensions();
  const auto joins = [](const ForeignToken& token) { return is(token, "and") || is(token, "or"); };
  const auto begins = [](const ForeignToken& token) {
    return is(token, "expect") || is(token, "if") || is(token, "print") || is(token, "=") ||
           is(token, "(") || is(token, "not");
  };
  const auto ends = [](const ForeignToken& token) {
    return is(token, "{") || is(token, ")") || token.kind == ForeignKind::End;
  };
  std::string line;
  std::size_t done = 0;
  for (std::size_t i = 1; i + 1 < tokens->size(); ++i) {
    const ForeignToken& before = (*tokens)[i - 1];
    const ForeignToken& next = (*tokens)[i + 1];
    const bool alone =
        (joins(before) && (joins(next) || ends(next))) || (begins(before) && joins(next));
    const std::string_view name = (*tokens)[i].text;
    if (!alone || std::find(numbers.begin(), numbers.end(), name) == numbers.end()) continue;
    line += fmt::format("{} != 0", text.substr(done, (*tokens)[i].end - done));
    done = (*tokens)[i].end;
  }
  line += text.substr(done);
  return line;
}

// The dot of `relu.(x)`.
bool is_dotted_call(const Tokens& tokens, std::size_t dot) {
  return dot > 0 && is(tokens[dot], ".") && tokens[dot].glued &&
         tokens[dot - 1].kind == ForeignKind::Word && is(tokens[dot + 1], "(") &&
         tokens[dot + 1].glued;
}

// The text with its signs as they are here; the first of them is the mistake.
std::optional<ForeignMistake> read_operators(std::string_view text, const Tokens& tokens,
                                             const ForeignNames& names) {
  std::optional<ForeignMistake> mistake;
  std::string line;
  std::size_t done = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const auto* sign = std::find_if(std::begin(kForeignSigns), std::end(kForeignSigns),
                                    [&](const ForeignSign& s) { return is(tokens[i], s.foreign); });
    if (is_dotted_call(tokens, i)) {
      if (!mistake)
        mistake = at(tokens[i], "a function stands by its name alone, also for elements");
      line += text.substr(done, tokens[i].begin - done);
      done = tokens[i].end;
      continue;
    }
    const bool negation = is(tokens[i], "!") && is_operand_begin(tokens[i + 1]);
    const bool between = sign != std::end(kForeignSigns) && i > 0 &&
                         is_operand_end(tokens[i - 1]) && is_operand_begin(tokens[i + 1]);
    if (!negation && !between) continue;
    const bool remark = is(tokens[i], "%") || is(tokens[i], "//");
    if (between && remark && begins_remark(tokens, i, names)) {
      mistake = at(tokens[i], "remarks begin with `#`");
      offer_line(*mistake, fmt::format("{}# {}", text.substr(0, tokens[i].begin),
                                       bare_text(text.substr(tokens[i].end))));
      return mistake;
    }
    const bool quotient = between && sign->own.empty();
    const bool of_array =
        quotient && (is(tokens[i - 1], "]") || names.is_array(tokens[i - 1].text));
    const bool floor = quotient && !of_array;
    const std::size_t before = floor     ? tokens[i - 1].begin
                               : between ? tokens[i - 1].end
                                         : tokens[i].begin;
    line += text.substr(done, before - done);
    line += negation ? "not " : of_array ? " / " : sign->own;
    done = tokens[i + 1].begin;
    if (floor) {
      line += fmt::format("floor({} / {})", tokens[i - 1].text, tokens[i + 1].text);
      done = tokens[i + 1].end;
    }
    if (!mistake)
      mistake = at(tokens[i], negation   ? "`not` stands before a condition"
                              : of_array ? "elements of arrays are divided by `/`"
                                         : std::string(sign->meaning));
  }
  if (!mistake) return std::nullopt;
  line += text.substr(done);
  offer_line(*mistake, with_conditions(line, names));
  return mistake;
}

// `true`, for which a comparison stands.
std::optional<ForeignMistake> read_truth(std::string_view text, const Tokens& tokens,
                                         const ForeignNames& names) {
  int depth = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool holds = is(tokens[i], "true") || is(tokens[i], "True");
    const bool fails = is(tokens[i], "false") || is(tokens[i], "False");
    if (is(tokens[i], "(") || is(tokens[i], "[")) ++depth;
    if (is(tokens[i], ")") || is(tokens[i], "]")) --depth;
    // `tiled=True` of a call says nothing about a condition.
    const bool argument = depth > 0 && i > 0 && is(tokens[i - 1], "=");
    if ((!holds && !fails) || argument || names.is_scalar(tokens[i].text)) continue;
    ForeignMistake mistake =
        at(tokens[i], fmt::format("there is no `{}`: a condition is a comparison", tokens[i].text));
    // What begins with `and`, a line that was broken in front of it, has no condition to keep.
    const bool and_before = i > 1 && is(tokens[i - 1], "and") && holds;
    const bool value = i == 2 && is(tokens[i - 1], "=");
    const std::size_t begin = and_before ? tokens[i - 2].end : tokens[i].begin;
    const std::string_view instead = and_before ? ""
                                     : value    ? (holds ? "1" : "0")
                                     : holds    ? "1 == 1"
                                                : "1 == 0";
    offer_line(mistake,
               fmt::format("{}{}{}", text.substr(0, begin), instead, text.substr(tokens[i].end)));
    return mistake;
  }
  return std::nullopt;
}

// `c ? a : b`, `a if c else b`
std::optional<ForeignMistake> read_choice(std::string_view text, const Tokens& tokens) {
  std::size_t sign = 0;
  for (std::size_t i = 1; i + 1 < tokens.size() && sign == 0; ++i) {
    const bool python = is(tokens[i], "if") && is_operand_end(tokens[i - 1]) &&
                        !is(tokens[0], "if") &&
                        text.find(" else ", tokens[i].end) != std::string_view::npos;
    if (python || (is(tokens[i], "?") && text.find(':', tokens[i].end) != std::string_view::npos))
      sign = i;
  }
  if (sign == 0) return std::nullopt;
  const bool python = is(tokens[sign], "if");
  const std::size_t equal = text.find('=');
  ForeignMistake mistake =
      at(tokens[sign], "a choice between two values is an `if` around statements");
  const std::size_t split =
      python ? text.find(" else ", tokens[sign].end) : text.find(':', tokens[sign].end);
  const bool binds =
      tokens[0].kind == ForeignKind::Word && is(tokens[1], "=") && equal < tokens[sign].begin;
  if (!binds) return mistake;
  const std::string_view left = bare_text(text.substr(equal + 1, tokens[sign].begin - equal - 1));
  const std::string_view middle =
      bare_text(text.substr(tokens[sign].end, split - tokens[sign].end));
  std::string_view right = bare_text(text.substr(split + (python ? 6 : 1)));
  while (!right.empty() && right.back() == ';') right.remove_suffix(1);
  const std::string_view name = tokens[0].text;
  offer_line(mistake, fmt::format("if {0} {{ {1} = {2} }} else {{ {1} = {3} }}",
                                  python ? middle : left, name, python ? left : middle, right));
  mistake.made = std::string(name);
  return mistake;
}

// `0 < B < 100`. Signs that open to both sides are no chain, but a tag: `A<sub>in</sub>`.
std::optional<ForeignMistake> read_chain(std::string_view text, const Tokens& tokens) {
  const auto rises = [](const ForeignToken& token) {
    return is(token, "<") || is(token, "<=") || is(token, "≤") || is(token, "==");
  };
  const auto falls = [](const ForeignToken& token) {
    return is(token, ">") || is(token, ">=") || is(token, "≥") || is(token, "==");
  };
  for (std::size_t i = 1; i + 3 < tokens.size(); ++i) {
    const ForeignToken& next = tokens[i + 2];
    const bool chained = (rises(tokens[i]) && rises(next)) || (falls(tokens[i]) && falls(next));
    if (!chained || !is_operand_end(tokens[i + 1])) continue;
    ForeignMistake mistake = at(next, "comparisons do not chain");
    offer_line(mistake, fmt::format("{} and {}", text.substr(0, tokens[i + 1].end),
                                    text.substr(tokens[i + 1].begin)));
    return mistake;
  }
  return std::nullopt;
}

// ------------------------------------------------------------ order

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
  ForeignMistake mistake = at(tokens[2], "there are no dictionaries: names stand by themselves");
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
  ForeignMistake mistake = at(place, std::move(message));
  offer_line(mistake, fmt::format("mesh {{{}}}", pairs));
  return mistake;
}

// `I: 64, J: 64`
std::optional<ForeignMistake> read_sizes(std::string_view text, const Tokens& tokens) {
  if (tokens[0].kind != ForeignKind::Word || !is(tokens[1], ":")) return std::nullopt;
  const std::string pairs = pairs_of(text, tokens, 0, " = ");
  if (pairs.empty()) return std::nullopt;
  ForeignMistake mistake = at(tokens[1], "a size is given by `=`, an element type by `:`");
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
        at(token, "a line has one target, in front of a `=` or after an arrow");
    offer_line(mistake, std::string(text.substr(equal->end)));
    if (mistake.help.empty()) return std::nullopt;
    return mistake;
  }
  return std::nullopt;
}

// Arrows of other notations. Those to the left stand first.
constexpr std::string_view kArrows[] = {"<-", "←",   "<~", "=>", "⇒", "==>", "-->", "--->", "|->",
                                        "~>", "~~>", "⟹",  "↦",  "⟼", "⇢",   "⇨",   "➔",    "➜",
                                        "➡",  "➞",   "↝",  "⤳",  "⇝", ">>",  ">>>", ">->",  "->>"};
constexpr std::size_t kLeftArrows = 3;

// `A[I] <- B[I]`, `A[I_X] ~> A[I]`
std::optional<ForeignMistake> read_arrow(std::string_view text, const Tokens& tokens) {
  for (std::size_t i = 1; i + 2 < tokens.size(); ++i) {
    const ForeignToken& token = tokens[i];
    const auto* arrow = std::find_if(std::begin(kArrows), std::end(kArrows),
                                     [&](std::string_view sign) { return is(token, sign); });
    if (arrow == std::end(kArrows)) continue;
    // Signs that mean something between numbers have an array on either side.
    const bool own = is(token, ">>");
    const bool arrays = (is(tokens[i - 1], "]") || is(tokens[i - 1], "}")) &&
                        tokens[i + 1].kind == ForeignKind::Word && is(tokens[i + 2], "[");
    if (own && !arrays) continue;
    const std::string_view left = bare_text(text.substr(0, token.begin));
    const std::string_view right = bare_text(text.substr(token.end));
    const bool back = arrow - std::begin(kArrows) < static_cast<std::ptrdiff_t>(kLeftArrows);
    // `A[I_X] → A[I]  <-- no comms!`
    const bool remark = back && tokens[i + 1].kind != ForeignKind::End &&
                        left.find('[') != std::string_view::npos &&
                        right.find('[') == std::string_view::npos && is_readable(left);
    if (remark) {
      ForeignMistake mistake = foreign_mistake(token.begin, token.end, "remarks begin with `#`");
      offer_line(mistake, fmt::format("{}  # {}", left, text.substr(token.begin)));
      return mistake;
    }
    ForeignMistake mistake =
        at(token, back ? "arrows point to the right"
                       : fmt::format("`{}` means nothing in the notation: an arrow is `→` or `->`",
                                     token.text));
    offer_line(mistake, fmt::format("{} → {}", back ? right : left, back ? left : right));
    if (own && mistake.help.empty()) return std::nullopt;
    return mistake;
  }
  return std::nullopt;
}

// Of a line of at least two.
std::optional<Tokens> tokens_of_line(std::string_view text) {
  auto tokens = foreign_tokens(text);
  return tokens && tokens->size() > 2 ? std::move(tokens) : std::nullopt;
}

}  // namespace

std::optional<ForeignMistake> read_foreign_signs(std::string_view text, const ForeignNames& names) {
  const auto tokens = tokens_of_line(text);
  if (!tokens) return std::nullopt;
  if (auto mistake = read_choice(text, *tokens)) return mistake;
  if (auto mistake = read_operators(text, *tokens, names)) return mistake;
  return read_truth(text, *tokens, names);
}

std::optional<ForeignMistake> read_foreign_order(std::string_view text, const ForeignNames& names) {
  const auto tokens = tokens_of_line(text);
  if (!tokens) return std::nullopt;
  if (auto mistake = read_mesh(text, *tokens)) return mistake;
  if (auto mistake = read_sizes(text, *tokens)) return mistake;
  if (auto mistake = read_dictionary(text, *tokens)) return mistake;
  if (auto mistake = read_chain(text, *tokens)) return mistake;
  if (auto mistake = read_foreign_declaration(text, names)) return mistake;
  if (auto mistake = read_two_targets(text, *tokens)) return mistake;
  return read_arrow(text, *tokens);
}

}  // namespace shard
