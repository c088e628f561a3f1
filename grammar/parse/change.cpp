// `x += 1`: a name does not change its value.
#include <fmt/format.h>

#include "grammar/parse/construct.h"

namespace shard {
namespace {

// Whether it may stand for a place among dimensions: a number, or a small letter, as the `i` of a loop. Of a dimension that has one,
// `x[n] = x[n] + 1` is right as well.
bool is_place(const Token& token) {
  if (token.kind == TokenKind::Number) return true;
  return token.kind == TokenKind::Identifier && token.text[0] >= 'a' && token.text[0] <= 'z';
}

// What has the value before: `h` of `h[B, D]`, and all of `E[V = 3]`, `E[0:4, D]`, `E[0, i]` and `E[V, D][v]`, of which elements
// change.
std::string_view changed_value(const ParserContext& context, std::size_t begin, std::size_t end) {
  std::size_t pairs = 0;
  bool part = false;
  for (std::size_t i = begin + 1; i < end; i = context.behind(i)) {
    if (context.token(i).kind != TokenKind::LeftBracket) continue;
    ++pairs;
    for (std::size_t inner = i + 1; inner < context.behind(i); inner = context.behind(inner))
      part = part || context.token(inner).kind == TokenKind::Equal ||
             context.token(inner).kind == TokenKind::Colon || is_place(context.token(inner));
  }
  if (!part && pairs < 2) return context.token(begin).text;
  return context.source_text(cover(context.token(begin).span, context.token(end - 1).span));
}

// `h[B, D] += attn`: an array may be given a new value under its own name.
bool reject_array_change(ParserContext& context) {
  const std::size_t position = context.position();
  const Token& sign = context.token(position - 1);
  const Token& name = context.token(context.statement_begin());
  const TokenKind before = context.token(position - 2).kind;
  const bool change =
      (before == TokenKind::RightBracket || before == TokenKind::RightBrace) &&
      name.kind == TokenKind::Identifier &&
      context.token(context.statement_begin() + 1).kind == TokenKind::LeftBracket &&
      (std::string_view("+-*/").find(sign.text) != std::string_view::npos || sign.text == "·");
  if (!change) return false;
  const Span place = cover(sign.span, context.current().span);
  const auto line = context.edited_line(
      place, fmt::format("= {} {}", changed_value(context, context.statement_begin(), position - 1),
                         sign.text));
  context.fail(DiagnosticKind::NotNotation, place,
               fmt::format("there is no `{}=`: the new value is written out", sign.text),
               line ? std::vector<std::string>{*line} : std::vector<std::string>());
  return true;
}

}  // namespace

bool reject_change(ParserContext& context) {
  const std::size_t position = context.position();
  if (!context.at(TokenKind::Equal) || !context.current().glued ||
      position < context.statement_begin() + 2)
    return false;
  if (reject_array_change(context)) return true;
  const Token& sign = context.token(position - 1);
  const Token& name = context.token(position - 2);
  const bool change = name.kind == TokenKind::Identifier &&
                      std::string_view("+-*/").find(sign.text) != std::string_view::npos;
  if (!change || position + 1 >= rest_end(context)) return false;
  context.fail(
      DiagnosticKind::NotNotation, sign.span,
      fmt::format("there is no `{0}=`: the new value has a name of its own, `{1}2`; a "
                  "session takes `{1} = {2}`, too",
                  sign.text, name.text, joined_statement(context, position - 1, position + 1, " ")),
      {fmt::format("{}2 = {}", name.text,
                   joined_statement(context, position - 1, position + 1, " "))});
  return true;
}

}  // namespace shard
