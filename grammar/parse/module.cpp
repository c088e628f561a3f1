// `use` and `show`.
#include "grammar/parse/construct.h"

namespace shard {

// use = "use" NAME ;
StatementNode parse_use(ParserContext& context) {
  context.advance();
  if (!context.at(TokenKind::Identifier)) {
    context.fail_expected("the name of a module", {"`use mlp` reads mlp.shard next to the script"});
  }
  return ast::Use{parse_identifier(context, "the name of a module")};
}

// show = "show" array ;
StatementNode parse_show(ParserContext& context) {
  context.advance();
  return ast::Show{parse_array(context)};
}

}  // namespace shard
