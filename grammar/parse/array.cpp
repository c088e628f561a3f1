// Arrays: names, indices, and how their parts stand together.
#include <string>

#include "grammar/parse/construct.h"

namespace shard {
namespace {

// `A[I_X][J]` as in C: it would pick an element that nobody means.
void reject_second_pair(ParserContext& context, std::size_t opener) {
  const Token& name = context.current();
  const bool alone = name.kind == TokenKind::Identifier && name.text.front() >= 'A' &&
                     name.text.front() <= 'Z' && opener > 0 &&
                     context.token(opener - 1).kind == TokenKind::RightBracket &&
                     context.peek(1).kind == TokenKind::RightBracket;
  if (!alone || context.names().arrays.contains(name.text) ||
      !context.names().has_dimension(name.text))
    return;
  context.fail(DiagnosticKind::NotNotation, cover(context.token(opener).span, context.peek(1).span),
               "the dimensions of an array stand in one pair of brackets");
}

// `A[J = 0:4]`
void reject_part(ParserContext& context) {
  if (!context.at(TokenKind::Colon)) return;
  context.fail(DiagnosticKind::SyntaxError, context.current().span,
               "an index is one place, and no part",
               {"a part stands in the place of its dimension: A[:, 0:4]"});
}

// `A[L = 1][:, 0:4]`, `A[1][2, 3]`: brackets behind brackets hold one place of a dimension by its name.
void reject_second_part(ParserContext& context, std::size_t opener) {
  const bool part = context.at(TokenKind::Colon) ||
                    (context.at(TokenKind::Comma) && context.token(opener).partner >= 0);
  const bool second =
      part && opener > 0 && context.token(opener - 1).kind == TokenKind::RightBracket;
  if (!second) return;
  context.fail(DiagnosticKind::SyntaxError, context.current().span,
               "what is read of an array stands in one pair of brackets, a place or a part for "
               "each dimension",
               {"`A[1, :, 0:4]`, and places by name behind a layout: `A[I, J, K][I = 1]`"});
}

// `B = ` or `16 = `, so many tokens from here.
bool is_named_index(const ParserContext& context, std::size_t ahead) {
  const TokenKind name = context.peek(ahead).kind;
  return (name == TokenKind::Identifier || name == TokenKind::Number) &&
         context.peek(ahead + 1).kind == TokenKind::Equal;
}

// The content of the braces of a name's subscript: a word, or `i+1`, which keeps the braces.
std::string parse_subscript_text(ParserContext& context, std::size_t opener) {
  const std::size_t begin = context.position();
  const auto closer = static_cast<std::size_t>(context.token(opener).partner);
  std::string text = context.plain_text(begin, closer);
  std::erase(text, ' ');
  for (; context.position() < closer && !context.failed(); context.advance()) {
    // A name is not a phrase: `T_{comms per AllGather}`.
    const bool words =
        context.at(TokenKind::Identifier) && context.peek(1).kind == TokenKind::Identifier;
    if (words) context.fail_formula(context.current().span);
  }
  return closer == begin + 1 ? text : "{" + text + "}";
}

// `C_{U_X}[I, K]`: a mark stands after the brackets.
void reject_mark_in_name(ParserContext& context, std::size_t begin) {
  const std::size_t brackets = context.position();
  const Token& word = context.token(begin + 3);
  const bool marked = brackets == begin + 5 &&
                      context.token(begin + 2).kind == TokenKind::LeftBrace &&
                      context.at(TokenKind::LeftBracket) && context.current().partner >= 0 &&
                      word.kind == TokenKind::Identifier &&
                      (word.text.starts_with("U_") || word.text.starts_with("max_") ||
                       word.text.starts_with("min_"));
  if (!marked) return;
  const std::string_view axes = std::string_view(word.text).substr(word.text.find('_') + 1);
  const Names& names = context.names();
  if (!names.axes.empty() && !split_axes(axes, names)) return;
  const Span& closer = context.token(static_cast<std::size_t>(context.current().partner)).span;
  const Span mark = cover(context.token(begin + 1).span, context.token(begin + 4).span);
  const std::string meant =
      std::string(context.source_text(cover(context.current().span, closer))) + "{" +
      std::string(word.text) + "}";
  const auto line = context.edited_line(cover(mark, closer), meant);
  context.fail(DiagnosticKind::SyntaxError, mark,
               "the mark of partial sums stands after the brackets: `" +
                   std::string(context.token(begin).text) + meant + "`",
               line ? std::vector<std::string>{*line} : std::vector<std::string>());
}

}  // namespace

bool at_named_index(const ParserContext& context) {
  return context.at(TokenKind::LeftBracket) && is_named_index(context, 1);
}

// index = "[" ( expression | named { "," named } ) "]" ;   named = ( NAME | NUMBER ) "=" expression ;
void parse_index_suffix(ParserContext& context, std::vector<ast::Index>& indices) {
  const std::size_t opener = context.open();
  bool named = is_named_index(context, 0);
  if (named) reject_mixed_bracket(context, opener);
  do {
    ast::Index index{{}, ast::Expr{}};
    if (!indices.empty() && !is_named_index(context, 0) && named)
      context.fail_expected("a dimension");
    if (named) {
      index.dimension = parse_dimension_or_length(context);
      context.advance();
    }
    reject_second_pair(context, opener);
    if (!named) reject_second_part(context, opener);
    index.value = parse_expression(context);
    if (!named) reject_second_part(context, opener);
    reject_part(context);
    indices.push_back(std::move(index));
  } while (named && context.accept(TokenKind::Comma));
  context.close(opener, "");
}

ast::Identifier parse_identifier(ParserContext& context, std::string_view what) {
  if (!context.at(TokenKind::Identifier)) {
    context.fail_expected(what);
    return {};
  }
  ast::Identifier identifier{std::string(context.current().text), {context.current().span}};
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

// Whether it is a type, `f32[I, J]`, and not an array that is called so: one that is known, a parameter, or a short name, `s4`, that
// gets a value.
bool is_type_of_array(const ParserContext& context, const std::string& word) {
  if (!context.at(TokenKind::LeftBracket) || !is_dtype(word) || context.in_parameters ||
      context.names().arrays.contains(word))
    return false;
  const bool is_target = context.position() == context.statement_begin() + 1 &&
                         context.peek(context.after_group(0)).kind == TokenKind::Equal;
  return !is_target || canonical_dtype(word) == word;
}

// array = [ name | DTYPE ] dimensions ( marks { index } | { index } marks )
//   | name [ "[" NAME "=" expression "]" { index } ] ;
//   marks = [ unreduced ] [ placed ] ;
ast::ArrayRef parse_array(ParserContext& context) {
  const std::size_t begin = context.position();
  ast::ArrayRef array;
  bool is_new = false;
  if (!context.at(TokenKind::LeftBracket)) {
    ast::Identifier name = parse_name(context, "an array");
    if (!context.names().arrays.contains(name.text)) reject_mark_in_name(context, begin);
    const bool typed = is_type_of_array(context, name.text);
    if (typed)
      name.text = *canonical_dtype(name.text);
    else
      is_new = !context.respell(name.text);
    (typed ? array.dtype : array.name) = std::move(name);
  }
  if (array.name && at_named_index(context)) {
    if (is_new) context.add_array(array.name->text);
    while (context.at(TokenKind::LeftBracket) && context.on_same_line())
      parse_index_suffix(context, array.indices);
  } else if (context.at(TokenKind::LeftBracket)) {
    array.bracketed = true;
    array.dimensions = parse_dimensions(context);
    if (is_new) context.add_array(array.name->text);
    auto mark = parse_unreduced_mark(context);
    array.placed = parse_placed_mark(context);
    while (context.at(TokenKind::LeftBracket) && context.on_same_line())
      parse_index_suffix(context, array.indices);
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
                     is_dtype(context.peek(colon + 1).text) &&
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
