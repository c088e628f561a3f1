// Operators that are written otherwise here, choices and truth values.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/foreign/rewrite.h"
#include "grammar/translate/token.h"
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

bool is_operand_begin(const ForeignToken& token) {
  return token.kind == ForeignKind::Word || token.kind == ForeignKind::Number ||
         token.text == "(" || token.text == "-" || token.text == "!" || token.text == "|";
}

// `B = 4 % the batch`
bool begins_remark(const Tokens& tokens, std::size_t sign, const ForeignNames& names) {
  const ForeignToken& next = tokens[sign + 1];
  if (next.kind != ForeignKind::Word) return false;
  const bool unknown = !names.is_scalar(next.text) && !names.is_array(next.text);
  return unknown && (tokens[sign + 2].kind == ForeignKind::Word || is_english_word(next.text));
}

// The sign of `80% of HBM`, `80 % * HBM`.
bool joins_share(const Tokens& tokens, std::size_t sign) {
  return sign > 0 && is(tokens[sign], "%") && tokens[sign - 1].kind == ForeignKind::Number &&
         (is(tokens[sign + 1], "of") || is(tokens[sign + 1], "*"));
}

// `80% HBM`, `80 % chip.HBM`: with a blank before the sign it may be a remainder, of a name that the script has.
bool is_share(const Tokens& tokens, std::size_t sign, const ForeignNames& names) {
  if (!is(tokens[sign], "%") || tokens[sign - 1].kind != ForeignKind::Number) return false;
  const ForeignToken& whole = tokens[sign + 1];
  const bool glued = tokens[sign].begin == tokens[sign - 1].end;
  const std::vector<std::string> own = names.dimensions();
  const bool has = std::find(own.begin(), own.end(), whole.text) != own.end();
  return whole.kind == ForeignKind::Word &&
         (glued || (!has && !begins_remark(tokens, sign, names)));
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
  ForeignRewrite line(text);
  for (std::size_t i = 1; i + 1 < tokens->size(); ++i) {
    const ForeignToken& before = (*tokens)[i - 1];
    const ForeignToken& next = (*tokens)[i + 1];
    const bool alone =
        (joins(before) && (joins(next) || ends(next))) || (begins(before) && joins(next));
    const std::string_view name = (*tokens)[i].text;
    if (!alone || std::find(numbers.begin(), numbers.end(), name) == numbers.end()) continue;
    line.replace((*tokens)[i].end, (*tokens)[i].end, " != 0");
  }
  return line.line();
}

// The dot of `relu.(x)`.
bool is_dotted_call(const Tokens& tokens, std::size_t dot) {
  return dot > 0 && is(tokens[dot], ".") && tokens[dot].glued &&
         tokens[dot - 1].kind == ForeignKind::Word && is(tokens[dot + 1], "(") &&
         tokens[dot + 1].glued;
}

// The first token of the operand that ends at this one: of `A[I, J]` the name.
std::size_t first_of_operand(const Tokens& tokens, std::size_t last) {
  int depth = 0;
  for (std::size_t i = last + 1; i-- > 0;) {
    if (is(tokens[i], "]") || is(tokens[i], ")")) ++depth;
    if (is(tokens[i], "[") || is(tokens[i], "(")) --depth;
    const bool goes_on =
        i > 0 && i < last && tokens[i - 1].end == tokens[i].begin && ends_operand(tokens[i - 1]);
    if (depth == 0 && !goes_on) return i;
  }
  return last;
}

// The last token of the operand that begins at this one, with its brackets.
std::size_t last_of_operand(const Tokens& tokens, std::size_t first) {
  int depth = 0;
  for (std::size_t i = first; i < tokens.size(); ++i) {
    if (is(tokens[i], "[") || is(tokens[i], "(")) ++depth;
    if (is(tokens[i], "]") || is(tokens[i], ")")) --depth;
    const bool goes_on = i + 1 < tokens.size() && tokens[i].end == tokens[i + 1].begin &&
                         (is(tokens[i + 1], "[") || is(tokens[i + 1], "("));
    if (depth == 0 && !goes_on) return i;
  }
  return first;
}

