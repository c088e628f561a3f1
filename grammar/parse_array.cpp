// Arrays: names, dimensions, axes, the unreduced mark.
#include <fmt/format.h>

#include <algorithm>

#include "grammar/parser_context.h"
#include "grammar/printer.h"

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

std::string written(const CutWord& word) {
  std::vector<ast::Identifier> axes;
  for (const std::string& axis : word.axes) axes.push_back({axis, {}});
  const ast::Dimension reading{ast::Identifier{word.dimension, {}}, std::move(axes), {}};
  return print(reading, Spelling::Unicode);
}

void fail_ambiguous(ParserContext& context, std::string_view word, const Span& place,
                    const std::vector<std::string>& readings) {
  context.fail(DiagnosticKind::AmbiguousSpelling, place,
               fmt::format("`{}` can be read as `{}`", word, fmt::join(readings, "` and as `")),
               {"write the one that is meant"});
}

// A word without an underscore between its dimension and its axes.
std::optional<ast::Dimension> read_cut_word(ParserContext& context, const Token& token) {
  const auto readings = cut_word(token.text, context.names());
  if (readings.empty()) return std::nullopt;
  if (readings.size() > 1) {
    std::vector<std::string> texts;
    for (const CutWord& reading : readings) texts.push_back(written(reading));
    fail_ambiguous(context, token.text, token.span, texts);
  }
  const CutWord& reading = readings.front();
  Span place = token.span;
  place.end = place.begin + static_cast<std::uint32_t>(reading.dimension.size());
  ast::Dimension dimension{ast::Identifier{reading.dimension, {place}}, {}, {}};
  for (const std::string& axis : reading.axes) {
    place.begin = place.end;
    place.end += static_cast<std::uint32_t>(axis.size());
    dimension.axes.push_back({axis, {place}});
  }
  return dimension;
}

// An identifier inside brackets: a dimension with a size is that dimension. Else what stands behind its underscore are
// axes, and if it has none, it may be a dimension with its axes.
ast::Dimension split_dimension(ParserContext& context) {
  const Token& token = context.current();
  const std::size_t underscore = find_axes(token.text, context.names());
  const Token& next = context.peek(1);
  const bool whole = context.names().has_dimension(token.text) ||
                     (next.kind == TokenKind::Underscore && next.glued);
  if (!whole && underscore == std::string::npos) {
    if (auto dimension = read_cut_word(context, token)) {
      context.advance();
      return *std::move(dimension);
    }
  }
  ast::Dimension dimension;
  const bool plain = whole || underscore == std::string::npos;
  const std::string name = plain ? token.text : token.text.substr(0, underscore);
  Span place = token.span;
  place.end = place.begin + static_cast<std::uint32_t>(name.size());
  dimension.name = ast::Identifier{name, {place}};
  if (!plain) {
    dimension.axes =
        axes_of(context, token.text.substr(underscore + 1), part_of(token.span, underscore + 1));
  }
  context.advance();
  return dimension;
}

bool is_arithmetic(const Token& token) {
  return token.kind == TokenKind::Slash || token.kind == TokenKind::DoubleSlash ||
         token.kind == TokenKind::Times || token.kind == TokenKind::Plus ||
         token.kind == TokenKind::Minus || token.kind == TokenKind::Caret ||
         token.kind == TokenKind::Colon;
}

// The token behind a name with its subscript in braces, `d_{model}`, or behind any other token.
const Token& behind_name(const ParserContext& context) {
  const bool subscript = context.at(TokenKind::Identifier) &&
                         context.peek(1).kind == TokenKind::Underscore &&
                         context.peek(2).kind == TokenKind::LeftBrace;
  return context.peek(subscript ? context.after_group(2) : 1);
}

// length = sum ;   slice = [ sum ] ":" [ sum ] ;
ast::Dimension parse_length(ParserContext& context) {
  ast::Dimension dimension;
  std::optional<Box<ast::Expr>> begin;
  if (!context.at(TokenKind::Colon)) begin = parse_sum(context);
  if (!context.accept(TokenKind::Colon)) {
    dimension.name = *std::move(begin);
    return dimension;
  }
  const bool open = context.at(TokenKind::Comma) || context.at(TokenKind::RightBracket);
  ast::Slice slice{std::move(begin), {}};
  if (!open) slice.end = parse_sum(context);
  dimension.name = std::move(slice);
  return dimension;
}

