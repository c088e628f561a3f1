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

// slice = NUMBER { "x" NUMBER } ;
std::vector<ast::Number> parse_slice(ParserContext& context, std::string_view what) {
  std::vector<ast::Number> sizes = {parse_number(context, what)};
  while (context.accept(TokenKind::Cross))
    sizes.push_back(parse_number(context, "a number after `x`"));
  return sizes;
}

}  // namespace shard
