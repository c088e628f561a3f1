// Formulas: flows, assignments, equations and values.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/collective.h"
#include "grammar/foreign/line.h"
#include "grammar/parse/construct.h"

namespace shard {
namespace {

// `A[B_X, D] → AllGather_X → A[B, D]`: the collective precedes its operand.
std::vector<std::string> collective_first(const ParserContext& context, const Span& value) {
  if (!is_collective(context)) return {};
  const std::size_t first = context.position();
  std::size_t arrow = first + 1;
  while (context.token(arrow).kind != TokenKind::Arrow &&
         context.token(arrow).kind != TokenKind::End && !context.token(arrow).line_start)
    ++arrow;
  if (context.token(arrow).kind != TokenKind::Arrow) return {};
  const Span last = context.token(arrow - 1).span;
  const Span name = cover(context.current().span, last);
  const auto line = context.edited_line(
      cover(value, last),
      fmt::format("{} {}", context.source_text(name), context.source_text(value)));
  return line ? std::vector<std::string>{*line} : std::vector<std::string>();
}

// `A · B → AllReduce → C[I, K]`: of a lone array the collective is read.
void reject_bare_collective(ParserContext& context) {
  const Token& word = context.current();
  const bool named = word.kind == TokenKind::Identifier &&
                     context.peek(1).kind == TokenKind::Arrow &&
                     (find_collective(word.text) != nullptr || is_collective_alias(word.text) ||
                      abbreviated_collective(word.text).has_value());
  if (!named || context.knows(word.text)) return;
  const Token& behind = context.peek(2);
  const auto line = context.edited_line({word.span.file, word.span.begin, behind.span.begin}, "");
  std::vector<std::string> help;
  if (line) help.push_back(*line);
  help.emplace_back("what it takes to come to its layout is found for a target");
  context.fail(DiagnosticKind::SyntaxError, word.span,
               fmt::format("`{}` stands in front of what it moves, with its axes", word.text),
               std::move(help));
}

// flow = expression ( "→" | "->" ) array [ overlap ] ;
StatementNode parse_flow(ParserContext& context, ast::Expr&& value) {
  context.may_relate = false;
  context.advance();
  join_operand(context);
  reject_bare_collective(context);
  const bool array = context.at(TokenKind::LeftBracket) ||
                     (context.at(TokenKind::Identifier) && !is_collective(context));
  if (!array) {
    auto help = collective_first(context, value.at.span);
    if (help.empty()) help = {"write what it becomes, with its layout: A[I_X, J] → A[I, J]"};
    context.fail_expected("an array after the arrow", std::move(help));
  }
  const std::size_t target = context.position();
  ast::Flow flow{std::move(value), parse_typed_array(context), ast::FlowSign::Arrow, {}};
  if (flow.target.name) context.add_array(flow.target.name->text);
  if (context.at(TokenKind::Arrow) && !context.failed()) context.restart = target;
  parse_overlap(context, flow);
  return flow;
}

// `-R[I, J]`, `2 · R[I, J]`, `R[I, J] / 3`: the array, and what stands around what it is equal to if this has a value.
struct Scaled {
  const ast::ArrayRef* array;
  std::string before;
  std::string behind;
};

std::optional<Scaled> scaled_array(const ast::Expr& expr, const ParserContext& context) {
  if (const auto* array = std::get_if<ast::ArrayRef>(&expr.node)) return Scaled{array, "", ""};
  if (const auto* sign = std::get_if<ast::Unary>(&expr.node)) {
    if (sign->op != ast::UnaryOp::Negate) return std::nullopt;
    auto scaled = scaled_array(*sign->operand, context);
    if (scaled) scaled->before.insert(0, "-");
    return scaled;
  }
  const auto by_number = [&](const ast::Expr& factor, const ast::Expr& other,
                             std::string_view sign) -> std::optional<Scaled> {
    const auto* negated = std::get_if<ast::Unary>(&factor.node);
    const ast::Expr& number = negated == nullptr ? factor : *negated->operand;
    if (!std::holds_alternative<ast::Number>(number.node)) return std::nullopt;
    auto scaled = scaled_array(other, context);
    if (!scaled) return scaled;
    if (negated != nullptr) scaled->before.insert(0, "-");
    scaled->behind += fmt::format(" {} {}", sign, context.source_text(number.at.span));
    return scaled;
  };
  const auto of_product = [&](const ast::Expr& left, const ast::Expr& right) {
    auto scaled = by_number(left, right, "/");
    return scaled ? scaled : by_number(right, left, "/");
  };
  if (const auto* product = std::get_if<ast::Product>(&expr.node))
    return of_product(*product->left, *product->right);
  const auto* operation = std::get_if<ast::Binary>(&expr.node);
  if (operation == nullptr) return std::nullopt;
  if (operation->op == ast::BinaryOp::Hadamard)
    return of_product(*operation->left, *operation->right);
  if (operation->op == ast::BinaryOp::Divide)
    return by_number(*operation->right, *operation->left, "·");
  return std::nullopt;
}

// `2 · R[I, J] = A`, which would make A, although it is there.
void reject_solved(ParserContext& context, const ast::Expr& left, const ast::Expr& right) {
  const auto* given = std::get_if<ast::ArrayRef>(&right.node);
  if (context.failed() || given == nullptr || given->bracketed || !given->name ||
      !context.names().arrays.contains(given->name->text))
    return;
  const auto scaled = scaled_array(left, context);
  if (!scaled || !scaled->array->bracketed || !scaled->array->name) return;
  const std::string& name = given->name->text;
  context.fail(
      DiagnosticKind::SyntaxError, left.at.span,
      fmt::format("the left side of `=` is what is made, and this computes with `{}`",
                  scaled->array->name->text),
      {fmt::format("{} = {}{}{}", context.source_text(scaled->array->at.span), scaled->before, name,
                   scaled->behind),
       fmt::format("to make `{}` of it: {} → {}", name, context.source_text(left.at.span), name)});
}

// Below `C = A - B` a line `- D`, which nothing leads on from, was to go on with it.
void reject_continuation(ParserContext& context) {
  const std::size_t begin = context.position();
  const Token& sign = context.current();
  const bool is_sign = sign.kind == TokenKind::Minus || sign.kind == TokenKind::Plus;
  if (context.failed() || !is_sign || !sign.line_start || begin == 0 || context.peek(1).glued ||
      context.token(begin - 1).kind == TokenKind::Semicolon || line_relates(context, true))
    return;
  const Token& operand = context.peek(1);
  const bool is_operand =
      operand.kind == TokenKind::Number || operand.kind == TokenKind::LeftParen ||
      (operand.kind == TokenKind::Identifier && context.means_something(operand.text));
  if (!is_operand || is_sentence(context, 1)) return;
  std::size_t first = begin - 1;
  bool assigns = false;
  for (;; --first) {
    assigns = assigns || context.token(first).kind == TokenKind::Equal;
    if (first == 0 || context.token(first).line_start) break;
  }
  const Span before = cover(context.token(first).span, context.token(begin - 1).span);
  const Span between{sign.span.file, before.end, sign.span.begin};
  const std::string_view gap = context.source_text(between);
  if (!assigns || std::count(gap.begin(), gap.end(), '\n') != 1) return;
  const Span line = context.line_span();
  context.fail(
      DiagnosticKind::SyntaxError, sign.span,
      fmt::format("this line begins with `{}`, and the statement above has ended", sign.text),
      {fmt::format("{} {}", context.source_text(before), context.source_text(line)),
       fmt::format("a statement goes on behind a sign at the end of its line: {} {}",
                   context.source_text(before), sign.text)});
}

// assignment = array "=" expression [ overlap ] ;   equation = expression "=" expression ;
// With an operation on the left and a plain array on the right it is a flow.
StatementNode parse_assignment(ParserContext& context, ast::Expr&& left) {
  context.may_relate = false;
  context.advance();
  join_operand(context);
  ast::Expr right = parse_expression(context);
  if (auto* target = std::get_if<ast::ArrayRef>(&left.node)) {
    if (!target->bracketed && target->indices.empty())
      return ast::Bindings{{{std::move(*target->name), std::move(right)}}};
    ast::Flow flow{std::move(right), std::move(*target), ast::FlowSign::Assignment, {}};
    parse_overlap(context, flow);
    return flow;
  }
  reject_solved(context, left, right);
  if (auto* target = std::get_if<ast::ArrayRef>(&right.node)) {
    ast::Flow flow{std::move(left), std::move(*target), ast::FlowSign::Result, {}};
    parse_overlap(context, flow);
    return flow;
  }
  return ast::Equation{std::move(left), std::move(right)};
}

}  // namespace

// evaluation = expression ;
StatementNode parse_formula(ParserContext& context) {
  if (context.at(TokenKind::Arrow)) {
    context.fail(DiagnosticKind::SyntaxError, context.current().span,
                 "nothing stands before " + context.found(), {"`A[I_X, J] → B[I_X, J]`"});
  }
  if (context.at(TokenKind::Equal)) context.fail_formula(context.current().span);
  reject_continuation(context);
  if (!begins_operand(context.current()) && !context.at(TokenKind::Minus))
    context.fail_expected("a statement");
  reject_nameless_array(context);
  reject_reference(context);
  context.may_relate = true;
  ast::Expr value = parse_expression(context);
  if (context.at(TokenKind::Arrow)) return parse_flow(context, std::move(value));
  if (context.at(TokenKind::Equal)) return parse_assignment(context, std::move(value));
  return ast::Evaluate{std::move(value)};
}

}  // namespace shard
