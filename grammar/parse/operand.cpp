// Operands: numbers, arrays, calls, fields, sizes, blocks, parentheses.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/dtype.h"
#include "base/function.h"
#include "grammar/parse/construct.h"
#include "grammar/parse/scope.h"
#include "grammar/translate/lacking.h"

namespace shard {
namespace {

// After a word that is not such a function, a blank begins a remark.
bool takes_arguments(std::string_view word) {
  const FunctionInfo* function = find_function(word);
  return function != nullptr && !is_constant(*function);
}

// The function along dimensions that the word begins with, before an underscore or as a whole; null if there is none.
const FunctionInfo* function_along(std::string_view word) {
  for (std::size_t end = word.find('_');; end = word.find('_', end + 1)) {
    const FunctionInfo* function = find_function(word.substr(0, end));
    if (function != nullptr && function->along != Along::None) return function;
    if (end == std::string_view::npos) return nullptr;
  }
}

bool has_braces_below(const ParserContext& context) {
  return context.peek(1).kind == TokenKind::Underscore && context.peek(1).glued &&
         context.peek(2).kind == TokenKind::LeftBrace;
}

// Whether a function along dimensions is here, before its argument.
bool is_call_along(const ParserContext& context) {
  const std::string_view word = context.current().text;
  const FunctionInfo* function = function_along(word);
  if (function == nullptr) {
    // `argmin_{I,J}(A)`: one of another library, about which its own things are said.
    if (lacking_function(word) == nullptr || !has_braces_below(context)) return false;
    const Token& open = context.peek(context.after_group(2));
    return open.kind == TokenKind::LeftParen && open.glued && !context.knows(word);
  }
  const std::string_view stem = function->name;
  const bool braces = stem == word && has_braces_below(context);
  if ((stem == word && !braces) || context.knows(word)) return false;
  const Token& next = context.peek(braces ? context.after_group(2) : 1);
  // `scatter_X A[I_X]` is how others call a collective.
  if (function->along == Along::Scatter) return next.kind == TokenKind::LeftParen;
  if (next.kind == TokenKind::LeftBracket) return !next.glued;
  const bool name = next.kind == TokenKind::Identifier && next.text != "and" && next.text != "or";
  return next.kind == TokenKind::LeftParen || (name && !next.line_start);
}

bool is_call(const ParserContext& context) {
  if (context.peek(1).kind != TokenKind::LeftParen) return false;
  const std::string_view word = context.current().text;
  return context.peek(1).glued || takes_arguments(word);
}

ast::Expr parse_argument(ParserContext& context) {
  if (!context.at(TokenKind::Quoted)) return parse_expression(context);
  context.calls_with_text = true;
  const std::size_t begin = context.position();
  ast::Text text{std::string(context.current().text)};
  context.advance();
  context.height = 1;
  return {std::move(text), context.location_from(begin)};
}

// arguments = "(" [ expression { "," expression } ] ")" ;
void parse_arguments(ParserContext& context, ast::Call& call) {
  const std::size_t opener = context.open();
  int height = 0;
  if (!context.at(TokenKind::RightParen)) {
    do {
      call.arguments.emplace_back(parse_argument(context));
      height = std::max(height, context.height);
    } while (context.accept(TokenKind::Comma));
  }
  context.close(opener, "`,`");
  context.height = height + 1;
}

// group = "(" expression ")" ;
ast::Expr parse_group(ParserContext& context) {
  const std::size_t begin = context.position();
  const std::size_t opener = context.open();
  ast::Expr inner = parse_expression(context);
  context.close(opener, "an operator");
  inner.at = context.location_from(begin);
  return inner;
}

// along = NAME "_" ( DIMENSION | "{" DIMENSION { "," DIMENSION } "}" ) ( postfix | arguments ) ;
ast::Expr parse_call_along(ParserContext& context) {
  const Nesting nesting(context);
  const std::size_t begin = context.position();
  context.calls_with_text = context.calls_with_text || context.at_word("ShapedArray");
  ast::Call call{parse_identifier(context, "a function")};
  const FunctionInfo* function = function_along(call.function.text);
  const std::size_t underscore = function == nullptr ? std::string::npos : function->name.size();
  // A dimension that is made has a name; one that is there may be called by its length, as results without names are.
  const bool makes_dimension =
      function != nullptr && (function->along == Along::Top || function->along == Along::OneHot ||
                              function->along == Along::Scatter);
  if (underscore < call.function.text.size()) {
    Span place = call.function.at.span;
    place.begin += static_cast<std::uint32_t>(underscore) + 1;
    const bool number =
        call.function.text[underscore + 1] >= '0' && call.function.text[underscore + 1] <= '9';
    if (number && makes_dimension)
      fail_counted(context, call, call.function.text.substr(underscore + 1), place);
    call.subscript.push_back({call.function.text.substr(underscore + 1), {place}});
    call.function.text.resize(underscore);
  } else {
    context.advance();
    const std::size_t opener = context.open();
    do {
      // The first of `top_{D,K}` is there.
      const bool is_made =
          makes_dimension && (function->along != Along::Top || !call.subscript.empty());
      if (context.at(TokenKind::Number) && is_made)
        fail_counted(context, call, std::string(context.current().text), context.current().span);
      call.subscript.push_back(parse_dimension_or_length(context));
    } while (context.accept(TokenKind::Comma));
    context.close(opener, "`,`");
  }
  const bool takes_several = function != nullptr && (function->along == Along::Concat ||
                                                     function->along == Along::Scatter);
  if (takes_several && context.at(TokenKind::LeftParen)) {
    parse_arguments(context, call);
  } else {
    // Brackets behind the argument's parentheses are the call's: `sum_I(relu(A))[J = 1]`.
    const bool is_group = context.at(TokenKind::LeftParen);
    const std::size_t argument = context.position();
    call.arguments.emplace_back(is_group ? parse_group(context) : parse_postfix(context));
    if (!is_group) reject_factor(context, call.function.text, argument);
    ++context.height;
  }
  return {std::move(call), context.location_from(begin)};
}

// shaped = ( call | group ) dimensions [ unreduced ] ;
ast::Expr parse_shaped(ParserContext& context, ast::Expr value, std::size_t begin) {
  const std::size_t opener = context.position();
  ast::Shaped shaped{std::move(value), parse_dimensions(context)};
  if (at_named_index(context) && context.current().glued) {
    const Span brackets =
        cover(context.token(opener).span, context.token(context.position() - 1).span);
    const auto line = context.edited_line(brackets, "");
    context.fail(DiagnosticKind::SyntaxError, brackets,
                 "an index stands right behind the expression, without its layout",
                 line ? std::vector<std::string>{*line} : std::vector<std::string>());
  }
  auto mark = parse_unreduced_mark(context);
  shaped.unreduced = std::move(mark.axes);
  shaped.parts = mark.parts;
  ++context.height;
  return {std::move(shaped), context.location_from(begin)};
}

bool takes_shape(const ParserContext& context, const ast::Expr& expr) {
  if (!context.at(TokenKind::LeftBracket) || !context.current().glued) return false;
  return std::holds_alternative<ast::Call>(expr.node) ||
         std::holds_alternative<ast::Product>(expr.node) ||
         std::holds_alternative<ast::Binary>(expr.node);
}

// Whether an index stands behind the parentheses that end the expression: `(A · B)[I = 2]`.
bool takes_index(const ParserContext& context) {
  return at_named_index(context) && context.current().glued && context.position() > 0 &&
         context.token(context.position() - 1).kind == TokenKind::RightParen;
}

// indexed = ( call | along | group ) index { index } ;
ast::Expr parse_indexed(ParserContext& context, ast::Expr value, std::size_t begin) {
  int height = context.height;
  ast::Indexed indexed{std::move(value), {}};
  while (at_named_index(context) && context.on_same_line()) {
    parse_index_suffix(context, indexed.indices);
    height = std::max(height, context.height);
  }
  context.height = height + 1;
  return {std::move(indexed), context.location_from(begin)};
}

// call = NAME arguments ;
ast::Expr parse_call(ParserContext& context) {
  const std::size_t begin = context.position();
  const std::string_view word = context.current().text;
  if (is_collective_alias(word) && find_function(word) == nullptr) reject_misspelt(context, begin);
  context.calls_with_text = context.calls_with_text || context.at_word("ShapedArray");
  ast::Call call{parse_identifier(context, "a function")};
  // A cast goes by the type's own name, however it is spelt.
  if (const auto type = bracket_dtype(call.function.text))
    call.function.text = std::string(name_of(*type));
  parse_arguments(context, call);
  // JAX's wrapping of a type is the type; what else it says is no layout.
  const bool wraps = call.function.text == "ShapedArray" && !call.arguments.empty() &&
                     std::holds_alternative<ast::ArrayRef>(call.arguments.front()->node);
  if (wraps) {
    ast::Expr array = *std::move(call.arguments.front());
    return array;
  }
  return {std::move(call), context.location_from(begin)};
}

// block = ( "cost" | "time" | "flops" | "comms" ) "{" … "}" ;
ast::Expr parse_block_expression(ParserContext& context) {
  const std::size_t begin = context.position();
  const std::string_view word = context.current().text;
  const BlockWord* entry = find_block_word(word);
  context.advance();
  Block block = parse_block(context, context.sink());
  return {ast::BlockExpr{entry->kind, std::move(block.body), std::move(block.trailing)},
          context.location_from(begin)};
}

// size = "|" NAME "|" ;
ast::Expr parse_size(ParserContext& context) {
  const std::size_t begin = context.position();
  context.advance();
  ast::SizeOf size{parse_identifier(context, "an axis or a dimension")};
  reject_all_axes(context, size.name);
  if (!context.accept(TokenKind::Pipe)) context.fail_expected("`|`");
  context.height = 1;
  return {std::move(size), context.location_from(begin)};
}

// `time { … }`; but in `if n > time { … }` the braces are the statement's own, as no others follow.
bool begins_block_value(const ParserContext& context) {
  const Token& opener = context.peek(1);
  if (!is_block_word(context.current().text) || opener.kind != TokenKind::LeftBrace) return false;
  if (!context.before_block || opener.partner < 0) return true;
  std::size_t at = static_cast<std::size_t>(opener.partner) + 1;
  while (true) {
    const Token& next = context.token(at);
    if (next.kind == TokenKind::LeftBrace) return true;
    if (next.kind == TokenKind::End || next.kind == TokenKind::Semicolon || next.line_start ||
        next.kind == TokenKind::RightBrace || next.text == "else")
      return false;
    at = next.partner > static_cast<int>(at) ? static_cast<std::size_t>(next.partner) + 1 : at + 1;
  }
}

// `c = cost` at the end of a line, with an unmatched brace further on: the opening brace is missing.
bool is_block_without_opener(const ParserContext& context) {
  return is_block_word(context.current().text) && context.peek(1).kind == TokenKind::End &&
         !context.knows(context.current().text) && context.behind_lone_closer();
}

// `80%` is 0.8: the sign stands at the number, and no operand behind it that would be divided by (`7 % 2`, of other languages).
void read_percent(ast::Number& number, ParserContext& context) {
  const Token& sign = context.current();
  if (context.failed() || sign.kind != TokenKind::Percent || !sign.glued || !number.unit.is_plain())
    return;
  const Token& next = context.peek(1);
  const bool share = next.text == "of" && begins_operand(context.peek(2));
  if (begins_operand(next) && !next.line_start && !share) return;
  context.advance();
  number.value = number.value / Rational(100);
  number.text += "%";
  number.at.span = cover(number.at.span, sign.span);
}

ast::Expr parse_primary(ParserContext& context) {
  const std::size_t begin = context.position();
  context.height = 1;
  switch (context.current().kind) {
    case TokenKind::Number: {
      ast::Number number = parse_number(context, "a number");
      read_percent(number, context);
      return {std::move(number), context.location_from(begin)};
    }
    case TokenKind::Pipe:
      return parse_size(context);
    case TokenKind::LeftParen:
      return parse_group(context);
    case TokenKind::Identifier:
      if (begins_block_value(context)) return parse_block_expression(context);
      if (is_block_without_opener(context)) {
        const std::string example = fmt::format("`{} {{ … }}`", context.current().text);
        context.advance();
        context.fail_without_opener({example});
        return {};
      }
      if ((context.at_word("fused") || context.at_word("best")) &&
          context.peek(1).kind == TokenKind::LeftBrace && !context.before_block) {
        const std::string_view word = context.current().text;
        context.fail(DiagnosticKind::SyntaxError, context.current().span,
                     fmt::format("`{}` is no value: what it makes is read by name behind it", word),
                     {fmt::format("the block stands alone: leave out what is before `{}`", word)});
        return {};
      }
      if (begins_question(context)) return parse_question_value(context);
      // `all-to-all_{X,J}(A)`, of which `all_{X,J}(A)` is a function.
      if (joins_collective(context, begin) && reject_misspelt(context, begin)) return {};
      if (is_call_along(context)) return parse_call_along(context);
      if (is_call(context)) return parse_call(context);
      [[fallthrough]];
    case TokenKind::LeftBracket: {
      ast::ArrayRef array = parse_typed_array(context);
      return {std::move(array), context.location_from(begin)};
    }
    case TokenKind::Quoted:
      context.fail(
          DiagnosticKind::SyntaxError, context.current().span, "a text in quotes is no operand",
          {"texts stand in `print \"text\", x`, `save A \"a.npy\"` and `load(\"a.npy\")`"});
      return {};
    default:
      if (!reject_change(context)) context.fail_expected("an array or a number");
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

// A dot at the end of the line ends a sentence.
bool begins_field(const ParserContext& context) {
  return context.at(TokenKind::Dot) && context.peek(1).kind != TokenKind::End;
}

bool is_bracketed_array(const ast::Expr& expr) {
  const auto* array = std::get_if<ast::ArrayRef>(&expr.node);
  return array != nullptr && array->bracketed;
}

}  // namespace

bool is_block_word(std::string_view word) { return find_block_word(word) != nullptr; }

bool begins_like_call_along(std::string_view word) {
  const auto all = functions();
  return std::any_of(all.begin(), all.end(), [&](const FunctionInfo& function) {
    return function.along != Along::None && word.starts_with(function.name);
  });
}

bool begins_operand(const Token& token) {
  return token.kind == TokenKind::Number || token.kind == TokenKind::Identifier ||
         token.kind == TokenKind::Pipe || token.kind == TokenKind::LeftParen ||
         token.kind == TokenKind::LeftBracket;
}

// postfix = collective | indexed | shaped | primary { field } ;
// primary = NUMBER | array | call | block | question | size | group ;
ast::Expr parse_postfix(ParserContext& context) {
  if (is_collective(context)) return parse_collective(context);
  const std::size_t begin = context.position();
  ast::Expr expr = parse_primary(context);
  if (takes_index(context)) return parse_indexed(context, std::move(expr), begin);
  const bool shaped = takes_shape(context, expr);
  if (shaped) expr = parse_shaped(context, std::move(expr), begin);
  while (!shaped && begins_field(context) && !is_bracketed_array(expr)) {
    expr = parse_field(context, std::move(expr), begin);
    if (context.height > kDeepest) {
      context.fail(DiagnosticKind::TooDeep, context.current().span,
                   fmt::format("nested deeper than {} levels", kDeepest));
    }
  }
  return expr;
}

}  // namespace shard
