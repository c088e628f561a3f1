// Arrays that are declared in words: `A: I_X × J_Y in bf16`.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/tree/names.h"

namespace shard {
namespace {

// Between the name and its dimensions, the longest first.
constexpr std::string_view kIntroductions[] = {
    " has shape ", " of shape ", " is of size ", " is a ", " is ", ":", " ~ "};
constexpr std::string_view kCrosses[] = {"×", "\\times", "⨯", "✕", " x ", " X ", " by ", "*"};
// Words around the element type that say nothing besides.
constexpr std::string_view kFillers[] = {"in",    "of",     "as",     "at",    "with",  "type",
                                         "shape", "matrix", "tensor", "array", "dtype", "elements"};

// `J_Y`, `64`
bool is_dimension_text(std::string_view text) {
  if (text.empty()) return false;
  const bool number = is_digit(text.front());
  const bool begins = number || (text.front() >= 'A' && text.front() <= 'Z');
  return begins && std::all_of(text.begin(), text.end(), [&](char c) {
           return is_digit(c) || (!number && (is_letter(c) || c == '_' || c == '{' || c == '}'));
         });
}

ForeignDimension dimension_of_text(const std::string& text) {
  const std::size_t mark = text.find('_');
  if (mark == std::string::npos) return {text};
  std::string axes = text.substr(mark + 1);
  std::erase_if(axes, [](char c) { return c == '{' || c == '}'; });
  return {text.substr(0, mark), {axes}};
}

}  // namespace

std::optional<ForeignMistake> read_foreign_shape(std::string_view text) {
  const auto* introduction = std::find_if(
      std::begin(kIntroductions), std::end(kIntroductions),
      [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
  if (introduction == std::end(kIntroductions) ||
      text.find_first_of("[=→\n") != std::string_view::npos)
    return std::nullopt;
  const std::size_t at = text.find(*introduction);
  const std::string name(bare_text(text.substr(0, at)));
  const std::size_t from = at + introduction->size();
  std::string rest(text.substr(from));
  std::size_t first = std::string_view::npos;
  std::size_t length = 0;
  for (const std::string_view cross : kCrosses) {
    for (std::size_t i = rest.find(cross); i != std::string::npos; i = rest.find(cross)) {
      const std::size_t place = text.find(cross, from);
      if (place < first) {
        first = place + (cross.front() == ' ' ? 1 : 0);
        length = bare_text(cross).size();
      }
      rest.replace(i, cross.size(), " , ");
    }
  }
  if (first == std::string_view::npos || name.find_first_of(" (") != std::string::npos)
    return std::nullopt;
  std::string dtype = "bf16";
  std::vector<std::string> parts;
  std::string word;
  const auto take = [&] {
    const bool filler =
        std::find(std::begin(kFillers), std::end(kFillers), word) != std::end(kFillers);
    if (is_dtype(word))
      dtype = word;
    else if (!word.empty() && !filler)
      parts.push_back(word);
    word.clear();
  };
  for (const char c : rest) {
    if (c == ' ' || c == ',' || c == '(' || c == ')' || c == '.')
      take();
    else
      word += c;
  }
  take();
  if (parts.size() < 2 || !std::all_of(parts.begin(), parts.end(), is_dimension_text))
    return std::nullopt;
  ForeignMistake mistake{.begin = first,
                         .end = first + length,
                         .message =
                             "the dimensions of an array stand in brackets after its "
                             "element type, with commas",
                         .help = {},
                         .made = name,
                         .array = {}};
  for (const std::string& part : parts) mistake.array.dimensions.push_back(dimension_of_text(part));
  std::string line = fmt::format("{}: {}[{}]", name, dtype, join(parts, ", "));
  if (!is_readable(line)) return std::nullopt;
  mistake.help = {std::move(line)};
  return mistake;
}

}  // namespace shard
