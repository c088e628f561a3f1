// Conditions of elements that are joined: `C = (A > 0) & (B > 0)`, `where(A > 0 and A < 3, A, 0)`.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "grammar/foreign/line.h"
#include "grammar/translate/token.h"

namespace shard {
namespace {

using ForeignKind = ForeignToken::Kind;
using Tokens = ForeignTokens;

bool joins_both(const ForeignToken& token) {
  return is(token, "&") || is(token, "&&") || is(token, "and");
}
bool joins_either(const ForeignToken& token) {
  return is(token, "|") || is(token, "||") || is(token, "or");
}
bool opens_group(const ForeignToken& token) { return is(token, "(") || is(token, "["); }
bool closes_group(const ForeignToken& token) { return is(token, ")") || is(token, "]"); }
// What may stand behind a sign: `|>` is another one.
bool begins_condition(const ForeignToken& token) {
  return token.kind == ForeignKind::Word || token.kind == ForeignKind::Number ||
         opens_group(token) || is(token, "-") || is(token, "!");
}

// Conditions that stand between two brackets or commas, and the signs that join them.
struct JoinedConditions {
  std::size_t begin = 0;  // in the text
  std::size_t end = 0;
  std::vector<const ForeignToken*> signs;
};

// Those around a sign.
std::optional<JoinedConditions> conditions_around(std::string_view text, const Tokens& tokens,
                                                  std::size_t sign) {
  JoinedConditions joined{0, text.size(), {}};
  int depth = 0;
  for (std::size_t i = sign; i-- > 0;) {
    depth += closes_group(tokens[i]) ? 1 : opens_group(tokens[i]) ? -1 : 0;
    const bool first = depth == 0 && (is(tokens[i], ",") || is(tokens[i], "=") ||
                                      is(tokens[i], "return") || is(tokens[i], "print"));
    if (depth >= 0 && !first) continue;
    joined.begin = tokens[i].end;
    break;
  }
  depth = 0;
  for (std::size_t i = 0; i < tokens.size() && tokens[i].kind != ForeignKind::End; ++i) {
    if (tokens[i].begin < joined.begin) continue;
    depth += opens_group(tokens[i]) ? 1 : closes_group(tokens[i]) ? -1 : 0;
    if (depth < 0 || (depth == 0 && (is(tokens[i], ",") || is(tokens[i], ";")))) {
      joined.end = tokens[i].begin;
      break;
    }
    if (depth == 0 && (joins_both(tokens[i]) || joins_either(tokens[i])))
      joined.signs.push_back(&tokens[i]);
  }
  const bool both = joins_both(tokens[sign]);
  const bool same =
      std::all_of(joined.signs.begin(), joined.signs.end(),
                  [&](const ForeignToken* token) { return joins_both(*token) == both; });
  // Where brackets do not match, the sign may lie behind the end that they seem to have.
  if (!same || joined.begin == 0 || joined.signs.empty()) return std::nullopt;
  return joined;
}

bool compares(std::string_view part) {
  if (part.find_first_of("<>=") != std::string_view::npos) return true;
  constexpr std::string_view kSigns[] = {"≤", "≥", "≠"};
  return std::any_of(std::begin(kSigns), std::end(kSigns), [&](std::string_view sign) {
    return part.find(sign) != std::string_view::npos;
  });
}

std::string in_group(std::string_view part) {
  const bool whole = part.starts_with('(') && closing_bracket(part, 0) == part.size() - 1;
  return whole ? std::string(part) : fmt::format("({})", part);
}

// `(A > 0) ⊙ (B > 0)`, `max(A > 0, B > 0)`; nullopt where none of them is a comparison.
std::optional<std::string> joined_text(std::string_view text, const JoinedConditions& joined) {
  std::string result;
  bool compared = false;
  std::size_t begin = joined.begin;
  for (std::size_t i = 0; i <= joined.signs.size(); ++i) {
    const std::size_t end = i < joined.signs.size() ? joined.signs[i]->begin : joined.end;
    const std::string_view part = bare_text(text.substr(begin, end - begin));
    if (part.empty()) return std::nullopt;
    compared = compared || compares(part);
    const bool both = joins_both(*joined.signs.front());
    result = i == 0 ? (both ? in_group(part) : std::string(part))
             : both ? fmt::format("{} ⊙ {}", result, in_group(part))
                    : fmt::format("max({}, {})", result, part);
    if (i < joined.signs.size()) begin = joined.signs[i]->end;
  }
  return compared ? std::optional<std::string>(result) : std::nullopt;
}

// Parameters of a function are known by their brackets in its head.
bool is_array_of_script(const std::string& name, const ForeignNames& names) {
  return names.is_array(name) || (!names.is_scalar(name) && !names.written(name).empty());
}

bool names_array_within(const Tokens& tokens, const JoinedConditions& joined,
                        const ForeignNames& names) {
  return std::any_of(tokens.begin(), tokens.end(), [&](const ForeignToken& token) {
    return token.begin >= joined.begin && token.end <= joined.end &&
           token.kind == ForeignKind::Word && is_array_of_script(std::string(token.text), names);
  });
}

// The text with the first of its joined conditions written out, and the sign that was there.
struct WrittenConditions {
  std::string text;
  ForeignToken sign;
};
std::optional<WrittenConditions> with_conditions_of_elements(std::string_view text,
                                                             const ForeignNames& names) {
  const auto tokens = foreign_tokens(text);
  if (!tokens || is((*tokens)[0], "if") || is((*tokens)[0], "expect")) return std::nullopt;
  for (std::size_t i = 1; i + 1 < tokens->size(); ++i) {
    const ForeignToken& sign = (*tokens)[i];
    const bool joins = joins_both(sign) || joins_either(sign);
    if (!joins || !ends_operand((*tokens)[i - 1]) || !begins_condition((*tokens)[i + 1])) continue;
    const auto joined = conditions_around(text, *tokens, i);
    if (!joined || !names_array_within(*tokens, *joined, names)) continue;
    const auto written = joined_text(text, *joined);
    if (!written) continue;
    const std::string_view before = text.substr(0, joined->begin);
    const bool parted = !before.ends_with('(') && !before.ends_with('[');
    return WrittenConditions{
        fmt::format("{}{}{}{}", before, parted ? " " : "", *written, text.substr(joined->end)),
        sign};
  }
  return std::nullopt;
}

}  // namespace

std::optional<ForeignMistake> read_conditions_of_arrays(std::string_view text,
                                                        const ForeignNames& names) {
  constexpr int kMostGroups = 8;
  std::optional<ForeignMistake> mistake;
  std::string line(text);
  for (int i = 0; i < kMostGroups; ++i) {
    auto written = with_conditions_of_elements(line, names);
    if (!written) break;
    const bool both = joins_both(written->sign);
    if (!mistake)
      mistake = foreign_mistake(
          written->sign, both ? "of elements that are 1 or 0 a product is 1 where both are: `⊙`"
                              : "of elements that are 1 or 0 `max` is 1 where one of them is");
    line = std::move(written->text);
  }
  if (mistake) offer_line(*mistake, line);
  return mistake;
}

}  // namespace shard
