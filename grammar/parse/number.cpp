// Numbers and slices.
#include "grammar/parse/construct.h"

namespace shard {

ast::Number parse_number(ParserContext& context, std::string_view what) {
  if (!context.at(TokenKind::Number)) {
    context.fail_expected(what);
    return {};
  }
  const Token& token = context.current();
  ast::Number number{
      token.number->value, token.number->unit, std::string(token.text), {token.span}};
  if (token.number->value.is_overflow()) {
    context.fail(DiagnosticKind::NumberTooLarge, token.span,
                 "`" + number.text + "` is beyond what can be computed exactly");
  }
  context.advance();
  return number;
}

ast::Identifier parse_length_name(ParserContext& context) {
  const ast::Number number = parse_number(context, "a length");
  const auto length = number.unit.is_plain() ? number.value.to_int64() : std::nullopt;
  if (!context.failed() && (!length || *length < 1)) {
    context.fail(DiagnosticKind::BadArgument, number.at.span,
                 "`" + number.text + "` is no length of a dimension");
  }
  return {std::to_string(length.value_or(1)), number.at};
}

ast::Identifier parse_dimension_or_length(ParserContext& context) {
  return context.at(TokenKind::Number) ? parse_length_name(context)
                                       : parse_identifier(context, "a dimension");
}

// slice = NUMBER { "x" NUMBER } ;
std::vector<ast::Number> parse_slice(ParserContext& context, std::string_view what) {
  std::vector<ast::Number> sizes = {parse_number(context, what)};
  while (context.accept(TokenKind::Cross))
    sizes.push_back(parse_number(context, "a number after `x`"));
  return sizes;
}

}  // namespace shard
