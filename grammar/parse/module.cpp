// `use` and `show`.
#include <utility>

#include "grammar/parse/construct.h"

namespace shard {

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

// show = "show" array ;
StatementNode parse_show(ParserContext& context) {
  context.advance();
  return ast::Show{parse_array(context)};
}

}  // namespace shard
