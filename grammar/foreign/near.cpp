// What is nearly equal: `approx(64, rel=0.01)`, `isclose(a, b)`.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "grammar/foreign/line.h"
#include "grammar/translate/token.h"

namespace shard {
namespace {

// `approx(x, rel=0.01)` as `x ± 1%`, `isclose(a, b, rtol=1e-3)` as `a ≈ b ± 0.1%`. A difference that is written with `abs` is
// left to the sign's own.
std::string nearly_equal(const std::vector<std::string>& arguments, std::size_t values) {
  std::string text;
  std::string share;
  std::size_t found = 0;
  for (const std::string& argument : arguments) {
    const std::size_t equal = argument.find('=');
    if (equal == std::string_view::npos) {
      if (found < values) text += (found++ == 0 ? "" : " ≈ ") + argument;
      continue;
    }
    if (!argument.starts_with("r")) continue;
    const std::string number(bare_text(std::string_view(argument).substr(equal + 1)));
    char* end = nullptr;
    constexpr double kPercent = 100;
    const double value = std::strtod(number.c_str(), &end);
    if (end != nullptr && *end == '\0' && value > 0 && value < 1)
      share = fmt::format(" ± {:.6g}%", value * kPercent);
  }
  return found == values ? text + share : "";
}

struct NearWord {
  std::string_view name;
  std::size_t values;
};
constexpr NearWord kNearWords[] = {
    {"approx", 1},          {"isclose", 2},      {"allclose", 2},
    {"assert_allclose", 2}, {"assert_close", 2}, {"assertAlmostEqual", 2},
    {"is_close", 2},        {"almost_equal", 2}, {"assert_almost_equal", 2},
    {"approxEqual", 2},     {"isapprox", 2}};

}  // namespace

// `expect c.time == approx(1118 us, rel=0.01)`
std::optional<ForeignMistake> read_foreign_near(std::string_view text,
                                                const ForeignTokens& tokens) {
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const auto* word =
        std::find_if(std::begin(kNearWords), std::end(kNearWords),
                     [&](const NearWord& entry) { return is(tokens[i], entry.name); });
    if (word == std::end(kNearWords) || !is(tokens[i + 1], "(")) continue;
    const std::size_t close = closing_bracket(text, tokens[i + 1].begin);
    if (close == std::string_view::npos) continue;
    std::size_t first = i;
    while (first > 1 && is(tokens[first - 1], ".") &&
           tokens[first - 2].kind == ForeignToken::Kind::Word)
      first -= 2;
    ForeignMistake mistake =
        foreign_mistake(tokens[first].begin, tokens[i].end,
                        "what is nearly equal is compared by `≈`, and `± 1%` says how nearly");
    const std::string near = nearly_equal(
        parted_at_commas(text.substr(tokens[i + 1].end, close - tokens[i + 1].end)), word->values);
    std::string_view before = bare_text(text.substr(0, tokens[first].begin));
    for (const std::string_view sign : {"==", "=", "≈"}) {
      if (before.ends_with(sign)) before = bare_text(before.substr(0, before.size() - sign.size()));
    }
    if (before.empty() || before == "assert" || before == "self.") before = "expect";
    // `approx(64) == n`
    if (before == "expect" && word->values == 1) {
      std::string_view other = bare_text(text.substr(close + 1));
      while (other.starts_with('=')) other.remove_prefix(1);
      if (!near.empty() && !other.empty())
        offer_line(mistake, fmt::format("expect {} ≈ {}", bare_text(other), near));
      return mistake;
    }
    const std::string_view sign = word->values == 1 ? "≈ " : "";
    if (!near.empty()) offer_line(mistake, fmt::format("{} {}{}", before, sign, near));
    return mistake;
  }
  return std::nullopt;
}

}  // namespace shard
