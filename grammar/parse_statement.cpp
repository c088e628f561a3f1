// Statements: which one it is, its end, its comments.
#include <algorithm>
#include <utility>

#include "grammar/parser_context.h"

namespace shard {
namespace {

// Whether the value is an array as far as reading can tell; everything else is a size or a scalar.
bool is_array_value(const ast::Expr& expr, const Names& names) {
  const auto known = [&](const ast::ArrayRef& array) {
    return array.bracketed || std::find(names.arrays.begin(), names.arrays.end(),
                                        array.name->text) != names.arrays.end();
  };
  const auto either = [&](const auto& node) {
    return is_array_value(*node.left, names) || is_array_value(*node.right, names);
  };
  return match(
      expr.node, [](const ast::Number&) { return false; },
      [&](const ast::ArrayRef& array) { return known(array); },
      [&](const ast::Product& product) { return either(product); },
      [&](const ast::Binary& operation) { return either(operation); },
      [&](const ast::Unary& operation) { return is_array_value(*operation.operand, names); },
      [](const ast::Collective&) { return true; }, [](const ast::Call&) { return false; },
      [](const ast::Shaped&) { return true; }, [](const ast::Text&) { return false; },
      [](const ast::Member&) { return false; }, [](const ast::SizeOf&) { return false; },
      [](const ast::BlockExpr&) { return false; });
}

// binding = name "=" expression ;
ast::Binding parse_binding(ParserContext& context) {
  ast::Identifier name = parse_name(context, "a name");
  if (!context.accept(TokenKind::Equal)) context.fail_expected("`=`");
  join_operand(context);
  ast::Expr value = parse_expression(context);
  if (!context.failed()) {
    if (is_array_value(value, context.names())) {
      context.add_array(name.text);
    } else {
      context.add_dimension(name.text);
    }
  }
  return {std::move(name), std::move(value)};
}

// bindings = binding { "," binding } ;
StatementNode parse_bindings(ParserContext& context) {
  ast::Bindings bindings;
  do {
    join_item(context);
    bindings.items.push_back(parse_binding(context));
  } while (context.accept(TokenKind::Comma));
  return bindings;
}

// flow = expression ( "→" | "->" ) array ;
StatementNode parse_flow(ParserContext& context, ast::Expr value) {
  context.may_relate = false;
  context.advance();
  join_operand(context);
  const bool array = context.at(TokenKind::LeftBracket) ||
                     (context.at(TokenKind::Identifier) && !is_collective(context));
  if (!array) context.fail_expected("an array behind the arrow");
  ast::Flow flow{std::move(value), parse_array(context), ast::FlowSign::Arrow};
  if (flow.target.name) context.add_array(flow.target.name->text);
  if (context.at(TokenKind::Arrow)) {
    context.fail(DiagnosticKind::NotYet, context.current().span,
                 "a second arrow in one statement is not run by this version",
                 {"a line per arrow"});
  }
  if (context.at_word("overlap")) reject_later(context);
  return flow;
}

// assignment = array "=" expression ;   equation = expression "=" expression ;
// With an operation on the left and a plain array on the right it is a flow.
StatementNode parse_assignment(ParserContext& context, ast::Expr left) {
  context.may_relate = false;
  context.advance();
  join_operand(context);
  ast::Expr right = parse_expression(context);
  if (auto* target = std::get_if<ast::ArrayRef>(&left.node)) {
    if (!target->bracketed) return ast::Bindings{{{std::move(*target->name), std::move(right)}}};
    return ast::Flow{std::move(right), std::move(*target), ast::FlowSign::Assignment};
  }
  if (auto* target = std::get_if<ast::ArrayRef>(&right.node)) {
    return ast::Flow{std::move(left), std::move(*target), ast::FlowSign::Result};
  }
  return ast::Equation{std::move(left), std::move(right)};
}

// evaluation = expression ;
StatementNode parse_formula(ParserContext& context) {
  if (context.at(TokenKind::Arrow)) {
    context.fail(DiagnosticKind::SyntaxError, context.current().span,
                 "nothing stands before " + context.found(), {"`A[I_X, J] → B[I_X, J]`"});
  }
  if (!begins_operand(context.current()) && !context.at(TokenKind::Minus))
    context.fail_expected("a statement");
  context.may_relate = true;
  ast::Expr value = parse_expression(context);
  if (context.at(TokenKind::Arrow)) return parse_flow(context, std::move(value));
  if (context.at(TokenKind::Equal)) return parse_assignment(context, std::move(value));
  return ast::Evaluate{std::move(value)};
}

// mentions = array "," array { "," array } ;   Each is a statement.
StatementNode parse_mention(ParserContext& context) {
  const std::size_t begin = context.position();
  ast::ArrayRef array = parse_array(context);
  return ast::Evaluate{{std::move(array), context.location_from(begin)}};
}

bool is_bare_mesh(const ParserContext& context) {
  const TokenKind key = context.peek(1).kind;
  return context.at(TokenKind::LeftBrace) &&
         (key == TokenKind::Identifier || key == TokenKind::Quoted) &&
         context.peek(2).kind == TokenKind::Colon &&
         (key == TokenKind::Quoted || context.peek(3).kind != TokenKind::Identifier);
}

bool is_bare_slice(const ParserContext& context) {
  return context.at(TokenKind::Identifier) && context.peek(1).kind == TokenKind::Number &&
         context.peek(2).kind == TokenKind::Cross;
}

// Statements with a word of their own; nullopt if none begins here.
std::optional<StatementNode> parse_command(ParserContext& context) {
  struct Command {
    std::string_view word;
    StatementNode (*parse)(ParserContext&);
  };
  static constexpr Command kCommands[] = {
      {"hardware", parse_hardware}, {"mesh", parse_mesh},     {"Mesh", parse_mesh},
      {"chip", parse_chip},         {"plan", parse_plan},     {"print", parse_print},
      {"expect", parse_expect},     {"why", parse_why},       {"drop", parse_drop},
      {"fn", parse_function},       {"return", parse_return}, {"for", parse_for},
      {"if", parse_if},             {"use", parse_use},       {"show", parse_show}};
  for (const Command& command : kCommands) {
    if (begins_command(context, command.word)) return command.parse(context);
  }
  if (begins_command(context, "else")) {
    context.fail(DiagnosticKind::SyntaxError, context.current().span,
                 "`else` stands behind no `if`",
                 {"`if X > 4 { … } else { … }`; in a session, `} else {` on one line"});
  }
  return std::nullopt;
}

// statement = hardware | mesh | chip | plan | "strict" | bindings | declaration | flow | assignment | equation
//           | evaluation | print | expect | expect error | why | drop | function | return | for | if | group | use
//           | show ;
StatementNode parse_node(ParserContext& context) {
  if (context.position() < context.list_end) return parse_mention(context);
  if (auto command = parse_command(context)) return *std::move(command);
  if (begins_command(context, "strict")) {
    context.advance();
    return ast::Strict{};
  }
  if (is_bare_mesh(context)) return parse_mesh(context);
  if (context.at(TokenKind::LeftBrace)) return parse_group_statement(context);
  if (is_later_statement(context)) reject_later(context);
  if (is_bare_slice(context)) return parse_bare_slice(context);
  reject_unknown_word(context);
  if (is_declaration(context)) return parse_declaration(context);
  if (is_binding(context)) return parse_bindings(context);
  context.list_end = array_list_end(context);
  if (context.list_end > 0) return parse_mention(context);
  return parse_formula(context);
}

// Whether nothing but a remark can stand behind the statement in parentheses: it does not end in an expression.
bool ends_for_certain(const StatementNode& node) {
  const auto* flow = std::get_if<ast::Flow>(&node);
  return (flow != nullptr && flow->sign != ast::FlowSign::Assignment) ||
         std::holds_alternative<ast::Hardware>(node) || std::holds_alternative<ast::Mesh>(node) ||
         std::holds_alternative<ast::Chip>(node) || std::holds_alternative<ast::Plan>(node) ||
         std::holds_alternative<ast::Strict>(node) ||
         std::holds_alternative<ast::Declaration>(node) ||
         std::holds_alternative<ast::ExpectError>(node) || std::holds_alternative<ast::Why>(node) ||
         std::holds_alternative<ast::Drop>(node) || std::holds_alternative<ast::Function>(node) ||
         std::holds_alternative<ast::Loop>(node) || std::holds_alternative<ast::If>(node) ||
         std::holds_alternative<ast::Group>(node) || std::holds_alternative<ast::Use>(node) ||
         std::holds_alternative<ast::Show>(node);
}

// The remark behind the statement as a comment, if there is one.
std::string remark_behind(ParserContext& context, const StatementNode& node) {
  const bool remark = !context.failed() && is_remark(context, 0, ends_for_certain(node));
  return remark ? take_remark(context) : std::string();
}

std::string joined_comment(const std::string& remark, const std::string& comment) {
  if (remark.empty() || comment.empty()) return remark + comment;
  const std::size_t text = comment.find_first_not_of("# \t");
  return text == std::string::npos ? remark : remark + "; " + comment.substr(text);
}

}  // namespace

bool is_binding(const ParserContext& context) {
  if (!context.at(TokenKind::Identifier)) return false;
  const bool subscript = context.peek(1).kind == TokenKind::Underscore;
  const std::size_t sign = subscript ? context.after_group(2) : 1;
  return context.peek(sign).kind == TokenKind::Equal;
}

ast::Statement parse_statement(ParserContext& context) {
  ast::Statement statement{ast::Strict{}};
  statement.leading = context.take_leading_comments();
  const std::size_t begin = context.position();
  context.begin_statement();
  const bool outside = std::exchange(context.block_has_error, false);
  statement.node = parse_node(context);
  const ast::Location place = context.location_from(begin);
  const std::string remark = remark_behind(context, statement.node);
  if (!context.failed() && !context.at_statement_end()) reject_rest(context);
  const bool failed = context.failed();
  context.end_statement(begin);
  if (failed) statement.node = unread_statement(context, begin);
  statement.has_error = failed || context.block_has_error;
  context.block_has_error = outside;
  statement.at = failed ? context.location_from(begin) : place;
  const std::vector<std::string> inner = context.take_inner_comments();
  // The text of an unread statement has its comments in it.
  if (!failed) statement.leading.insert(statement.leading.end(), inner.begin(), inner.end());
  const bool listed = context.position() < context.list_end;
  context.accept(listed ? TokenKind::Comma : TokenKind::Semicolon);
  statement.trailing = joined_comment(remark, context.take_trailing_comment());
  return statement;
}

}  // namespace shard
