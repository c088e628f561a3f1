// Where an array is held, in another form: `a[B]{Z: 0}`, `a[B] @ Z=0`.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/foreign/token.h"

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

}  // namespace

std::optional<ForeignMistake> read_foreign_mark(std::string_view text, const ForeignNames& names) {
  auto read = foreign_tokens(text);
  if (!read || read->size() < 5) return std::nullopt;
  const Tokens& tokens = *read;
  std::optional<ForeignMistake> mistake;
  std::string line;
  std::size_t done = 0;
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
    if (!mistake)
      mistake = foreign_mistake(
          tokens[i].begin, end,
          fmt::format("the place where an array is held stands after its brackets as `{}`", mark));
    line += fmt::format("{}{}", text.substr(done, tokens[i - 1].end - done), mark);
    done = end;
  }
  if (!mistake) return std::nullopt;
  line += text.substr(done);
  if (!is_readable(line)) return std::nullopt;
  mistake->help = {std::move(line)};
  return mistake;
}

}  // namespace shard
