// Loops of other languages that make something: a sum, a list of results, a number that a condition ends.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "grammar/foreign/block.h"
#include "grammar/foreign/line.h"
#include "grammar/translate/token.h"

namespace shard {
namespace {

using ForeignKind = ForeignToken::Kind;

// `n = n * 2`, `n *= 2`, `n++`: the name and its next value.
std::optional<std::pair<std::string, std::string>> next_value(std::string_view statement) {
  const auto tokens = foreign_tokens(statement);
  if (!tokens || tokens->size() < 3 || (*tokens)[0].kind != ForeignKind::Word) return std::nullopt;
  std::string name((*tokens)[0].text);
  const std::string_view sign = (*tokens)[1].text;
  std::string_view rest = bare_text(statement.substr((*tokens)[1].end));
  while (rest.ends_with(';')) rest = bare_text(rest.substr(0, rest.size() - 1));
  if (rest.find_first_of(";\n{}") != std::string_view::npos) return std::nullopt;
  if ((sign == "++" || sign == "--") && rest.empty())
    return std::pair(name, fmt::format("{} {} 1", name, sign.substr(1)));
  if (rest.empty()) return std::nullopt;
  if (sign == "=" || sign == ":=") return std::pair(name, std::string(rest));
  if (sign == "+=" || sign == "-=" || sign == "*=" || sign == "/=") {
    const bool sum = rest.find_first_of("+-") != std::string_view::npos && sign != "+=";
    const std::string value = sum ? fmt::format("({})", rest) : std::string(rest);
    return std::pair(name, fmt::format("{} {} {}", name, sign.substr(0, 1), value));
  }
  return std::nullopt;
}

// `while n < |X| { n = n * 2 }`: a function that calls itself.
std::optional<ForeignMistake> read_while(std::string_view text, const ForeignNames& names) {
  const bool until = text.starts_with("until ");
  if (!text.starts_with("while ") && !text.starts_with("while(") && !until) return std::nullopt;
  const std::size_t brace = text.find('{');
  const std::size_t line_end = text.find('\n');
  if (brace == std::string_view::npos && line_end == std::string_view::npos &&
      text.find(':') == std::string_view::npos)
    return std::nullopt;
  const std::size_t colon = text.find(':');
  const std::size_t head_end = std::min({brace, line_end, colon});
  std::string_view body = text.substr(brace < colon ? brace + 1 : head_end + 1);
  body = bare_text(body);
  for (const std::string_view closer : {"}", "end", "endwhile", "done"}) {
    if (body.ends_with(closer)) body = bare_text(body.substr(0, body.size() - closer.size()));
  }
  std::string condition(without_foreign_opener(text.substr(5, head_end - 5)));
  if (condition.starts_with('(') && condition.ends_with(')'))
    condition = condition.substr(1, condition.size() - 2);
  if (const auto signs = read_foreign_signs(condition, names); signs && !signs->help.empty())
    condition = signs->help.front();
  const auto next = next_value(body);
  if (!next || !names.is_scalar(next->first)) return std::nullopt;
  ForeignMistake mistake = foreign_loop_mistake(
      text, text.substr(0, 5),
      fmt::format("there is no `{}`: names keep their values, so a function calls itself",
                  text.substr(0, 5)));
  const std::string& name = next->first;
  std::string function = "loop";
  while (names.is_function(function) || names.is_scalar(function)) function += "2";
  std::string line =
      fmt::format("fn {0}({1}) {{ if {2}{3} {{ return {0}({4}) }} return {1} }}; print {0}({1})",
                  function, name, until ? "not " : "", condition, next->second);
  if (!is_readable(line)) return std::nullopt;
  mistake.help = {std::move(line)};
  return mistake;
}

// `times = [c.time for B in [1024, 4096]]`
std::optional<ForeignMistake> read_comprehension(std::string_view text, const ForeignNames& names) {
  const std::size_t word = text.find(" for ");
  std::size_t open = text.find_first_of("[{(");
  if (word == std::string_view::npos || open == std::string_view::npos || open > word ||
      text.find('\n') < word)
    return std::nullopt;
  std::size_t close = text.find_last_of("]})");
  // `sum([… for …])`, and not `sum(… for … in [3, 4])`
  const bool list =
      text[open] == '[' || text.find_first_not_of(' ', open + 1) == text.find_first_of("[{", open);
  if (list && close != std::string_view::npos && close > 0 && text[close] == ')' &&
      text[close - 1] == ']')
    --close;
  const std::size_t in = text.find(" in ", word);
  if (close == std::string_view::npos || in == std::string_view::npos || close < in ||
      text.substr(close + 1).find_first_not_of(" ;)") != std::string_view::npos)
    return std::nullopt;
  std::string_view before = bare_text(text.substr(0, open));
  // `print([…])`
  static constexpr std::string_view kMakers[] = {"=",   "print", "list", "tuple",
                                                 "set", "sum",   "max",  "min"};
  const bool made = before.empty() ||
                    std::any_of(std::begin(kMakers), std::end(kMakers),
                                [&](std::string_view maker) { return before.ends_with(maker); });
  if (!made) return std::nullopt;
  const bool nested =
      text[open] == '(' && text.find_first_not_of(' ', open + 1) == text.find_first_of("[{", open);
  if (nested) open = text.find_first_of("[{", open);
  const auto target = foreign_tokens(before);
  if (!target) return std::nullopt;
  std::string_view range_text = bare_text(text.substr(in + 4, close - in - 4));
  std::string condition;
  if (const std::size_t test = range_text.find(" if "); test != std::string_view::npos) {
    condition = std::string(bare_text(range_text.substr(test + 4)));
    range_text = bare_text(range_text.substr(0, test));
  }
  const std::string_view name = bare_text(text.substr(word + 5, in - word - 5));
  if (name.find_first_of(" (") != std::string_view::npos) return std::nullopt;
  std::string_view value = bare_text(text.substr(open + 1, word - open - 1));
  // `{B: c.time for …}`
  if (text[open] == '{' && value.find(':') != std::string_view::npos)
    value = bare_text(value.substr(value.find(':') + 1));
  const auto header = foreign_loop_header(fmt::format("for {} in {}", name, range_text));
  const std::string head = header.value_or(fmt::format("for {} in {}", name, range_text));
  ForeignMistake mistake =
      foreign_loop_mistake(text, text.substr(open, close + 1 - open),
                           "there are no lists of results: a `print` in a loop makes a table");
  if (target->size() > 2 && is((*target)[1], "=")) mistake.made = std::string((*target)[0].text);
  std::string print = fmt::format("print {}, {}", name, value);
  if (value == name) print = fmt::format("print {}", name);
  if (const auto line = read_foreign_line(print, names); line && !line->line.empty())
    print = line->line;
  std::string line = condition.empty()
                         ? fmt::format("{} {{ {} }}", head, print)
                         : fmt::format("{} {{ if {} {{ {} }} }}", head, condition, print);
  if (is_readable(line)) mistake.help = {std::move(line)};
  return mistake;
}

// `n = n + 2`, and no sum after a product: `n = n * 2 + 1` changes otherwise.
bool is_written_out(const ForeignTokens& tokens) {
  if (tokens.size() < 5 || !is(tokens[1], "=") || !is(tokens[2], tokens[0].text)) return false;
  const bool adds = is(tokens[3], "+") || is(tokens[3], "-");
  const bool scales = is(tokens[3], "*") || is(tokens[3], "/");
  return adds || (scales && std::none_of(tokens.begin() + 4, tokens.end(), [](const auto& token) {
                    return is(token, "+") || is(token, "-");
                  }));
}

// How many values `0..4`, `2..L` or `[1, 2]` has.
std::string passes_of(std::string_view range) {
  const std::size_t dots = range.find("..");
  if (dots == std::string_view::npos)
    return fmt::format("{}", std::count(range.begin(), range.end(), ',') + 1);
  const std::string_view last = range.substr(dots + 2);
  const std::string_view first = range.substr(0, dots);
  return first == "0" ? std::string(last) : fmt::format("({} - {})", last, first);
}

// The sum of what each pass of `0..L` gives, by a function that calls itself; nothing for a list.
std::string sum_by_calls(std::string_view pass, std::string_view range, std::string_view step,
                         const std::pair<std::string, std::string>& from_to) {
  const std::size_t dots = range.find("..");
  if (dots == std::string_view::npos) return {};
  return fmt::format(
      "fn add({0}, s) {{ if {0} < {1} {{ return add({0} + 1, {2}) }} return s }}; {3} = "
      "add({4}, {5})",
      pass, range.substr(dots + 2), step, from_to.second, range.substr(0, dots), from_to.first);
}

// `total2`, which nothing is called so far.
std::string another_name(std::string_view name, const ForeignNames& names) {
  std::string other = fmt::format("{}2", name);
  for (int i = 3; names.is_scalar(other) || names.is_array(other); ++i)
    other = fmt::format("{}{}", name, i);
  return other;
}

}  // namespace

std::optional<ForeignMistake> foreign_sum(std::string_view header, std::string_view statement,
                                          const ForeignNames& names) {
  const auto tokens = foreign_tokens(statement);
  const std::size_t in = header.find(" in ");
  if (!tokens || tokens->size() < 4 || in == std::string_view::npos) return std::nullopt;
  const ForeignToken& target = (*tokens)[0];
  // `n = n + 2` as `n += 2`.
  const bool written_out = is_written_out(*tokens);
  const std::string written_sign = written_out ? std::string((*tokens)[3].text) + "=" : "";
  const std::string_view sign = written_out ? written_sign : (*tokens)[1].text;
  const std::size_t value_from = written_out ? 3 : 1;
  const bool changes = sign == "+=" || sign == "-=" || sign == "*=" || sign == "/=";
  if (target.kind != ForeignKind::Word || !changes || names.is_array(target.text) ||
      !next_value(statement))
    return std::nullopt;
  const std::string_view pass = bare_text(header.substr(4, in - 4));
  const std::string_view range = bare_text(header.substr(in + 4));
  std::string_view value = bare_text(statement.substr((*tokens)[value_from].end));
  while (value.ends_with(';')) value = bare_text(value.substr(0, value.size() - 1));
  const bool varies =
      std::any_of(tokens->begin() + static_cast<std::ptrdiff_t>(value_from) + 1, tokens->end(),
                  [&](const ForeignToken& token) { return is(token, pass); });
  if (written_out && value.find(target.text) != std::string_view::npos) return std::nullopt;
  // A sum from 0 on has the name itself, in place of the 0.
  const bool from_zero = !varies && sign == "+=" && names.is_zero(target.text);
  const bool sum =
      tokens->size() > value_from + 3 && value.find_first_of("+-/") != std::string_view::npos;
  const std::string factor = sum ? fmt::format("({})", value) : std::string(value);
  const std::string other = another_name(target.text, names);
  std::string line = fmt::format("{} = {} * {}", target.text, passes_of(range), factor);
  if (varies)
    line = sum_by_calls(pass, range, fmt::format("s {} {}", sign.front(), factor),
                        {std::string(target.text), other});
  else if (!from_zero)
    line = fmt::format("{} = {} {}", other, target.text,
                       sign == "*=" || sign == "/="
                           ? fmt::format("{} {}^{}", sign.front(), factor, passes_of(range))
                           : fmt::format("{} {} * {}", sign.front(), passes_of(range), factor));
  if (line.empty() || !is_readable(line)) return std::nullopt;
  return ForeignMistake{
      .begin = (*tokens)[written_out ? 0 : 1].begin,
      .end = (*tokens)[value_from].end,
      .message = fmt::format("a loop cannot add up, as `{}` keeps its value: {}", target.text,
                             from_zero ? "one line takes the place of its 0 and of the loop"
                                       : "in place of the loop, the result is another name"),
      .help = {std::move(line)},
      .made = {},
      .array = {}};
}

std::optional<ForeignMistake> read_foreign_sum(std::string_view text, const ForeignNames& names) {
  const std::size_t open = text.find('{');
  if (!text.starts_with("for ") || open == std::string_view::npos || !text.ends_with('}'))
    return std::nullopt;
  const std::string_view inside = bare_text(text.substr(open + 1, text.size() - open - 2));
  auto mistake = foreign_sum(bare_text(text.substr(0, open)), inside, names);
  if (!mistake) return std::nullopt;
  const auto before = static_cast<std::size_t>(inside.data() - text.data());
  mistake->begin += before;
  mistake->end += before;
  return mistake;
}

std::optional<ForeignMistake> read_foreign_results(std::string_view text,
                                                   const ForeignNames& names) {
  if (auto mistake = read_while(text, names)) return mistake;
  return read_comprehension(text, names);
}

}  // namespace shard
