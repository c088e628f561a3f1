// Declarations of arrays.
#include "grammar/parser_context.h"

namespace shard {
namespace {

// Where the array ends that begins `ahead` places further: its name, brackets and unreduced mark.
std::size_t after_array(const ParserContext& context, std::size_t ahead) {
  ++ahead;
  if (context.peek(ahead).kind == TokenKind::Underscore) ahead = context.after_group(ahead + 1);
  if (context.peek(ahead).kind == TokenKind::LeftBracket) ahead = context.after_group(ahead);
  if (context.peek(ahead).kind == TokenKind::LeftBrace) ahead = context.after_group(ahead);
  return ahead;
}

// type = DTYPE [ dimensions ] ;   Whether the dimensions are those of the array or sizes follows from the array.
void parse_type(ParserContext& context, ast::Declaration& declaration) {
  declaration.dtype = parse_identifier(context, "an element type such as `bf16`");
  if (const auto canonical = canonical_dtype(declaration.dtype.text))
    declaration.dtype.text = *canonical;
  ast::ArrayRef& first = declaration.arrays.front();
  if (first.bracketed && !context.at(TokenKind::LeftBracket)) return;
  if (!context.at(TokenKind::LeftBracket))
    return context.fail_expected("`[` and the dimensions of the array");
  if (!first.bracketed) {
    first.bracketed = true;
    first.dimensions = parse_dimensions(context);
    return context.add_array(first.name->text);
  }
  if (declaration.arrays.size() > 1) {
    return context.fail(DiagnosticKind::SyntaxError, context.current().span,
                        "sizes are given to one array at a time", {"a line per array"});
  }
  const std::size_t opener = context.open();
  do {
    declaration.sizes.push_back(parse_number(context, "a size"));
  } while (context.accept(TokenKind::Comma));
  context.close(opener, "`,`");
}

}  // namespace

bool is_declaration(const ParserContext& context) {
  if (is_collective(context)) return false;
  std::size_t ahead = 0;
  while (context.peek(ahead).kind == TokenKind::Identifier) {
    const bool bracketed = context.peek(ahead + 1).kind != TokenKind::Comma;
    ahead = after_array(context, ahead);
    if (context.peek(ahead).kind == TokenKind::Colon) return true;
    if (context.peek(ahead).kind != TokenKind::Comma || !bracketed) return false;
    ++ahead;
  }
  return false;
}

// declaration = array { "," array } ":" DTYPE [ "[" NUMBER { "," NUMBER } "]" ] | name ":" DTYPE dimensions ;
StatementNode parse_declaration(ParserContext& context) {
  ast::Declaration declaration;
  do {
    context.join_line();
    declaration.arrays.push_back(parse_array(context));
  } while (context.accept(TokenKind::Comma));
  if (!context.accept(TokenKind::Colon)) context.fail_expected("`:` and an element type");
  parse_type(context, declaration);
  return declaration;
}

}  // namespace shard