// The text with its signs as they are here; the first of them is the mistake.
std::optional<ForeignMistake> read_operators(std::string_view text, const Tokens& tokens,
                                             const ForeignNames& names) {
  ForeignRewrite line(text);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const auto* sign = std::find_if(std::begin(kForeignSigns), std::end(kForeignSigns),
                                    [&](const ForeignSign& s) { return is(tokens[i], s.foreign); });
    if (is_dotted_call(tokens, i)) {
      line.find(tokens[i].begin, tokens[i].end,
                "a function stands by its name alone, also for elements");
      line.replace(tokens[i].begin, tokens[i].end, "");
      continue;
    }
    // `80% of HBM` is a share, and no mistake; `80 % of HBM` and `80 % * HBM` are meant so.
    if (joins_share(tokens, i)) {
      if (tokens[i].begin == tokens[i - 1].end) continue;
      line.replace(tokens[i - 1].end, tokens[i].end, "%");
      line.find(tokens[i].begin, tokens[i].end, "the `%` of a share stands right after its number");
      continue;
    }
    const bool negation = is(tokens[i], "!") && is_operand_begin(tokens[i + 1]);
    const bool between = sign != std::end(kForeignSigns) && i > 0 && ends_operand(tokens[i - 1]) &&
                         is_operand_begin(tokens[i + 1]);
    if (!negation && !between) continue;
    if (between && is_share(tokens, i, names)) {
      line.replace(tokens[i - 1].end, tokens[i + 1].begin, "% of ");
      line.find(tokens[i].begin, tokens[i].end, "a share is written with `of`");
      continue;
    }
    const bool remark = is(tokens[i], "%") || is(tokens[i], "//");
    if (between && remark && begins_remark(tokens, i, names)) {
      ForeignMistake mistake = foreign_mistake(tokens[i], "remarks begin with `#`");
      offer_line(mistake, fmt::format("{}# {}", text.substr(0, tokens[i].begin),
                                      bare_text(text.substr(tokens[i].end))));
      return mistake;
    }
    const bool quotient = between && sign->own.empty();
    if (quotient) {
      const std::size_t begin = tokens[first_of_operand(tokens, i - 1)].begin;
      const std::size_t end = tokens[last_of_operand(tokens, i + 1)].end;
      line.replace(begin, end,
                   fmt::format("floor({} / {})", text.substr(begin, tokens[i - 1].end - begin),
                               text.substr(tokens[i + 1].begin, end - tokens[i + 1].begin)));
    } else {
      line.replace(between ? tokens[i - 1].end : tokens[i].begin, tokens[i + 1].begin,
                   negation ? "not " : sign->own);
    }
    line.find(tokens[i].begin, tokens[i].end,
              negation ? "`not` stands before a condition" : std::string(sign->meaning));
  }
  if (line.mistake()) offer_line(*line.mistake(), with_conditions(line.line(), names));
  return line.mistake();
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
    ForeignMistake mistake = foreign_mistake(
        tokens[i], fmt::format("there is no `{}`: a condition is a comparison", tokens[i].text));
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

// Whether a `?` at this place asks: in `mesh {X: ?, Y: ?}` and `A[I_?, J]` it stands for what is left open.
bool asks(const Tokens& tokens, std::size_t i) {
  const bool begins_operand = tokens[i + 1].kind == ForeignKind::Word ||
                              tokens[i + 1].kind == ForeignKind::Number || is(tokens[i + 1], "(") ||
                              is(tokens[i + 1], "-");
  return is(tokens[i], "?") && begins_operand && ends_operand(tokens[i - 1]) &&
         !tokens[i - 1].text.ends_with('_');
}

// Where the value begins that a statement gives a name or an array; 0 if it gives none.
std::size_t value_begin(const Tokens& tokens) {
  for (const ForeignToken& token : tokens) {
    if (is(token, "=")) return token.end;
  }
  return 0;
}

bool names_arrays(std::string_view text, const Tokens& tokens, std::size_t begin,
                  const ForeignNames& names) {
  return begin > 0 && std::any_of(tokens.begin(), tokens.end(), [&](const ForeignToken& token) {
           return token.begin >= begin && token.end <= text.size() &&
                  token.kind == ForeignKind::Word && names.is_array(token.text);
         });
}

// `c ? a : b`, `a if c else b`
std::optional<ForeignMistake> read_choice(std::string_view text, const Tokens& tokens,
                                          const ForeignNames& names) {
  std::size_t sign = 0;
  for (std::size_t i = 1; i + 1 < tokens.size() && sign == 0; ++i) {
    const bool python = is(tokens[i], "if") && ends_operand(tokens[i - 1]) &&
                        !is(tokens[0], "if") &&
                        text.find(" else ", tokens[i].end) != std::string_view::npos;
    if (python || (asks(tokens, i) && text.find(':', tokens[i].end) != std::string_view::npos))
      sign = i;
  }
  if (sign == 0) return std::nullopt;
  const bool python = is(tokens[sign], "if");
  const std::size_t equal = text.find('=');
  ForeignMistake mistake =
      foreign_mistake(tokens[sign], "a choice between two values is an `if` around statements");
  const std::size_t split =
      python ? text.find(" else ", tokens[sign].end) : text.find(':', tokens[sign].end);
  const std::size_t begin = value_begin(tokens);
  if (begin < tokens[sign].begin && names_arrays(text, tokens, begin, names)) {
    mistake.message = "a choice between two values of each element is `where`";
    const std::string_view before = bare_text(text.substr(begin, tokens[sign].begin - begin));
    const std::string_view inner =
        bare_text(text.substr(tokens[sign].end, split - tokens[sign].end));
    const std::string_view other = bare_text(text.substr(split + (python ? 6 : 1)));
    offer_line(mistake, fmt::format("{} where({}, {}, {})", text.substr(0, begin),
                                    python ? inner : before, python ? before : inner, other));
    return mistake;
  }
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

}  // namespace

bool ends_operand(const ForeignToken& token) {
  return token.kind == ForeignKind::Word || token.kind == ForeignKind::Number ||
         token.text == ")" || token.text == "]" || token.text == "|";
}

std::optional<ForeignMistake> read_foreign_signs(std::string_view text, const ForeignNames& names) {
  const auto tokens = foreign_tokens(text);
  if (!tokens || tokens->size() < 3) return std::nullopt;
  if (auto mistake = read_choice(text, *tokens, names)) return mistake;
  if (auto mistake = read_conditions_of_arrays(text, names)) return mistake;
  if (auto mistake = read_operators(text, *tokens, names)) return mistake;
  return read_truth(text, *tokens, names);
}

}  // namespace shard
