// Loops of other languages: numbers from one to another, lists of results, conditions.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "base/words.h"
#include "grammar/foreign/block.h"
#include "grammar/foreign/line.h"
#include "grammar/translate/token.h"
#include "grammar/translate/tree.h"
#include "grammar/translate/writer.h"

namespace shard {
namespace {

using ForeignKind = ForeignToken::Kind;
using Tokens = ForeignTokens;

// One more than a number, or than what a text says.
std::string one_more(std::string_view text) {
  const auto tree = read_foreign_expression(text);
  const auto number = tree ? foreign_number(*tree) : std::nullopt;
  return number ? fmt::format("{}", *number + 1) : fmt::format("{} + 1", text);
}

// Signs and words between the first number and the last. `..` is none of them: it is the notation's own.
struct RangeSign {
  std::string_view sign;
  bool inclusive;
  std::string_view message;
};
constexpr std::string_view kLeavesOut = "`..` leaves out its end, and there is no ";
constexpr RangeSign kRangeSigns[] = {
    {"..=", true, kLeavesOut}, {"...", true, kLeavesOut}, {"..<", false, {}},
    {" downto ", true, {}},    {" upto ", true, {}},      {" until ", false, {}},
    {" to ", true, {}},        {" TO ", true, {}},        {"…", true, kLeavesOut},
    {":", true, {}},
};

struct Range {
  std::string text = {};        // `0..4`, `[1, 2]`
  std::string_view piece = {};  // what is wrong in it
  std::string message = "a loop runs over numbers, `0..4`, or over a list";
};

std::string_view without_parentheses(std::string_view text) {
  text = bare_text(text);
  while (text.size() > 2 && (text.front() == '(' || text.front() == '[') &&
         (text.back() == ')' || text.back() == ']'))
    text = bare_text(text.substr(1, text.size() - 2));
  return text;
}

// `range(1, 3)`
std::optional<Range> called_range(std::string_view text) {
  const auto tree = read_foreign_expression(text);
  if (!tree || tree->kind != ForeignTree::Kind::Call) return std::nullopt;
  const std::string path = path_of(tree->parts.front());
  const std::string_view name = std::string_view(path).substr(path.rfind('.') + 1);
  const bool counts = name == "range" || name == "arange" || name == "xrange" || name == "seq";
  const std::size_t count = tree->parts.size() - 1;
  if (!counts || count == 0 || count > 3) return std::nullopt;
  const auto written = [&](std::size_t i) {
    return std::string(
        text.substr(tree->parts[i].begin, tree->parts[i].end - tree->parts[i].begin));
  };
  Range range{.text = count == 1 ? "0.." + written(1) : written(1) + ".." + written(2),
              .piece = text,
              .message = "`range` is Python: the numbers 0, 1, 2 are written `0..3`"};
  if (count < 3) return range;
  const auto first = foreign_number(tree->parts[1]);
  const auto last = foreign_number(tree->parts[2]);
  const auto step = foreign_number(tree->parts[3]);
  constexpr std::int64_t kMostItems = 16;
  if (!first || !last || !step || *step == 0 || (*last - *first) / *step > kMostItems)
    return std::nullopt;
  std::vector<std::string> items;
  for (std::int64_t i = *first; *step > 0 ? i < *last : i > *last; i += *step)
    items.push_back(fmt::format("{}", i));
  range.text = fmt::format("[{}]", join(items, ", "));
  range.message = "`range` is Python: numbers that are further apart than 1 stand in a list";
  return range;
}

// A number of whole ones; nullopt where it is none.
std::optional<std::int64_t> value_of(const ForeignTree& tree, std::string_view name,
                                     std::int64_t pass) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 31;
  if (tree.is_name(name)) return pass;
  if (const auto number = foreign_number(tree)) return number;
  if (tree.kind != ForeignTree::Kind::Binary) return std::nullopt;
  const auto left = value_of(tree.parts[0], name, pass);
  const auto right = value_of(tree.parts[1], name, pass);
  const bool small = left && right && std::abs(*left) < kLargest && std::abs(*right) < kLargest;
  if (!small) return std::nullopt;
  if (tree.text == "+") return *left + *right;
  if (tree.text == "-") return *left - *right;
  if (tree.text == "*") return *left * *right;
  if (tree.text == "/" && *right != 0 && *left % *right == 0) return *left / *right;
  constexpr std::int64_t kLargestPower = 62;
  if (tree.text != "**" || *right < 0 || *right > kLargestPower) return std::nullopt;
  std::int64_t power = 1;
  for (std::int64_t i = 0; i < *right; ++i) {
    power *= *left;
    if (std::abs(power) > kLargest) return std::nullopt;
  }
  return power;
}

// The numbers of `1..4` and of `[1, 2]`; nothing if they are too many, or no numbers.
std::vector<std::int64_t> numbers_of(std::string_view range) {
  constexpr std::int64_t kMost = 16;
  std::vector<std::int64_t> numbers;
  const std::size_t dots = range.find("..");
  if (dots != std::string_view::npos) {
    const auto first = read_foreign_expression(range.substr(0, dots));
    const auto last = read_foreign_expression(range.substr(dots + 2));
    const auto begin = first ? value_of(*first, "", 0) : std::nullopt;
    const auto end = last ? value_of(*last, "", 0) : std::nullopt;
    if (!begin || !end || *end - *begin > kMost) return {};
    for (std::int64_t i = *begin; i < *end; ++i) numbers.push_back(i);
    return numbers;
  }
  const auto list = read_foreign_expression(range);
  if (!list || list->kind != ForeignTree::Kind::Tuple) return {};
  for (const ForeignTree& item : list->parts) {
    const auto number = value_of(item, "", 0);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<Range> range_of(std::string_view text);

// `[1024 * i for i in 1..4]` as `[1024, 2048, 3072]`
std::optional<Range> computed_list(std::string_view text) {
  const std::size_t word = text.find(" for ");
  const std::size_t in = text.find(" in ", std::min(word, text.size()));
  const bool list = text.size() > 2 && (text.front() == '[' || text.front() == '(') &&
                    in != std::string_view::npos;
  if (!list) return std::nullopt;
  const std::string_view name = bare_text(text.substr(word + 5, in - word - 5));
  const std::string_view source = bare_text(text.substr(in + 4, text.size() - in - 5));
  const auto value = read_foreign_expression(text.substr(1, word - 1));
  const auto range = range_of(source);
  std::vector<std::string> items;
  for (const std::int64_t pass : numbers_of(range ? std::string_view(range->text) : source)) {
    const auto item = value ? value_of(*value, name, pass) : std::nullopt;
    if (!item) return std::nullopt;
    items.push_back(fmt::format("{}", *item));
  }
  if (items.empty()) return std::nullopt;
  return Range{.text = fmt::format("[{}]", join(items, ", ")),
               .piece = text,
               .message = "the numbers of a list are written out"};
}

// What stands after `in`, as it is here; nullopt of what is written so already.
std::optional<Range> range_of(std::string_view text) {
  text = bare_text(text);
  if (text.empty()) return std::nullopt;
  if (auto list = computed_list(text)) return list;
  if (auto range = called_range(text)) return range;
  const std::string_view inner = without_parentheses(text);
  for (const RangeSign& sign : kRangeSigns) {
    const std::size_t at = inner.find(sign.sign);
    if (at == std::string_view::npos) continue;
    const std::string_view first = bare_text(inner.substr(0, at));
    const std::string_view last = bare_text(inner.substr(at + sign.sign.size()));
    if (first.empty() || last.empty() || last.find(':') != std::string_view::npos)
      return std::nullopt;
    Range range{
        .text = fmt::format("{}..{}", first, sign.inclusive ? one_more(last) : std::string(last)),
        .piece = bare_text(inner.substr(at, sign.sign.size()))};
    range.message =
        sign.message.empty()
            ? fmt::format("numbers are written `{}`, which leaves out its end", range.text)
            : fmt::format("{}`{}`", sign.message, sign.sign);
    return range;
  }
  if (inner.find("..") != std::string_view::npos) {
    if (inner.size() == text.size()) return std::nullopt;
    return Range{.text = std::string(inner), .piece = text};
  }
  // `|X|`
  const bool axis = text.size() > 2 && text.front() == '|' && text.find('|', 1) == text.size() - 1;
  const bool commas =
      inner.find(',') != std::string_view::npos && inner.find('(') == std::string_view::npos;
  const auto tree =
      axis || commas ? std::optional<ForeignTree>(ForeignTree{}) : read_foreign_expression(text);
  if (!tree) return std::nullopt;
  const bool list = tree->kind == ForeignTree::Kind::Tuple || commas;
  if (list && text.front() == '[') return std::nullopt;
  if (list) return Range{.text = fmt::format("[{}]", inner), .piece = text};
  if (tree->kind == ForeignTree::Kind::Text) return std::nullopt;
  Range range{.text = fmt::format("0..{}", text), .piece = text};
  range.message = fmt::format("a loop runs over numbers, `{}`, or over a list", range.text);
  return range;
}

// `for (int i = 0; i < 3; i++)`, from after the parenthesis on.
std::optional<Range> counted_range(std::string_view text) {
  const std::size_t first_end = text.find(';');
  const std::size_t second_end =
      first_end == std::string_view::npos ? std::string_view::npos : text.find(';', first_end + 1);
  if (second_end == std::string_view::npos) return std::nullopt;
  const std::string_view condition = text.substr(first_end + 1, second_end - first_end - 1);
  const std::size_t sign = condition.find_first_of("<>!");
  if (sign == std::string_view::npos || condition[sign] == '>') return std::nullopt;
  const bool equal = sign + 1 < condition.size() && condition[sign + 1] == '=';
  const std::string_view last = bare_text(condition.substr(sign + (equal ? 2 : 1)));
  const std::string_view first = bare_text(text.substr(0, first_end));
  const bool inclusive = equal && condition[sign] == '<';
  return Range{.text = fmt::format("{}..{}", first, inclusive ? one_more(last) : std::string(last)),
               .piece = {},
               .message = "a loop runs over numbers, or over a list"};
}

struct LoopHead {
  std::string name;
  Range range;
  std::string_view text;  // after `for`, up to the block
};

// What stands between the name of a loop and its numbers.
constexpr std::string_view kLoopSigns[] = {"in", "=", ":", "of", "<-", "∈", "from", ":=", "←"};

// `for each i in 1:3`: without the block, from the word on.
// Numbers as they are here are taken where `without_braces` says that the mistake is another one.
std::optional<LoopHead> loop_head(std::string_view text, bool without_braces) {
  const auto tokens = foreign_tokens(text);
  if (!tokens || tokens->size() < 5) return std::nullopt;
  std::size_t i = 1;
  const bool parens = is((*tokens)[i], "(");
  if (parens) ++i;
  while (i + 2 < tokens->size() && (*tokens)[i].kind == ForeignKind::Word &&
         (*tokens)[i + 1].kind == ForeignKind::Word && !is((*tokens)[i + 1], "in") &&
         !is((*tokens)[i + 1], "of") && !is((*tokens)[i + 1], "from") &&
         (*tokens)[i + 1].text != "∈")
    ++i;
  const ForeignToken& name = (*tokens)[i];
  const ForeignToken& sign = (*tokens)[i + 1];
  const bool signs =
      std::find(std::begin(kLoopSigns), std::end(kLoopSigns), sign.text) != std::end(kLoopSigns);
  if (name.kind != ForeignKind::Word || !signs) return std::nullopt;
  std::string_view rest = bare_text(text.substr(sign.end));
  if (parens && rest.ends_with(')')) rest.remove_suffix(1);
  LoopHead head{
      .name = std::string(name.text), .range = {}, .text = text.substr((*tokens)[1].begin)};
  auto range = parens ? counted_range(rest) : std::nullopt;
  if (!range) range = range_of(rest);
  // `foreach b in [1, 2]`, `for each b in [1, 2]`: the words alone are others.
  const bool words = !is(tokens->front(), "for") || i > (parens ? 2U : 1U);
  const bool own = !range && (!is(sign, "in") || parens || words || without_braces);
  if (own) range = Range{.text = std::string(bare_text(rest)), .piece = {}};
  if (!range) return std::nullopt;
  head.range = *std::move(range);
  if (head.range.piece.empty() || !is(sign, "in")) head.range.piece = bare_text(head.text);
  return head;
}

// `for i in 0..=3 { … }`, `for i = 1:3 … end`
std::optional<ForeignMistake> read_for(std::string_view text, const ForeignNames& names) {
  static constexpr std::string_view kWords[] = {"for", "foreach", "forall", "parfor",
                                                "For", "FOR",     "DO",     "prange"};
  const auto tokens = foreign_tokens(text);
  if (!tokens || std::none_of(std::begin(kWords), std::end(kWords),
                              [&](std::string_view word) { return is(tokens->front(), word); }))
    return std::nullopt;
  const std::size_t brace = text.find('{');
  const std::size_t line_end = text.find('\n');
  const bool braces = brace != std::string_view::npos &&
                      (line_end == std::string_view::npos || brace < line_end + 4);
  const std::string_view head_text =
      without_foreign_opener(text.substr(0, braces ? brace : std::min(line_end, text.size())));
  const bool block = !braces && foreign_lines(text).size() > 1;
  const auto head = loop_head(head_text, block);
  // What runs over an array is no loop over numbers.
  if (!head || (head->range.text.starts_with("0..") && names.is_array(head->range.text.substr(3))))
    return std::nullopt;
  ForeignMistake mistake = foreign_loop_mistake(text, head->range.piece, head->range.message);
  std::string body;
  // Blocks end with a word, or with their indentation.
  std::vector<ForeignBlockLine> block_lines = foreign_lines(text);
  const bool ends = block_lines.size() > 2 && block_lines.back().indent <= block_lines[0].indent;
  if (braces) {
    body = std::string(bare_text(text.substr(brace)));
  } else {
    if (ends) block_lines.pop_back();
    const auto written = foreign_body(block_lines, names);
    if (written) body = written->text();
    const bool own = !range_of(head->range.text) && head->range.piece == bare_text(head->text);
    if (own && is((*tokens)[2], "in"))
      mistake.message = "the block of a loop stands in braces";
    else
      mistake.message += ", and its block stands in braces";
  }
  const std::string header = fmt::format("for {} in {}", head->name, head->range.text);
  const std::string_view inside = braces && text.ends_with('}')
                                      ? bare_text(text.substr(brace + 1, text.size() - brace - 2))
                                      : std::string_view{};
  const auto lines = foreign_lines(text);
  const auto sum = braces                    ? foreign_sum(header, inside, names)
                   : block_lines.size() == 2 ? foreign_sum(header, lines[1].text, names)
                                             : std::nullopt;
  std::string line = fmt::format("{} {}", header, body);
  if (sum)
    mistake.help = sum->help;
  else if (!body.empty() && is_readable(line))
    mistake.help = {std::move(line)};
  else
    mistake.help = {fmt::format("{} {{ print {} }}", header, head->name)};
  if (!is_readable(mistake.help.front())) mistake.help.clear();
  return mistake;
}

// `repeat 3 { … }`, `loop 3 times { … }`, `loop i in 0..4 { … }`
std::optional<ForeignMistake> read_repeat(std::string_view text) {
  const auto tokens = foreign_tokens(text);
  if (!tokens || tokens->size() < 4) return std::nullopt;
  const bool word = is(tokens->front(), "repeat") || is(tokens->front(), "loop") ||
                    is(tokens->front(), "do") || is(tokens->front(), "times");
  const std::size_t brace = text.find('{');
  if (!word || brace == std::string_view::npos) return std::nullopt;
  std::string_view count = bare_text(text.substr(tokens->front().end, brace - tokens->front().end));
  for (const std::string_view end : {" times", " time"}) {
    if (count.ends_with(end)) count = bare_text(count.substr(0, count.size() - end.size()));
  }
  count = without_parentheses(count);
  if (count.empty()) return std::nullopt;
  ForeignMistake mistake = foreign_loop_mistake(
      text, tokens->front().text,
      fmt::format("there is no `{}`: a loop runs over numbers", tokens->front().text));
  const std::string_view block = bare_text(text.substr(brace));
  const bool whole = is((*tokens)[2], "in");
  std::string line = whole ? fmt::format("for {} {}", count, block)
                           : fmt::format("for i in 0..{} {}", count, block);
  if (!is_readable(line)) return std::nullopt;
  mistake.help = {std::move(line)};
  return mistake;
}

}  // namespace

ForeignMistake foreign_loop_mistake(std::string_view text, std::string_view piece,
                                    std::string message) {
  const auto begin = static_cast<std::size_t>(piece.data() - text.data());
  return {.begin = begin,
          .end = begin + std::max<std::size_t>(piece.size(), 1),
          .message = std::move(message),
          .help = {},
          .made = {},
          .array = {}};
}

std::string_view without_foreign_opener(std::string_view head) {
  head = bare_text(head);
  for (const std::string_view word : {" do", " loop", " then", ":"}) {
    if (head.ends_with(word)) head = bare_text(head.substr(0, head.size() - word.size()));
  }
  return head;
}

std::optional<std::string> foreign_loop_header(std::string_view text) {
  const std::size_t in = text.find(" in ");
  if (in == std::string_view::npos) return std::nullopt;
  const std::string_view name = bare_text(text.substr(4, in - 4));
  if (name.find_first_of(" ,(") != std::string_view::npos) return std::nullopt;
  const std::string_view written = bare_text(text.substr(in + 4));
  const auto range = range_of(written);
  if (range) return fmt::format("for {} in {}", name, range->text);
  const bool own = written.starts_with('[') || written.find("..") != std::string_view::npos;
  if (!own) return std::nullopt;
  return fmt::format("for {} in {}", name, written);
}

std::optional<ForeignMistake> read_foreign_loop(std::string_view text, const ForeignNames& names) {
  if (auto mistake = read_for(text, names)) return mistake;
  if (auto mistake = read_repeat(text)) return mistake;
  return read_foreign_results(text, names);
}

}  // namespace shard
