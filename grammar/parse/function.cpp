// Functions: `fn name(parameters) { … }` and `return`; `use`, which reads those of a module.
#include <utility>

#include "grammar/parse/construct.h"
#include "grammar/parse/scope.h"

namespace shard {
namespace {

// parameter = NAME [ dimensions [ unreduced ] ] ;
ast::ArrayRef parse_parameter(ParserContext& context) {
  if (!context.at(TokenKind::Identifier)) {
    context.fail_expected("a parameter", {"`fn norm(x[B, D], eps) { … }`"});
    return {};
  }
  ast::ArrayRef parameter = parse_array(context);
  if (!parameter.name) {
    context.fail(DiagnosticKind::SyntaxError, parameter.at.span, "a parameter needs a name",
                 {"`x[B, D]`"});
    return {};
  }
  if (!parameter.placed.empty() || !parameter.indices.empty()) {
    context.fail(DiagnosticKind::SyntaxError, parameter.at.span,
                 "a parameter takes a whole array, wherever it is held",
                 {"write its dimensions alone; a call may give it a part or what one place holds"});
    return {};
  }
  if (!parameter.bracketed) context.add_dimension(parameter.name->text);
  return parameter;
}

// parameters = "(" [ parameter { "," parameter } ] ")" ;
std::vector<ast::ArrayRef> parse_parameters(ParserContext& context) {
  std::vector<ast::ArrayRef> parameters;
  if (!context.at(TokenKind::LeftParen)) {
    context.fail_expected("`(`", {"`fn norm(x[B, D], eps) { … }`"});
    return parameters;
  }
  const std::size_t opener = context.open();
  context.in_parameters = true;
  if (!context.at(TokenKind::RightParen)) {
    do {
      parameters.push_back(parse_parameter(context));
    } while (context.accept(TokenKind::Comma));
  }
  context.close(opener, "`,`");
  context.in_parameters = false;
  return parameters;
}

}  // namespace

// function = "fn" NAME "(" [ parameter { "," parameter } ] ")" block ;
StatementNode parse_function(ParserContext& context) {
  context.advance();
  ast::Function function{parse_identifier(context, "the name of the function"), {}, {}, {}};
  // Names that the parameters introduce are known only in the body.
  const NamesScope names(context);
  function.parameters = parse_parameters(context);
  if (!context.failed() && !context.at(TokenKind::LeftBrace)) {
    context.fail_without_opener({"`fn norm(x[B, D], eps) { … }`"});
  }
  Block block = parse_block(context, context.sink());
  function.body = std::move(block.body);
  function.trailing = std::move(block.trailing);
  return function;
}

// return = "return" [ expression { "," expression } ] ;
StatementNode parse_return(ParserContext& context) {
  context.advance();
  ast::Return node;
  if (context.at_statement_end() || is_remark(context, 0, false)) return node;
  do {
    if (!node.values.empty()) join_operand(context);
    node.values.push_back(parse_expression(context));
  } while (context.accept(TokenKind::Comma));
  return node;
}

// use = "use" NAME { "." NAME } ;  without blanks
StatementNode parse_use(ParserContext& context) {
  context.advance();
  if (!context.at(TokenKind::Identifier)) {
    context.fail_expected("the name of a module", {"`use mlp` reads mlp.shard next to the script"});
  }
  ast::Identifier module = parse_identifier(context, "the name of a module");
  while (context.at(TokenKind::Dot) && context.current().glued && context.peek(1).glued) {
    context.advance();
    const ast::Identifier inner = parse_identifier(context, "the name of a module");
    module.text += "." + inner.text;
    module.at.span.end = inner.at.span.end;
  }
  return ast::Use{std::move(module)};
}

}  // namespace shard
