// Marks in braces after an array: `{U_X}`, `{max_X}`, `{Z=0}`.
#include <fmt/format.h>

#include "grammar/parse/construct.h"

namespace shard {
namespace {

// The letter U of a mark, with or without what may be glued to it: `U`, `U_X`, `UX`.
bool is_mark_word(const Token& token, const Names& names) {
  if (token.kind != TokenKind::Identifier || token.text[0] != 'U') return false;
  const std::string_view rest = token.text.substr(1);
  return rest.empty() || rest[0] == '_' || !exact_splits(rest, names).empty() ||
         (!names.axes.empty() && split_axes(rest, names).has_value());
}

// The word of `{max_X}` and `{min_X}`, also if `max_X` is one token.
bool begins_extreme(const ParserContext& context) {
  const Token& word = context.peek(1);
  if (!context.at(TokenKind::LeftBrace) || word.kind != TokenKind::Identifier) return false;
  const std::string_view text = word.text;
  if (text == "max" || text == "min") return context.peek(2).kind == TokenKind::Underscore;
  const std::string_view start = text.substr(0, 4);
  return (start == "max_" || start == "min_") && context.peek(2).kind == TokenKind::RightBrace;
}

bool begins_unreduced(const ParserContext& context) {
  if (!context.on_same_line()) return false;
  if (begins_extreme(context)) return true;
  if (!is_mark_word(context.peek(1), context.names())) return false;
  if (context.at(TokenKind::LeftBrace)) return true;
  const TokenKind next = context.peek(2).kind;
  return context.at(TokenKind::Less) && context.current().glued &&
         (next == TokenKind::Greater || next == TokenKind::Underscore);
}

// The axes of `{U:X}`, `{U:X,Y}` and `{U:(X,Y)}`, as JAX prints them. A name before a colon begins another mark: `{U:X,V:Y}`.
bool at_printed_axes(const ParserContext& context) {
  const TokenKind next = context.peek(1).kind;
  return context.at(TokenKind::Colon) &&
         (next == TokenKind::Identifier || next == TokenKind::LeftParen);
}

std::vector<ast::Identifier> parse_printed_axes(ParserContext& context) {
  context.advance();
  const bool several = context.at(TokenKind::LeftParen);
  const std::size_t opener = several ? context.open() : 0;
  std::vector<ast::Identifier> axes;
  do {
    const ast::Identifier word = parse_identifier(context, "an axis");
    if (context.failed()) break;
    const auto row = axes_of(context, word.text, word.at.span);
    axes.insert(axes.end(), row.begin(), row.end());
  } while (!context.failed() && context.peek(1).kind == TokenKind::Identifier &&
           context.peek(2).kind != TokenKind::Colon && context.accept(TokenKind::Comma));
  if (several) context.close(opener, "`,`");
  return axes;
}

// mark = ( "U" | "max" | "min" ) "_" axes | "U" [ "." ] axes | "U" ":" ( name { "," name } | "(" name { "," name } ")" ) ;
std::vector<ast::Identifier> parse_mark(ParserContext& context, ast::Parts parts) {
  const Token& word = context.current();
  const std::size_t length = parts == ast::Parts::Sums ? 1 : 3;
  if (word.text.size() > length) {
    const std::size_t letters = length + (word.text[length] == '_' ? 1 : 0);
    auto axes = axes_of(context, word.text.substr(letters), part_of(word.span, letters));
    context.advance();
    return axes;
  }
  context.advance();
  if (at_printed_axes(context)) return parse_printed_axes(context);
  if (!context.accept(TokenKind::Dot)) return parse_axes(context);
  const ast::Identifier axes = parse_identifier(context, "an axis");
  return axes_of(context, axes.text, axes.at.span);
}

}  // namespace

// unreduced = "{" mark "}" | "<" mark ">" ;
UnreducedMark parse_unreduced_mark(ParserContext& context) {
  if (!begins_unreduced(context)) return {};
  UnreducedMark mark;
  if (begins_extreme(context)) {
    const bool maxima = context.peek(1).text.starts_with("max");
    mark.parts = maxima ? ast::Parts::Maxima : ast::Parts::Minima;
  }
  if (context.at(TokenKind::LeftBrace)) {
    const std::size_t opener = context.open();
    mark.axes = parse_mark(context, mark.parts);
    if (context.at(TokenKind::Comma)) {
      context.fail_expected("`}`", {"axes over which an array is unreduced stand after one U: "
                                    "`A[I, J]{U_{X,Y}}`"});
    }
    context.close(opener, "");
    return mark;
  }
  context.advance();
  mark.axes = parse_mark(context, mark.parts);
  if (!context.accept(TokenKind::Greater)) context.fail_expected("`>`");
  return mark;
}

// A block begins on a new line: `if C[I] = x {⏎ n = 3`.
// placed = "{" place { "," place } "}" ;   place = AXIS "=" expression ;
std::vector<ast::Placement> parse_placed_mark(ParserContext& context) {
  const bool begins = context.at(TokenKind::LeftBrace) && context.on_same_line() &&
                      context.peek(1).kind == TokenKind::Identifier &&
                      !context.peek(1).line_start && context.peek(2).kind == TokenKind::Equal;
  if (!begins) return {};
  std::vector<ast::Placement> placed;
  const std::size_t opener = context.open();
  do {
    ast::Identifier axis = parse_identifier(context, "an axis");
    if (!context.accept(TokenKind::Equal)) context.fail_expected("`=`");
    placed.push_back({std::move(axis), parse_expression(context)});
  } while (!context.failed() && context.accept(TokenKind::Comma));
  context.close(opener, "`,`");
  return placed;
}

void reject_other_mark(ParserContext& context) {
  if (!context.at(TokenKind::LeftBrace) || !context.current().glued) return;
  context.fail(DiagnosticKind::SyntaxError, context.current().span,
               fmt::format("expected `{{U_…}}` after `]`, found `{}`",
                           context.source_text(context.current().span)),
               {"an array that is unreduced over X is written `A[I, J]{U_X}`",
                "one that only the devices with Z = 0 hold is written `A[I, J]{Z=0}`"});
}

}  // namespace shard
