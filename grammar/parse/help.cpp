// Lines that the parser offers: the statement with a piece of it mended.
#include <fmt/format.h>

#include <algorithm>

#include "grammar/foreign/line.h"
#include "grammar/parse/construct.h"

namespace shard {
namespace {

// Whether a dimension stands at the token, and no axis of the subscript in front of it: `J` of `I_{XY, J`.
bool is_next_dimension(const ParserContext& context, std::size_t index) {
  const Token& word = context.token(index);
  if (word.kind != TokenKind::Identifier) return false;
  const Names& names = context.names();
  if (!names.axes.empty()) return !split_axes(word.text, names);
  return names.has_dimension(word.text) || !word.glued;
}

// Behind the axes of a subscript that is never closed, where a dimension follows them: `I_{XY, J]`.
std::optional<Span> end_of_axes(const ParserContext& context, std::size_t opener) {
  const bool subscript = opener > 0 && context.token(opener).kind == TokenKind::LeftBrace &&
                         context.token(opener - 1).kind == TokenKind::Underscore;
  for (std::size_t i = opener + 2; subscript && i < context.position(); ++i) {
    if (context.token(i).kind != TokenKind::Comma || !is_next_dimension(context, i + 1)) continue;
    const Span& before = context.token(i - 1).span;
    return Span{before.file, before.end, before.end};
  }
  return std::nullopt;
}

}  // namespace

Span ParserContext::line_span() const {
  std::size_t last = std::max(position_, begin_ + 1);
  while (last < block_end() && !begins_line(last) &&
         list_.tokens[last].kind != TokenKind::Semicolon)
    ++last;
  return cover(list_.tokens[begin_].span, list_.tokens[last - 1].span);
}

std::optional<std::string> ParserContext::edited_line(const Span& place,
                                                      std::string_view text) const {
  const Span all = line_span();
  if (!knows_languages || place.begin < all.begin || place.end > all.end) return std::nullopt;
  std::string line = fmt::format("{}{}{}", source_text({all.file, all.begin, place.begin}), text,
                                 source_text({all.file, place.end, all.end}));
  // What is longer is no line that anybody reads.
  constexpr std::size_t kLongest = 400;
  if (line.size() > kLongest || !is_readable(line)) return std::nullopt;
  return line;
}

// The line with the bracket closed in front of the current token, where that is all that is missing.
std::vector<std::string> ParserContext::closed_line(std::string_view closer) const {
  if (position_ == 0) return {};
  Span place = list_.tokens[position_ - 1].span;
  place.begin = place.end;
  auto line = edited_line(place, closer);
  if (!line) return {};
  return {*std::move(line)};
}

// The line with the subscript closed after its axes.
std::vector<std::string> ParserContext::closed_subscript(std::size_t opener) const {
  const auto axes = end_of_axes(*this, opener);
  auto line = axes ? edited_line(*axes, "}") : std::nullopt;
  if (!line) return {};
  return {*std::move(line)};
}

std::vector<std::string> ParserContext::remark_help() const {
  const Span& first = list_.tokens[begin_].span;
  const std::string_view text = sources_.text(first.file);
  const std::size_t before = text.rfind('\n', first.begin);
  const std::size_t begin =
      before == std::string_view::npos || before > first.begin ? 0 : before + 1;
  const std::size_t end = std::min(text.find('\n', first.begin), text.size());
  const std::string_view line = bare_text(text.substr(begin, end - begin));
  const std::string rule = "remarks begin with `#`";
  // What is longer is no line that anybody reads, and next to other statements a remark would hide them.
  constexpr std::size_t kLongest = 400;
  const bool alone = line.find_first_of(";{}#") == std::string_view::npos;
  if (!knows_languages || !alone || line.empty() || line.size() > kLongest) return {rule};
  return {fmt::format("# {}", line), rule};
}

// The statement as it could go on, where it breaks off after a sign.
std::vector<std::string> ParserContext::end_help() const {
  if (position_ <= begin_ + 1 || !open_.empty()) return {};
  const Token& last = list_.tokens[position_ - 1];
  if (!expects_more(last) || last.kind == TokenKind::Comma) return {};
  const bool array = list_.tokens[position_ - 2].kind == TokenKind::RightBracket;
  const std::string text = plain_text(begin_, position_);
  if (last.kind == TokenKind::Equal) return {text + (array ? " zeros" : " 1024")};
  if (array) return {};
  return {text + " 1"};
}

}  // namespace shard
