// Operands: numbers, arrays, calls, fields, sizes, blocks, parentheses.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "grammar/parser_context.h"

namespace shard {
namespace {

constexpr std::array<std::pair<std::string_view, ast::BlockKind>, 4> kBlocks = {
    {{"cost", ast::BlockKind::Cost},
     {"time", ast::BlockKind::Time},
     {"flops", ast::BlockKind::Flops},
     {"comms", ast::BlockKind::Comms}}};

// Functions that may stand apart from their parenthesis; behind any other word a blank begins a remark.
constexpr std::string_view kFunctions[] = {"bytes", "total_bytes", "min", "max",   "sqrt", "ceil",
                                           "floor", "log2",        "sum", "equal", "abs"};

bool is_call(const ParserContext& context) {
  if (context.peek(1).kind != TokenKind::LeftParen) return false;
  const std::string& word = context.current().text;
  const bool known =
      std::find(std::begin(kFunctions), std::end(kFunctions), word) != std::end(kFunctions);
  return known || context.peek(1).glued;
}

// call = NAME "(" [ expression { "," expression } ] ")" ;
ast::Expr parse_call(ParserContext& context) {
  const std::size_t begin = context.position();
  if (is_collective_alias(context.current().text)) reject_misspelt(context, begin);
  ast::Call call{parse_identifier(context, "a function")};
  const std::size_t opener = context.open();
  int height = 0;
  if (!context.at(TokenKind::RightParen)) {
    do {
      call.arguments.emplace_back(parse_expression(context));
      height = std::max(height, context.height);
    } while (context.accept(TokenKind::Comma));
  }
  context.close(opener, "`,`");
  context.height = height + 1;
  return {std::move(call), context.location_from(begin)};
}

// block = ( "cost" | "time" | "flops" | "comms" ) "{" … "}" ;
ast::Expr parse_block_expression(ParserContext& context) {
  const std::size_t begin = context.position();
  const std::string& word = context.current().text;
  const auto entry =
      std::find_if(kBlocks.begin(), kBlocks.end(), [&](const auto& e) { return e.first == word; });
  context.advance();
  Block block = parse_block(context, context.sink());
  return {ast::BlockExpr{entry->second, std::move(block.body), std::move(block.trailing)},
          context.location_from(begin)};
}

// size = "|" NAME "|" ;
ast::Expr parse_size(ParserContext& context) {
  const std::size_t begin = context.position();
  context.advance();
  ast::SizeOf size{parse_identifier(context, "an axis or a dimension")};
  if (!context.accept(TokenKind::Pipe)) context.fail_expected("`|`");
  context.height = 1;
  return {std::move(size), context.location_from(begin)};
}

// group = "(" expression ")" ;
ast::Expr parse_group(ParserContext& context) {
  const Nesting nesting(context);
  const std::size_t begin = context.position();
  const std::size_t opener = context.open();
  ast::Expr inner = parse_expression(context);
  context.close(opener, "an operator");
  inner.at = context.location_from(begin);
  return inner;
}

ast::Expr parse_primary(ParserContext& context) {
  const std::size_t begin = context.position();
  context.height = 1;
  switch (context.current().kind) {
    case TokenKind::Number: {
      ast::Number number = parse_number(context, "a number");
      return {std::move(number), context.location_from(begin)};
    }
    case TokenKind::Pipe:
      return parse_size(context);
    case TokenKind::LeftParen:
      return parse_group(context);
    case TokenKind::Identifier:
      if (is_block_word(context.current().text) && context.peek(1).kind == TokenKind::LeftBrace) {
        return parse_block_expression(context);
      }
      if (is_call(context)) return parse_call(context);
      [[fallthrough]];
    case TokenKind::LeftBracket: {
      ast::ArrayRef array = parse_array(context);
      return {std::move(array), context.location_from(begin)};
    }
    case TokenKind::Quoted:
      context.fail(DiagnosticKind::NotYet, context.current().span,
                   "texts in quotes are not run by this version");
      return {};
    default:
      context.fail_expected("an array or a number");
      return {};
  }
}

// field = "." NAME [ "(" NAME { "," NAME } ")" ] ;
ast::Expr parse_field(ParserContext& context, ast::Expr object, std::size_t begin) {
  context.advance();
  ast::Member member{std::move(object), parse_identifier(context, "a field"), {}};
  if (context.at(TokenKind::LeftParen) && context.current().glued) {
    const std::size_t opener = context.open();
    do {
      member.arguments.push_back(parse_identifier(context, "an axis"));
    } while (context.accept(TokenKind::Comma));
    context.close(opener, "`,`");
  }
  ++context.height;
  return {std::move(member), context.location_from(begin)};
}

bool is_bracketed_array(const ast::Expr& expr) {
  const auto* array = std::get_if<ast::ArrayRef>(&expr.node);
  return array != nullptr && array->bracketed;
}

}  // namespace

bool is_block_word(std::string_view word) {
  return std::any_of(kBlocks.begin(), kBlocks.end(),
                     [&](const auto& entry) { return entry.first == word; });
}

bool begins_operand(const Token& token) {
  return token.kind == TokenKind::Number || token.kind == TokenKind::Identifier ||
         token.kind == TokenKind::Pipe || token.kind == TokenKind::LeftParen ||
         token.kind == TokenKind::LeftBracket;
}

// postfix = collective | primary { field } ;
// primary = NUMBER | array | call | block | size | group ;
ast::Expr parse_postfix(ParserContext& context) {
  if (is_collective(context)) return parse_collective(context);
  const std::size_t begin = context.position();
  ast::Expr expr = parse_primary(context);
  while (context.at(TokenKind::Dot) && !is_bracketed_array(expr)) {
    expr = parse_field(context, std::move(expr), begin);
    if (context.height > kDeepest) {
      context.fail(DiagnosticKind::TooDeep, context.current().span,
                   fmt::format("nested deeper than {} levels", kDeepest));
    }
  }
  if (context.at(TokenKind::LeftBracket) && is_bracketed_array(expr)) {
    context.fail(DiagnosticKind::NotYet, context.current().span,
                 "indexing is not run by this version");
  }
  return expr;
}

}  // namespace shard