// JAX's axes of a dimension: `2048@x`, `2048@(x, y)`.
std::vector<ast::Identifier> parse_axes_behind_at(ParserContext& context) {
  context.advance();
  std::vector<ast::Identifier> axes;
  const auto take = [&] {
    const ast::Identifier word = parse_identifier(context, "an axis");
    if (context.failed()) return;
    const auto more = axes_of(context, word.text, word.at.span);
    axes.insert(axes.end(), more.begin(), more.end());
  };
  const bool listed = context.at(TokenKind::LeftParen) || context.at(TokenKind::LeftBrace);
  if (!listed) {
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

// dimension = ( NAME | NUMBER ) [ "_" axes | "@" axes ] | length | slice | "…" ;
ast::Dimension parse_dimension(ParserContext& context, bool closed) {
  const std::size_t begin = context.position();
  ast::Dimension dimension;
  // In front of a bracket that is never closed an operator tells where it is missing.
  const bool length =
      closed && (context.at(TokenKind::Colon) || context.at(TokenKind::LeftParen) ||
                 (begins_operand(context.current()) && is_arithmetic(behind_name(context))));
  if (context.accept(TokenKind::Ellipsis)) {
    dimension.name = ast::Rest{};
  } else if (length) {
    dimension = parse_length(context);
  } else if (context.at(TokenKind::Identifier)) {
    dimension = split_dimension(context);
    context.add_dimension(std::get<ast::Identifier>(dimension.name).text);
  } else {
    dimension.name = parse_number(context, "a dimension");
  }
  if (context.at(TokenKind::Underscore) && context.current().glued)
    dimension.axes = parse_axes(context);
  else if (context.at(TokenKind::At))
    dimension.axes = parse_axes_behind_at(context);
  dimension.at = context.location_from(begin);
  return dimension;
}

// What stands between two dimensions: a comma, or the `x` of `[128x128]` and `[N x K]`.
bool accept_separator(ParserContext& context) {
  if (context.accept(TokenKind::Comma) || context.accept(TokenKind::Cross)) return true;
  const TokenKind next = context.peek(1).kind;
  const bool cross =
      context.at_word("x") && (next == TokenKind::Identifier || next == TokenKind::Number);
  if (cross) context.advance();
  return cross;
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

// The letter U of a mark, and what may be glued to it: `U`, `U_X`, `UX`.
bool is_mark_word(const Token& token, const Names& names) {
  if (token.kind != TokenKind::Identifier || token.text[0] != 'U') return false;
  const std::string_view rest = std::string_view(token.text).substr(1);
  return rest.empty() || rest[0] == '_' || !exact_splits(rest, names).empty() ||
         (!names.axes.empty() && split_axes(rest, names).has_value());
}

// The word of `{max_X}` and `{min_X}`; of `max_X` as well, which is one token.
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

// mark = ( "U" | "max" | "min" ) "_" axes | "U" [ "." ] axes ;
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
  if (!context.accept(TokenKind::Dot)) return parse_axes(context);
  const ast::Identifier axes = parse_identifier(context, "an axis");
  return axes_of(context, axes.text, axes.at.span);
}

void reject_other_mark(ParserContext& context) {
  if (!context.at(TokenKind::LeftBrace) || !context.current().glued) return;
  context.fail(DiagnosticKind::SyntaxError, context.current().span,
               fmt::format("expected `{{U_…}}` behind `]`, found `{}`",
                           context.source_text(context.current().span)),
               {"an array that is unreduced over X is written `A[I, J]{U_X}`",
                "one that only the devices with Z = 0 hold is written `A[I, J]{Z=0}`"});
}

// index = "[" [ NAME "=" ] expression "]" ;
ast::Index parse_index_suffix(ParserContext& context) {
  const std::size_t opener = context.open();
  ast::Index index{{}, ast::Expr{}};
  if (context.at(TokenKind::Identifier) && context.peek(1).kind == TokenKind::Equal) {
    index.dimension = parse_identifier(context, "a dimension");
    context.advance();
  }
  index.value = parse_expression(context);
  context.close(opener, "");
  return index;
}

// What stands in the braces of a name's subscript: a word, or `i+1`, which keeps the braces.
std::string parse_subscript_text(ParserContext& context, std::size_t opener) {
  const std::size_t begin = context.position();
  const auto closer = static_cast<std::size_t>(context.token(opener).partner);
  std::string text = context.plain_text(begin, closer);
  std::erase(text, ' ');
  for (; context.position() < closer && !context.failed(); context.advance()) {
    // A name is no sentence: `T_{comms per AllGather}`.
    const bool words =
        context.at(TokenKind::Identifier) && context.peek(1).kind == TokenKind::Identifier;
    if (words) context.fail_formula(context.current().span);
  }
  return closer == begin + 1 ? text : "{" + text + "}";
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
    context.close(opener, "");
    return mark;
  }
  context.advance();
  mark.axes = parse_mark(context, mark.parts);
  if (!context.accept(TokenKind::Greater)) context.fail_expected("`>`");
  return mark;
}

// placed = "{" place { "," place } "}" ;   place = AXIS "=" expression ;
std::vector<ast::Placement> parse_placed_mark(ParserContext& context) {
  const bool begins = context.at(TokenKind::LeftBrace) && context.on_same_line() &&
                      context.peek(1).kind == TokenKind::Identifier &&
                      context.peek(2).kind == TokenKind::Equal;
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

std::vector<ast::Identifier> axes_of(ParserContext& context, std::string_view word,
                                     const Span& place) {
  const Names& names = context.names();
  if (!word.empty() && word[0] >= '0' && word[0] <= '9') {
    context.fail(
        DiagnosticKind::NotNotation, place, fmt::format("`{}` is no axis", word),
        {"a subscript in brackets is an axis that splits the dimension; single blocks have "
         "no notation"});
  }
  const auto exact = exact_splits(word, names);
  if (exact.size() > 1) {
    fail_ambiguous(context, word, place,
                   {fmt::format("{{{}}}", fmt::join(exact[0], ",")),
                    fmt::format("{{{}}}", fmt::join(exact[1], ","))});
  }
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
    const auto more = axes_of(context, token.text, token.span);
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
  const bool word = context.at(TokenKind::Identifier) || context.at(TokenKind::Number);
  if (!word || context.token(opener).partner < 0) context.fail_expected("the subscript of a name");
  if (context.failed()) return name;
  name.text += "_" + parse_subscript_text(context, opener);
  context.close(opener, "");
  for (; context.at(TokenKind::Prime); context.advance()) name.text += "'";
  name.at = context.location_from(begin);
  return name;
}

// dimensions = "[" [ dimension { "," dimension } ] "]" ;
std::vector<ast::Dimension> parse_dimensions(ParserContext& context) {
  const std::size_t opener = context.open();
  const bool closed = context.token(opener).partner >= 0;
  std::vector<ast::Dimension> dimensions;
  if (!context.at(TokenKind::RightBracket)) {
    do {
      dimensions.push_back(parse_dimension(context, closed));
    } while (accept_separator(context));
  }
  if (closed && !context.at(TokenKind::RightBracket)) {
    context.fail_expected("`,` or `]`", comma_help(context, opener));
  }
  context.close(opener, "`,`");
  return dimensions;
}

// array = [ name | DTYPE ] dimensions ( marks { index } | { index } marks ) | name ;   marks = [ unreduced ] [ placed ] ;
ast::ArrayRef parse_array(ParserContext& context) {
  const std::size_t begin = context.position();
  ast::ArrayRef array;
  if (!context.at(TokenKind::LeftBracket)) {
    ast::Identifier name = parse_name(context, "an array");
    const bool typed = context.at(TokenKind::LeftBracket) && canonical_dtype(name.text).has_value();
    name.text = typed ? *canonical_dtype(name.text) : context.spelling(name.text);
    (typed ? array.dtype : array.name) = std::move(name);
  }
  if (context.at(TokenKind::LeftBracket)) {
    array.bracketed = true;
    array.dimensions = parse_dimensions(context);
    if (array.name) context.add_array(array.name->text);
    auto mark = parse_unreduced_mark(context);
    array.placed = parse_placed_mark(context);
    while (context.at(TokenKind::LeftBracket) && context.on_same_line())
      array.indices.push_back(parse_index_suffix(context));
    if (mark.axes.empty()) mark = parse_unreduced_mark(context);
    if (array.placed.empty()) array.placed = parse_placed_mark(context);
    array.unreduced = std::move(mark.axes);
    array.parts = mark.parts;
    reject_other_mark(context);
  }
  array.at = context.location_from(begin);
  return array;
}

// typed array = name ":" DTYPE dimensions | array ;
ast::ArrayRef parse_typed_array(ParserContext& context) {
  const bool subscript =
      context.peek(1).kind == TokenKind::Underscore && context.peek(2).kind == TokenKind::LeftBrace;
  const std::size_t colon = subscript ? context.after_group(2) : 1;
  const bool typed = context.at(TokenKind::Identifier) &&
                     context.peek(colon).kind == TokenKind::Colon &&
                     canonical_dtype(context.peek(colon + 1).text) &&
                     context.peek(colon + 2).kind == TokenKind::LeftBracket;
  if (!typed) return parse_array(context);
  const std::size_t begin = context.position();
  ast::Identifier name = parse_name(context, "an array");
  name.text = context.spelling(name.text);
  context.advance();
  ast::ArrayRef array = parse_array(context);
  context.add_array(name.text);
  array.name = std::move(name);
  array.at = context.location_from(begin);
  return array;
}

}  // namespace shard
