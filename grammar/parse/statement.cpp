// Statements: which one it is, its end, its comments.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "grammar/parse/construct.h"

namespace shard {
namespace {

// Whether the value is an array, as far as can be known while reading; everything else is a size or a scalar.
bool is_array_value(const ast::Expr& expr, const Names& names) {
  const auto known = [&](const ast::ArrayRef& array) {
    return array.bracketed || names.arrays.contains(array.name->text);
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
      [](const ast::Shaped&) { return true; }, [](const ast::Indexed&) { return true; },
      [](const ast::Text&) { return false; }, [](const ast::Member&) { return false; },
      [](const ast::SizeOf&) { return false; }, [](const ast::BlockExpr&) { return false; },
      [](const ast::Question&) { return false; });
}

// Adjacent names of single capitals that fill the statement: `A B` of `C = A B`.
bool is_juxtaposition(const ParserContext& context) {
  // Factors; a longer row of letters is not taken for a product.
  constexpr std::size_t kMost = 16;
  for (std::size_t words = 0; words <= kMost; ++words) {
    const Token& word = context.peek(words);
    if (word.kind == TokenKind::End || word.kind == TokenKind::Semicolon) return words > 1;
    const bool capital = word.kind == TokenKind::Identifier && word.text.size() == 1 &&
                         word.text[0] >= 'A' && word.text[0] <= 'Z';
    if (!capital) return false;
  }
  return false;
}

ast::Expr parse_juxtaposition(ParserContext& context) {
  const std::size_t begin = context.position();
  const auto operand = [&]() -> ast::Expr {
    const std::size_t place = context.position();
    ast::ArrayRef array = parse_array(context);
    return {std::move(array), context.location_from(place)};
  };
  ast::Expr value = operand();
  while (!context.at_statement_end()) {
    const ast::Location sign{context.current().span};
    ast::Product product{std::move(value), operand(), false, {}, sign};
    value = {std::move(product), context.location_from(begin)};
  }
  return value;
}

// Whether a Python list fills the statement: `[]`, `[64, 128]`, `["a"]`. With names in it, it is an unnamed array.
bool is_list(const ParserContext& context) {
  if (!context.at(TokenKind::LeftBracket) || context.current().partner < 0) return false;
  const auto closer = static_cast<std::size_t>(context.current().partner);
  for (std::size_t i = context.position() + 1; i < closer; ++i) {
    const TokenKind kind = context.token(i).kind;
    if (kind != TokenKind::Number && kind != TokenKind::Quoted && kind != TokenKind::Comma)
      return false;
  }
  const TokenKind next = context.token(closer + 1).kind;
  return context.begins_line(closer + 1) || next == TokenKind::End ||
         next == TokenKind::Semicolon || next == TokenKind::RightBrace || next == TokenKind::Dot;
}

// binding = name "=" expression ;
ast::Binding parse_binding(ParserContext& context) {
  ast::Identifier name = parse_name(context, "a name");
  name.text = context.spelling(name.text);
  if (!context.accept(TokenKind::Equal)) context.fail_expected("`=`");
  join_operand(context);
  context.in_binding = true;
  if (is_list(context)) {
    const auto closer = static_cast<std::size_t>(context.current().partner);
    context.fail(DiagnosticKind::SyntaxError,
                 cover(context.current().span, context.token(closer).span),
                 "there are no lists: a loop runs over values");
  }
  ast::Expr value =
      is_juxtaposition(context) ? parse_juxtaposition(context) : parse_expression(context);
  if (!context.failed()) {
    if (is_array_value(value, context.names())) {
      context.add_array(name.text);
    } else {
      context.add_dimension(name.text);
    }
  }
  return {std::move(name), std::move(value)};
}

bool accept_next_binding(ParserContext& context) {
  if (context.accept(TokenKind::Comma)) return true;
  if (!context.at_word("and") || context.failed()) return false;
  context.advance();
  return true;
}

// bindings = binding { ( "," | "and" ) binding } ;
// With `overlap` after its only binding it is an assignment.
StatementNode parse_bindings(ParserContext& context) {
  ast::Bindings bindings;
  do {
    join_item(context);
    bindings.items.push_back(parse_binding(context));
  } while (accept_next_binding(context));
  if (context.failed() || bindings.items.size() > 1 || !at_overlap(context)) return bindings;
  auto& [name, value] = bindings.items.front();
  const ast::Location at = name.at;
  ast::Flow flow{
      std::move(*value), {.name = std::move(name), .at = at}, ast::FlowSign::Assignment, {}};
  parse_overlap(context, flow);
  return flow;
}

bool is_bare_mesh(const ParserContext& context) {
  const TokenKind key = context.peek(1).kind;
  return context.at(TokenKind::LeftBrace) &&
         (key == TokenKind::Identifier || key == TokenKind::Quoted) &&
         context.peek(2).kind == TokenKind::Colon &&
         (key == TokenKind::Quoted || context.peek(3).kind != TokenKind::Identifier);
}

// `mesh = {'X': 4, 'Y': 2}`, `my_mesh = …`; under another name it is a Python dictionary.
bool is_named_mesh(const ParserContext& context) {
  const TokenKind key = context.peek(3).kind;
  const std::string_view name = context.current().text;
  const bool mesh = name.ends_with("mesh") || name.ends_with("Mesh");
  return context.at(TokenKind::Identifier) && mesh && context.peek(1).kind == TokenKind::Equal &&
         context.peek(2).kind == TokenKind::LeftBrace &&
         (key == TokenKind::Identifier || key == TokenKind::Quoted) &&
         context.peek(4).kind == TokenKind::Colon;
}

}  // namespace

StatementNode parse_strict(ParserContext& context) {
  context.advance();
  return ast::Strict{};
}

StatementNode reject_else(ParserContext& context) {
  context.fail(DiagnosticKind::SyntaxError, context.current().span, "`else` stands after no `if`",
               {"`if X > 4 { … } else { … }`; in a session, `} else {` on one line"});
  return parse_formula(context);
}

namespace {

// Statements with a word of their own; nullopt if none begins here.
std::optional<StatementNode> parse_command(ParserContext& context) {
  using Parse = StatementNode (*)(ParserContext&);
  static constexpr Parse kParse[] = {
#define SHARD_KEYWORD(word, parse, does, stands, behind, guess, example, meaning) parse,
#define SHARD_BLOCK_WORD(word, kind, runs)
#include "grammar/tree/keywords.def"
  };
  const Keyword* keyword = command_here(context);
  if (keyword == nullptr) return std::nullopt;
  return kParse[keyword - keywords().data()](context);
}

// statement = hardware | mesh | chip | plan | "strict" | bindings | declaration | results | flow | assignment | equation
//           | evaluation | print | expect | expect error | expect steps | why | drop | function | return | for | if | group
//           | use | show | fault | slow | send ;
StatementNode parse_node(ParserContext& context) {
  context.prints = false;  // after a `print` that could not be read
  context.in_parameters = false;
  if (is_jax_mesh(context)) return parse_jax_mesh(context);
  if (auto command = parse_command(context)) return *std::move(command);
  if (is_named_mesh(context)) {
    context.advance();
    context.advance();
  }
  if (is_bare_mesh(context)) return parse_mesh(context);
  if (context.at(TokenKind::LeftBrace)) return parse_group_statement(context);
  if (is_bare_slice(context)) return parse_bare_slice(context);
  if (is_python(context)) reject_python(context);
  if (begins_foreign_function(context)) reject_foreign_function(context);
  reject_unknown_word(context);
  if (is_declaration(context)) return parse_declaration(context);
  if (is_mention(context)) return parse_mention(context);
  if (is_results(context)) return parse_results(context);
  if (is_binding(context)) return parse_bindings(context);
  return parse_formula(context);
}

// Whether only a remark can follow the statement in parentheses, because it does not end in an expression.
bool ends_for_certain(const StatementNode& node) {
  const auto* flow = std::get_if<ast::Flow>(&node);
  const auto* declaration = std::get_if<ast::Declaration>(&node);
  const auto* mesh = std::get_if<ast::Mesh>(&node);
  const bool ends_in_expression =
      (mesh != nullptr && mesh->least) || (declaration != nullptr && declaration->makes) ||
      (flow != nullptr && flow->sign == ast::FlowSign::Assignment) ||
      std::holds_alternative<ast::Bindings>(node) || std::holds_alternative<ast::Equation>(node) ||
      std::holds_alternative<ast::Evaluate>(node) || std::holds_alternative<ast::Print>(node) ||
      std::holds_alternative<ast::Expect>(node) || std::holds_alternative<ast::Require>(node) ||
      std::holds_alternative<ast::Plot>(node) || std::holds_alternative<ast::Return>(node) ||
      std::holds_alternative<ast::Results>(node) || std::holds_alternative<ast::Unsupported>(node);
  return !ends_in_expression;
}

// Nothing of such a statement can follow its brace, so another one may begin there.
bool ends_in_block(const StatementNode& node) {
  return std::holds_alternative<ast::Function>(node) || std::holds_alternative<ast::Loop>(node) ||
         std::holds_alternative<ast::If>(node) || std::holds_alternative<ast::Group>(node) ||
         std::holds_alternative<ast::Fused>(node) || std::holds_alternative<ast::Best>(node) ||
         std::holds_alternative<ast::ExpectSteps>(node);
}

bool begins_operand_or_block(const ParserContext& context) {
  return !context.failed() &&
         (begins_operand(context.current()) || context.at(TokenKind::LeftBrace));
}

// The remarks after the statement.
std::string remarks_behind(ParserContext& context, const StatementNode& node) {
  std::string text;
  if (std::holds_alternative<ast::Flow>(node) && !context.failed()) reject_round_brackets(context);
  while (!context.failed() && is_remark(context, 0, ends_for_certain(node) || !text.empty()))
    text += (text.empty() ? "" : "; ") + take_remark(context);
  if (!context.failed() && ends_for_certain(node) && (is_sentence(context, 0) || is_aside(context)))
    text += (text.empty() ? "" : "; ") + take_sentence(context);
  return text;
}

// What surrounded the statement, as one comment: its number and label, its remarks, its own comment.
std::string joined_comment(const std::string& label, const std::string& remark,
                           const std::string& comment) {
  if (label.empty() && remark.empty()) return comment;
  std::string text = label + remark;
  while (text.back() == ' ') text.pop_back();
  const std::size_t own = comment.find_first_not_of("# \t");
  if (own != std::string::npos) text += (remark.empty() ? " " : "; ") + comment.substr(own);
  return "# " + text;
}

}  // namespace

bool is_binding(const ParserContext& context) {
  if (!context.at(TokenKind::Identifier)) return false;
  const bool subscript = context.peek(1).kind == TokenKind::Underscore;
  const std::size_t sign = subscript ? context.after_group(2) : 1;
  return context.peek(sign).kind == TokenKind::Equal;
}

void parse_statement(ParserContext& context, ast::Statement& statement) {
  statement.leading = context.take_leading_comments();
  const std::size_t reported = context.sink().all().size();
  context.begin_statement();
  const std::size_t first = context.position();
  const std::string label = take_label(context);
  const std::size_t begin = context.position();
  const bool outside = std::exchange(context.block_has_error, false);
  statement.node = parse_node(context);
  const ast::Location place = context.location_from(begin);
  const bool chained = context.restart.has_value();
  const std::string remark = chained ? "" : remarks_behind(context, statement.node);
  if (!chained && !context.failed()) skip_then(context);
  if (ends_in_block(statement.node) && begins_operand_or_block(context)) context.ended = true;
  if (!context.failed() && !context.at_statement_end() && !context.ended) reject_rest(context);
  const bool failed = context.failed();
  context.end_statement(begin);
  const bool posted = failed || may_be_posted(context, statement, remark);
  if (posted && parse_posted(context, first, reported, failed, statement)) {
    context.block_has_error = outside;
    return;
  }
  if (failed) {
    retell_foreign(context, begin);
    pass_unclosed_block(context, begin);
    statement.node = unread_statement(context, begin);
    learn_numbers(context, begin);
  }
  statement.has_error = failed || context.block_has_error;
  context.block_has_error = outside;
  statement.at = failed ? context.location_from(begin) : place;
  const std::vector<std::string> inner = context.take_inner_comments();
  // The text of an unread statement includes its comments.
  if (!failed) statement.leading.insert(statement.leading.end(), inner.begin(), inner.end());
  if (chained && !failed) {
    context.go_back(*context.restart);
    statement.trailing = joined_comment(label, "", "");
    return;
  }
  context.accept(TokenKind::Semicolon);
  statement.trailing = joined_comment(label, remark, context.take_trailing_comment());
}

}  // namespace shard
