// What is kept of statements that could not be read.
#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "grammar/parse/construct.h"

namespace shard {
namespace {

// The word that begins the statement, or the one it seems to stand for, so that what `mehs {X: 4}` would have declared
// is known as well.
std::string first_word(const ParserContext& context, std::size_t begin, std::size_t end) {
  std::string word(context.source_text(context.token(begin).span));
  const TokenKind next = begin + 1 < end ? context.token(begin + 1).kind : TokenKind::End;
  if (next != TokenKind::Identifier && next != TokenKind::LeftBrace) return word;
  return nearest_name(word, {"mesh", "hardware", "fn"}).value_or(word);
}

bool defines_name(const ParserContext& context, std::string_view word, std::size_t index,
                  std::size_t begin, std::size_t end) {
  const auto kind = [&](std::size_t i) { return i < end ? context.token(i).kind : TokenKind::End; };
  if (kind(index) != TokenKind::Identifier && kind(index) != TokenKind::Quoted) return false;
  // The arrays in parentheses are the function's own.
  if (word == "fn" || word == "chip") return index == begin + 1;
  if (index > begin && kind(index - 1) == TokenKind::Arrow) return true;
  const TokenKind next = kind(index + 1);
  if (word == "mesh" && (next == TokenKind::Comma || next == TokenKind::RightBrace)) return true;
  return next == TokenKind::Equal || next == TokenKind::Colon || next == TokenKind::LeftBracket;
}

// Subscripts name the axes of a faulty mesh as well: `A[B_DP]` is not over D and P.
void keep_axes(ParserContext& context, const std::vector<ast::Identifier>& axes) {
  context.names().axes.clear();
  for (const ast::Identifier& axis : axes) context.names().axes.push_back(axis.text);
}

// Without a mesh the axes in subscripts, `X` of `A[I_X, J]`, are those there are: of the whole line, as reading may have stopped at
// its first word.
void add_axes(const ParserContext& context, std::size_t begin, std::vector<ast::Identifier>& to) {
  if (!context.names().axes.empty()) return;
  for (std::size_t i = begin + 1; i < context.block_end() && !context.token(i).line_start; ++i) {
    const Token& token = context.token(i);
    if (token.kind != TokenKind::Identifier) continue;
    // `B_X` is one word.
    const std::size_t subscript = token.text.find('_');
    if (context.token(i - 1).kind == TokenKind::Underscore)
      to.push_back({std::string(token.text), {token.span}});
    else if (subscript != std::string_view::npos && subscript + 1 < token.text.size())
      to.push_back({std::string(token.text.substr(subscript + 1)), {token.span}});
  }
}

}  // namespace

ast::Unsupported unread_statement(ParserContext& context, std::size_t begin) {
  const std::size_t end = std::max(context.position(), begin + 1);
  ast::Unsupported unread;
  unread.word = first_word(context, begin, end);
  unread.text = std::string(context.source_text(context.span_from(begin)));
  for (std::size_t i = begin; i < end; ++i) {
    if (!defines_name(context, unread.word, i, begin, end)) continue;
    unread.defines.push_back({std::string(context.token(i).text), {context.token(i).span}});
  }
  add_axes(context, begin, unread.defines);
  if (unread.word == "mesh" && begin + 1 < end &&
      context.token(begin + 1).kind == TokenKind::LeftBrace)
    keep_axes(context, unread.defines);
  return unread;
}

void learn_numbers(ParserContext& context, std::size_t begin) {
  const std::size_t end = context.position();
  for (std::size_t i = begin + 1; i + 1 < end; ++i) {
    const bool number =
        context.token(i).kind == TokenKind::Equal && context.token(i + 1).kind == TokenKind::Number;
    if (!number) continue;
    // `BLOCK_M: tl.constexpr = 128`
    const bool typed = context.token(begin + 1).kind == TokenKind::Colon;
    const Token& name = context.token(typed ? begin : i - 1);
    if (name.kind == TokenKind::Identifier) context.add_dimension(std::string(name.text));
  }
}

}  // namespace shard
