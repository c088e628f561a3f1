// Sizes of arrays inside expressions: `x.shape[0] / |X|`, `2 * x.size(-1)`.
#include <fmt/format.h>

#include <charconv>

#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/foreign/rewrite.h"
#include "grammar/translate/function.h"
#include "grammar/translate/token.h"

namespace shard {
namespace {

using SizeTokens = ForeignTokens;
using SizeKind = ForeignToken::Kind;

// `x.shape[0]`, `x.shape`: tokens [begin, end).
struct AskedSize {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::optional<int> place = std::nullopt;  // from the end if it is negative; nothing: of all
};

std::optional<int> whole_place(const SizeTokens& tokens, std::size_t i, std::size_t end) {
  const bool minus = is(tokens[i], "-");
  const ForeignToken& number = tokens[minus ? i + 1 : i];
  if (number.kind != SizeKind::Number || i + (minus ? 2 : 1) != end) return std::nullopt;
  int place = 0;
  const char* const last = number.text.data() + number.text.size();
  const auto read = std::from_chars(number.text.data(), last, place);
  if (read.ec != std::errc() || read.ptr != last) return std::nullopt;
  return minus ? -place : place;
}

std::optional<AskedSize> asked_size(const SizeTokens& tokens, std::size_t i) {
  const bool shape = is(tokens[i + 2], "shape");
  const bool asks = tokens[i].kind == SizeKind::Word && is(tokens[i + 1], ".") &&
                    (shape || is(tokens[i + 2], "size")) && !is(tokens[i - 1], ".");
  if (!asks) return std::nullopt;
  AskedSize asked{.begin = i, .end = i + 3};
  if (!is(tokens[i + 3], shape ? "[" : "(") || !tokens[i + 3].glued) return asked;
  const std::size_t end = behind_group(tokens, i + 3);
  asked.place = whole_place(tokens, i + 4, end - 1);
  if (asked.place) asked.end = end;
  return asked.place ? std::optional(asked) : std::nullopt;
}

std::vector<std::string> dimensions_of(std::string_view name, const ForeignNames& names) {
  std::vector<std::string> dimensions;
  const auto array = names.array(name);
  if (!array) return names.written(name);
  for (const ForeignDimension& dimension : array->dimensions) dimensions.push_back(dimension.name);
  return dimensions;
}

// The name of the dimension that is asked for; empty if there is none.
std::string size_name(const AskedSize& asked, const std::vector<std::string>& dimensions) {
  const auto count = static_cast<int>(dimensions.size());
  if (!asked.place) return count == 1 ? dimensions.front() : "";
  const int place = *asked.place < 0 ? *asked.place + count : *asked.place;
  return place >= 0 && place < count ? dimensions[static_cast<std::size_t>(place)] : "";
}

}  // namespace

std::optional<ForeignMistake> read_foreign_size(std::string_view text, const ForeignNames& names) {
  const auto read = foreign_tokens(text);
  if (!read || read->size() < 5 || text.find('\n') != std::string_view::npos) return std::nullopt;
  const SizeTokens& tokens = *read;
  ForeignRewrite line(text);
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    const auto asked = asked_size(tokens, i);
    if (!asked || !names.is_array(tokens[i].text)) continue;
    const std::vector<std::string> dimensions = dimensions_of(tokens[i].text, names);
    const std::string name = size_name(*asked, dimensions);
    line.find(tokens[i].begin, tokens[asked->end - 1].end,
              fmt::format("`.{}` is Python: {}", tokens[i + 2].text,
                          foreign_method(tokens[i + 2].text)->meaning));
    if (name.empty()) {
      // What can be read as Python is said by that.
      if (dimensions.empty() || read_foreign_line(text, names)) return std::nullopt;
      line.mistake()->help = {
          fmt::format("the dimensions of `{}` are {}", tokens[i].text, join_words(dimensions))};
      return line.mistake();
    }
    line.replace(tokens[i].begin, tokens[asked->end - 1].end, name);
  }
  auto mistake = line.offered();
  if (!mistake) return std::nullopt;
  // The line may be another language's in more than that.
  if (const auto more = read_foreign_line(mistake->help.front(), names)) return std::nullopt;
  return mistake;
}

}  // namespace shard
