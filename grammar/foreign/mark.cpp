// What stands after the brackets of an array, in another form: `a[B]{Z: 0}`, `a[B] @ Z=0`, `a[B]{partial X}`.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/foreign/rewrite.h"
#include "grammar/translate/operand.h"
#include "grammar/translate/token.h"

namespace shard {
namespace {

using ForeignKind = ForeignToken::Kind;
using Tokens = ForeignTokens;

// Between the brackets and the axis.
constexpr std::string_view kPlaceSigns[] = {"@", "on", "at", "where", "|", "with"};
constexpr std::string_view kPlaceEquals[] = {"=", ":", "==", "->", "→", "∈", "is"};

struct PlaceMark {
  std::string text;  // `Z=0`
  std::size_t next;  // the token after it
};

// `Z: 0` at token `i`.
std::optional<PlaceMark> one_place(std::string_view text, const Tokens& tokens, std::size_t i,
                                   const ForeignNames& names) {
  if (i + 2 >= tokens.size() || tokens[i].kind != ForeignKind::Word) return std::nullopt;
  const std::vector<std::string> axes = names.axes();
  const bool axis = std::find(axes.begin(), axes.end(), tokens[i].text) != axes.end();
  const bool equals = std::any_of(std::begin(kPlaceEquals), std::end(kPlaceEquals),
                                  [&](std::string_view sign) { return is(tokens[i + 1], sign); });
  if (!axis || !equals) return std::nullopt;
  std::size_t end = i + 2;
  const auto ends = [&](const ForeignToken& token) {
    return is(token, ",") || is(token, "}") || is(token, ")") || is(token, "→") ||
           is(token, "->") || is(token, "=") || token.kind == ForeignKind::End;
  };
  while (!ends(tokens[end])) ++end;
  if (end == i + 2) return std::nullopt;
  const std::string_view value =
      text.substr(tokens[i + 2].begin, tokens[end - 1].end - tokens[i + 2].begin);
  return PlaceMark{fmt::format("{}={}", tokens[i].text, value), end};
}

// What the mark of a partial result begins with.
constexpr std::string_view kCombinations[] = {"U_", "max_", "min_"};

constexpr std::string_view kPartialWords[] = {
    "partial", "partially", "unreduced", "pending", "sum", "summed", "partials",
    "reduce",  "Partial",   "Unreduced", "psum",    "P",   "U",      "partial_sum"};
constexpr std::string_view kPartialFillers[] = {"over", "along", "on", "in",  "across", "sum",
                                                "sums", ":",     "=",  "(",   ")",      ",",
                                                "axis", "axes",  "by", "and", "of"};

// The axes of `{partial X}`, `{unreduced over X, Y}` between the braces of tokens; nothing if it is anything else.
std::vector<std::string> partial_axes(const Tokens& tokens, std::size_t open, std::size_t close,
                                      const ForeignNames& names) {
  const auto among = [&](const ForeignToken& token, const auto& words) {
    return std::any_of(std::begin(words), std::end(words),
                       [&](const auto& word) { return is(token, word); });
  };
  if (!among(tokens[open + 1], kPartialWords)) return {};
  const std::vector<std::string> known = names.axes();
  std::vector<std::string> axes;
  for (std::size_t i = open + 2; i < close; ++i) {
    if (among(tokens[i], known))
      axes.emplace_back(tokens[i].text);
    else if (!among(tokens[i], kPartialFillers))
      return {};
  }
  return axes;
}

// `C[I, K]{partial X}`
std::optional<ForeignMistake> read_partial(std::string_view text, const Tokens& tokens,
                                           const ForeignNames& names) {
  ForeignRewrite line(text);
  for (std::size_t i = 1; i + 3 < tokens.size(); ++i) {
    if (!is(tokens[i - 1], "]") || !is(tokens[i], "{")) continue;
    const std::size_t close = behind_group(tokens, i) - 1;
    if (close >= tokens.size() || !is(tokens[close], "}")) continue;
    const std::vector<std::string> axes = partial_axes(tokens, i, close, names);
    if (axes.empty()) continue;
    const std::string mark = fmt::format("{{U{}}}", axes_text(axes));
    line.find(tokens[i].begin, tokens[close].end,
              fmt::format("an array that is unreduced over {} has `{}` after its brackets",
                          join_words(axes), mark));
    line.replace(tokens[i - 1].end, tokens[close].end, mark);
  }
  return line.offered();
}

// What `= max_S(s)` at token `i` leaves of the dimensions of `s`; nothing where that is not known.
std::vector<std::string> reduced_dimensions(const Tokens& tokens, std::size_t i,
                                            const ForeignNames& names) {
  if (i + 5 != tokens.size() - 1 || !is(tokens[i], "=") || !is(tokens[i + 2], "(") ||
      !is(tokens[i + 4], ")"))
    return {};
  const std::string_view reduction = tokens[i + 1].text;
  const std::size_t mark = reduction.find('_');
  if (mark == std::string_view::npos) return {};
  const auto array = names.array(tokens[i + 3].text);
  if (!array) return {};
  std::vector<std::string> left;
  for (const auto& dimension : array->dimensions) {
    if (dimension.name != reduction.substr(mark + 1))
      left.push_back(dimension.name + (dimension.axes.empty() ? "" : axes_text(dimension.axes)));
  }
  return left;
}

// `l{U_X} = …`, `m{max_X}`: a name without brackets, which is a scalar's.
std::optional<ForeignMistake> read_bare_mark(std::string_view text, const Tokens& tokens,
                                             const ForeignNames& names) {
  ForeignRewrite line(text);
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    const bool opens = tokens[i].kind == ForeignKind::Word && is(tokens[i + 1], "{") &&
                       tokens[i + 1].glued && is(tokens[i + 3], "}");
    if (!opens || names.is_array(tokens[i].text)) continue;
    const std::string_view mark = tokens[i + 2].text;
    const bool partial = std::any_of(
        std::begin(kCombinations), std::end(kCombinations),
        [&](std::string_view word) { return mark.starts_with(word) && mark.size() > word.size(); });
    if (!partial) continue;
    line.find(
        tokens[i].begin, tokens[i + 3].end,
        "such a mark stands after the brackets of an array, which are empty if it is one number");
    const std::vector<std::string> left = reduced_dimensions(tokens, i + 4, names);
    line.replace(tokens[i].end, tokens[i].end, fmt::format("[{}]", join(left, ", ")));
  }
  auto offered = line.offered();
  // What reads it later is no second mistake.
  if (offered && is(tokens[1], "{")) offered->made = std::string(tokens[0].text);
  return offered;
}

}  // namespace

