// Statements with blocks: `for`, `if`, `{ … }`.
#include <utility>

#include "grammar/parse/construct.h"
#include "grammar/parse/scope.h"

namespace shard {
namespace {

void fail_values(ParserContext& context, std::string_view what) {
  context.fail_expected(what, {"`for i in 0..L { … }`", "`for B in [1Ki, 4Ki, 16Ki] { … }`"});
}

// alternative = expression | axes | CHIP [ slice ] … ;   which one, the loop's variable says
ast::Alternative parse_alternative(ParserContext& context, const std::string& variable) {
  const std::size_t begin = context.position();
  ast::Alternative item{ast::Expr{}, false, {}};
  if (variable == "mesh") {
    item.value = parse_axes_list(context);
  } else if (variable == "hardware") {
    item.value = parse_machine(context);
  } else {
    item.value = parse_expression(context);
  }
  item.at = context.location_from(begin);
  return item;
}

// list = "[" alternative { "," alternative } [ "," ] "]" ;
std::vector<ast::Alternative> parse_alternatives(ParserContext& context,
                                                 const std::string& variable) {
  std::vector<ast::Alternative> items;
  const std::size_t opener = context.open();
  if (context.at(TokenKind::RightBracket)) fail_values(context, "a value");
  do {
    items.push_back(parse_alternative(context, variable));
  } while (context.accept(TokenKind::Comma) && !context.at(TokenKind::RightBracket));
  context.close(opener, "`,`");
  return items;
}

// Behind its first bound.
ast::Range parse_range_from(ParserContext& context, ast::Expr begin) {
  ast::Range range{std::move(begin), ast::Expr{}};
  if (!context.accept(TokenKind::DotDot)) {
    fail_values(context, "`..`");
  }
  join_operand(context);
  range.end = parse_sum(context);
  return range;
}

// range = sum ".." sum ;
ast::Range parse_range(ParserContext& context) {
  if (!begins_operand(context.current()) && !context.at(TokenKind::Minus))
    fail_values(context, "a list or a range");
  return parse_range_from(context, parse_sum(context));
}

// `for B in x {`: the values that a name has.
bool names_values(const ParserContext& context) {
  if (!context.at(TokenKind::Identifier)) return false;
  const bool subscript = context.peek(1).kind == TokenKind::Underscore;
  return context.peek(subscript ? context.after_group(2) : 1).kind == TokenKind::LeftBrace;
}

// What a question or a name stands for; a question may be the first bound of a range, too.
decltype(ast::Loop::values) parse_spread(ParserContext& context) {
  const std::size_t begin = context.position();
  ast::Expr values = parse_sum(context);
  const bool asks = std::holds_alternative<ast::Question>(values.node);
  const bool named = std::holds_alternative<ast::ArrayRef>(values.node);
  if (context.at(TokenKind::DotDot) || (!asks && !named))
    return parse_range_from(context, std::move(values));
  return std::vector<ast::Alternative>{{std::move(values), true, context.location_from(begin)}};
}

// Whether the statement's `else` is here, possibly on a line of its own.
bool accept_else(ParserContext& context) {
  if (context.failed()) return false;
  const Token& token = context.token(context.position());
  if (token.kind != TokenKind::Identifier || token.text != "else") return false;
  if (context.position() >= context.block_end()) return false;
  context.join_line();
  context.advance();
  return true;
}

Block parse_body(ParserContext& context, std::string_view example) {
  if (!context.failed() && !context.at(TokenKind::LeftBrace)) {
    context.fail_without_opener({std::string(example)});
  }
  return parse_block(context, context.sink());
}

}  // namespace

// for = "for" NAME "in" ( range | list | question | NAME ) block ;
StatementNode parse_for(ParserContext& context) {
  context.advance();
  ast::Loop loop{parse_identifier(context, "a name"), {}, {}, {}};
  if (!context.at_word("in")) {
    fail_values(context, "`in`");
  }
  context.advance();
  const NamesScope names(context);
  context.before_block = true;
  const bool machine = loop.variable.text == "mesh" || loop.variable.text == "hardware";
  if (context.at(TokenKind::LeftBracket)) {
    loop.values = parse_alternatives(context, loop.variable.text);
  } else if (machine) {
    context.fail_expected("`[`", {"`for mesh in [{X: 4x4x4}, {X: 4x4, Y: 4}] { … }`",
                                  "`for hardware in [TPUv5e 4x4, TPUv5p 4x4x4] { … }`"});
  } else if (begins_question(context) || names_values(context)) {
    loop.values = parse_spread(context);
  } else {
    loop.values = parse_range(context);
  }
  context.before_block = false;
  if (!context.failed() && (context.at_word("step") || context.at_word("by")))
    context.fail_expected("`{`", {"a range goes by one: `for i in 0..L / 2 { j = 2 · i … }`",
                                  "`for B in [0, 2, 4] { … }`"});
  if (!machine && !context.failed()) context.add_dimension(loop.variable.text);
  Block block = parse_body(context, "`for B in [1Ki, 4Ki, 16Ki] { … }`");
  loop.body = std::move(block.body);
  loop.trailing = std::move(block.trailing);
  return loop;
}

// if = "if" expression block [ "else" ( block | if ) ] ;
StatementNode parse_if(ParserContext& context) {
  context.advance();
  context.equal_compares = true;
  context.before_block = true;
  ast::If node{parse_expression(context), {}, {}, {}, {}};
  context.equal_compares = false;
  context.before_block = false;
  Block block = parse_body(context, "`if X > 4 { … } else { … }`");
  node.body = std::move(block.body);
  node.trailing = std::move(block.trailing);
  if (!accept_else(context)) return node;
  if (context.at_word("if")) {
    const Nesting nesting(context);
    if (context.failed()) return node;
    const std::size_t begin = context.position();
    ast::Statement inner{parse_if(context)};
    inner.at = context.location_from(begin);
    inner.has_error = context.failed();
    node.otherwise.emplace();
    node.otherwise->push_back(std::move(inner));
    return node;
  }
  Block otherwise = parse_body(context, "`if X > 4 { … } else { … }`");
  node.otherwise = std::move(otherwise.body);
  node.otherwise_trailing = std::move(otherwise.trailing);
  return node;
}

// group = block ;
StatementNode parse_group_statement(ParserContext& context) {
  Block block = parse_block(context, context.sink());
  return ast::Group{std::move(block.body), std::move(block.trailing)};
}

// best = "best" [ NUMBER ] block ;
StatementNode parse_best(ParserContext& context) {
  context.advance();
  ast::Best best;
  if (context.at(TokenKind::Minus)) {
    context.fail(DiagnosticKind::SyntaxError, context.current().span,
                 "`best` takes a number of layouts from 1 on", {"best 5 { … }"});
    context.advance();
  }
  if (context.at(TokenKind::Number)) best.count = parse_number(context, "how many layouts");
  Block block = parse_body(context, "`best 3 { A[I_?, J_?] ·_J B[J_?, K_?] → C[I, K] }`");
  best.body = std::move(block.body);
  best.trailing = std::move(block.trailing);
  return best;
}

// fused = "fused" block ;
StatementNode parse_fused(ParserContext& context) {
  context.advance();
  Block block = parse_body(context, "`fused { P = softmax_S(Q · K); O = P · V }`");
  return ast::Fused{std::move(block.body), std::move(block.trailing)};
}

}  // namespace shard
