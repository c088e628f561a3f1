// Arrays: names, dimensions, axes, the unreduced mark.
#include <fmt/format.h>

#include <algorithm>

#include "grammar/parser_context.h"

namespace shard {
namespace {

// The part of a token's text that begins at `offset`; the token is written as its text.
Span part_of(const Span& token, std::size_t offset) {
  return {token.file, token.begin + static_cast<std::uint32_t>(offset), token.end};
}

void fail_hole(ParserContext& context) {
  context.fail(DiagnosticKind::NotYet, context.current().span,
               "holes (`_?`) are not run by this version");
}

// Where the name of a dimension ends in a word and its axes begin: at the first underscore behind which declared axes
// stand (their names may have underscores too), else at the last one.
std::size_t find_axes(const std::string& word, const Names& names) {
  const std::size_t last = word.rfind('_');
  for (std::size_t place = word.find('_'); place < last && !names.axes.empty();
       place = word.find('_', place + 1)) {
    if (split_axes(std::string_view(word).substr(place + 1), names)) return place;
  }
  return last;
}

// An identifier inside brackets. What stands behind its underscore are axes, unless the whole word is a dimension with
// a size.
ast::Dimension split_dimension(ParserContext& context) {
  const Token& token = context.current();
  const std::size_t underscore = find_axes(token.text, context.names());
  ast::Dimension dimension;
  const bool whole = underscore == std::string::npos || context.names().has_dimension(token.text) ||
                     context.peek(1).kind == TokenKind::Underscore;
  const std::string name = whole ? token.text : token.text.substr(0, underscore);
  Span place = token.span;
  place.end = place.begin + static_cast<std::uint32_t>(name.size());
  dimension.name = ast::Identifier{name, {place}};
  if (!whole) {
    dimension.axes = axes_of(token.text.substr(underscore + 1), part_of(token.span, underscore + 1),
                             context.names());
  }
  context.advance();
  return dimension;
}

// dimension = ( NAME | NUMBER ) [ "_" axes ] ;
ast::Dimension parse_dimension(ParserContext& context) {
  const std::size_t begin = context.position();
  ast::Dimension dimension;
  if (context.at(TokenKind::Identifier)) {
    dimension = split_dimension(context);
    context.add_dimension(std::get<ast::Identifier>(dimension.name).text);
  } else {
    dimension.name = parse_number(context, "a dimension");
  }
  if (context.at(TokenKind::Underscore) && context.current().glued)
    dimension.axes = parse_axes(context);
  dimension.at = context.location_from(begin);
  return dimension;
}

// The array as it should have been written, if a comma is all that lacks: `A[I_X J]`.
std::vector<std::string> comma_help(const ParserContext& context, std::size_t opener) {
  if (!context.at(TokenKind::Identifier) && !context.at(TokenKind::Number)) return {};
  const auto closer = static_cast<std::size_t>(context.token(opener).partner);
  const bool named = opener > 0 && context.token(opener).glued &&
                     context.token(opener - 1).kind == TokenKind::Identifier;
  const Span before = cover(context.token(named ? opener - 1 : opener).span,
                            context.token(context.position() - 1).span);
  const Span after = cover(context.current().span, context.token(closer).span);
  return {fmt::format("`{}, {}`", context.source_text(before), context.source_text(after))};
}

bool begins_unreduced(const ParserContext& context) {
  if (!context.at(TokenKind::LeftBrace) || !context.on_same_line()) return false;
  const Token& word = context.peek(1);
  return word.kind == TokenKind::Identifier && (word.text == "U" || word.text.substr(0, 2) == "U_");
}

// unreduced = "{" "U" "_" axes "}" ;
std::vector<ast::Identifier> parse_unreduced(ParserContext& context) {
  const std::size_t opener = context.open();
  const Token& word = context.current();
  std::vector<ast::Identifier> axes;
  if (word.text == "U") {
    context.advance();
    axes = parse_axes(context);
  } else {
    axes = axes_of(word.text.substr(2), part_of(word.span, 2), context.names());
    context.advance();
  }
  context.close(opener, "");
  return axes;
}

void reject_other_mark(ParserContext& context) {
  if (!context.at(TokenKind::LeftBrace) || !context.current().glued) return;
  context.fail(DiagnosticKind::SyntaxError, context.current().span,
               fmt::format("expected `{{U_…}}` behind `]`, found `{}`",
                           context.source_text(context.current().span)),
               {"an array that is unreduced over X is written `A[I, J]{U_X}`"});
}

}  // namespace

std::vector<ast::Identifier> axes_of(std::string_view word, const Span& place, const Names& names) {
  const auto split = split_axes(word, names);
  std::vector<ast::Identifier> axes;
  std::uint32_t offset = 0;
  // A word that is no row of declared axes is cut as if there were no mesh, so that the wrong letter can be named.
  for (const std::string& axis : split ? *split : split_letters(word)) {
    const auto length = static_cast<std::uint32_t>(axis.size());
    const auto declared = split_axes(axis, names);
    axes.push_back({declared ? declared->front() : axis,
                    {{place.file, place.begin + offset, place.begin + offset + length}}});
    offset += length;
  }
  return axes;
}

// axes = AXES | "{" AXES { "," AXES } "}" ;   AXES is a row of axis names without anything between them.
std::vector<ast::Identifier> parse_axes(ParserContext& context) {
  context.accept(TokenKind::Underscore);
  if (context.at(TokenKind::Question)) fail_hole(context);
  std::vector<ast::Identifier> axes;
  const auto take = [&] {
    if (!context.at(TokenKind::Identifier)) return context.fail_expected("an axis");
    const Token& token = context.current();
    const auto more = axes_of(token.text, token.span, context.names());
    axes.insert(axes.end(), more.begin(), more.end());
    context.advance();
  };
  if (!context.current().glued) context.fail_expected("an axis");
  if (!context.at(TokenKind::LeftBrace)) {
    take();
    return axes;
  }
  const std::size_t opener = context.open();
  do {
    take();
  } while (context.accept(TokenKind::Comma));
  context.close(opener, "`,`");
  return axes;
}

ast::Identifier parse_identifier(ParserContext& context, std::string_view what) {
  if (!context.at(TokenKind::Identifier)) {
    context.fail_expected(what);
    return {};
  }
  ast::Identifier identifier{context.current().text, {context.current().span}};
  context.advance();
  return identifier;
}

// name = NAME [ "_" "{" NAME "}" ] ;
ast::Identifier parse_name(ParserContext& context, std::string_view what) {
  const std::size_t begin = context.position();
  ast::Identifier name = parse_identifier(context, what);
  const bool subscript = context.at(TokenKind::Underscore) && context.current().glued &&
                         context.peek(1).kind == TokenKind::LeftBrace;
  if (!subscript) return name;
  context.advance();
  const std::size_t opener = context.open();
  name.text += "_" + parse_identifier(context, "the subscript of a name").text;
  context.close(opener, "");
  name.at = context.location_from(begin);
  return name;
}

// dimensions = "[" [ dimension { "," dimension } ] "]" ;
std::vector<ast::Dimension> parse_dimensions(ParserContext& context) {
  const std::size_t opener = context.open();
  std::vector<ast::Dimension> dimensions;
  if (!context.at(TokenKind::RightBracket)) {
    do {
      dimensions.push_back(parse_dimension(context));
    } while (context.accept(TokenKind::Comma));
  }
  const bool closed = context.token(opener).partner >= 0;
  if (closed && !context.at(TokenKind::RightBracket)) {
    context.fail_expected("`,` or `]`", comma_help(context, opener));
  }
  context.close(opener, "`,`");
  return dimensions;
}

// array = [ name | DTYPE ] dimensions [ unreduced ] | name ;
ast::ArrayRef parse_array(ParserContext& context) {
  const std::size_t begin = context.position();
  ast::ArrayRef array;
  if (!context.at(TokenKind::LeftBracket)) {
    ast::Identifier name = parse_name(context, "an array");
    const bool typed = context.at(TokenKind::LeftBracket) && canonical_dtype(name.text).has_value();
    if (typed) name.text = *canonical_dtype(name.text);
    (typed ? array.dtype : array.name) = std::move(name);
  }
  if (context.at(TokenKind::LeftBracket)) {
    array.bracketed = true;
    array.dimensions = parse_dimensions(context);
    if (array.name) context.add_array(array.name->text);
    if (begins_unreduced(context)) array.unreduced = parse_unreduced(context);
    reject_other_mark(context);
  }
  array.at = context.location_from(begin);
  return array;
}

}  // namespace shard