std::optional<ForeignMistake> read_foreign_mark(std::string_view text, const ForeignNames& names) {
  auto read = foreign_tokens(text);
  if (!read || read->size() < 5) return std::nullopt;
  const Tokens& tokens = *read;
  if (auto partial = read_partial(text, tokens, names)) return partial;
  if (auto bare = read_bare_mark(text, tokens, names)) return bare;
  ForeignRewrite line(text);
  for (std::size_t i = 1; i + 3 < tokens.size(); ++i) {
    if (!is(tokens[i - 1], "]")) continue;
    std::size_t at = i;
    const bool sign = std::any_of(std::begin(kPlaceSigns), std::end(kPlaceSigns),
                                  [&](std::string_view word) { return is(tokens[at], word); });
    if (sign) ++at;
    const bool opens = is(tokens[at], "{") || is(tokens[at], "(");
    if (!sign && !opens) continue;
    if (opens) ++at;
    std::vector<std::string> places;
    while (auto place = one_place(text, tokens, at, names)) {
      places.push_back(std::move(place->text));
      at = place->next;
      if (!opens || !is(tokens[at], ",")) break;
      ++at;
    }
    const bool closed = !opens || is(tokens[at], "}") || is(tokens[at], ")");
    if (places.empty() || !closed) continue;
    const std::size_t end = opens ? tokens[at].end : tokens[at - 1].end;
    const std::string mark = fmt::format("{{{}}}", join(places, ", "));
    const std::string_view written = text.substr(tokens[i].begin, end - tokens[i].begin);
    if (written == mark) continue;
    line.find(
        tokens[i].begin, end,
        fmt::format("the place where an array is held stands after its brackets as `{}`", mark));
    line.replace(tokens[i - 1].end, end, mark);
  }
  return line.offered();
}

}  // namespace shard
