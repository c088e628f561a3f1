// Questions about sizes: `solve`, `when`, `minimize`.
#include <algorithm>
#include <string>
#include <utility>

#include "grammar/parse/construct.h"
#include "grammar/parse/scope.h"
#include "grammar/tree/keyword.h"

namespace shard {
namespace {

std::string example_of(ast::QuestionKind kind) {
  switch (kind) {
    case ast::QuestionKind::Solve:
      return "`solve B { c.math = c.comms }`";
    case ast::QuestionKind::When:
      return "`when { c.math > c.comms }`, `when B { c.math > c.comms }`";
    case ast::QuestionKind::Minimize:
      break;
  }
  return "`minimize c.time over X`";
}

// What one statement is read as ends with the question inside of it.
class AskedScope {
 public:
  explicit AskedScope(ParserContext& context)
      : context_(context),
        equal_compares_(std::exchange(context.equal_compares, true)),
        before_block_(std::exchange(context.before_block, false)),
        in_binding_(std::exchange(context.in_binding, false)) {}
  AskedScope(const AskedScope&) = delete;
  AskedScope& operator=(const AskedScope&) = delete;
  ~AskedScope() {
    context_.equal_compares = equal_compares_;
    context_.before_block = before_block_;
    context_.in_binding = in_binding_;
  }

 private:
  ParserContext& context_;
  bool equal_compares_;
  bool before_block_;
  bool in_binding_;
};

std::optional<ast::Identifier> parse_asked_size(ParserContext& context, ast::QuestionKind kind) {
  if (context.at(TokenKind::Identifier)) return parse_identifier(context, "a size");
  context.fail_expected("the size that is asked for", {example_of(kind)});
  return std::nullopt;
}

// asked = "{" condition "}" ;
void parse_asked(ParserContext& context, ast::Question& question) {
  if (!context.at(TokenKind::LeftBrace))
    return context.fail_expected("`{` before a comparison", {example_of(question.kind)});
  const std::size_t opener = context.open();
  const AskedScope scope(context);
  question.asked = parse_expression(context);
  context.close(opener, "a comparison");
}

// least = sum "over" NAME [ "with" NAME "=" sum ] ;
void parse_least(ParserContext& context, ast::Question& question) {
  {
    const AskedScope scope(context);
    question.asked = parse_sum(context);
  }
  const int height = context.height;
  if (!context.at_word("over"))
    return context.fail_expected("`over` and a size", {example_of(question.kind)});
  context.advance();
  question.size = parse_identifier(context, "a size");
  if (!context.at_word("with") || !context.on_same_line()) return;
  context.advance();
  ast::Identifier name = parse_identifier(context, "a size that follows");
  if (!context.accept(TokenKind::Equal))
    return context.fail_expected("`=`", {"`minimize c.time over X with Y = N / X`"});
  question.follows = ast::Follows{std::move(name), parse_sum(context)};
  context.height = std::max(context.height, height);
}

bool is_infix_word(const Token& token) {
  return token.text == "and" || token.text == "or" || token.text == "mod" || token.text == "over" ||
         token.text == "overlap" || token.text == "is" || token.text == "of";
}

// `minimize c.time over X`, and no name with brackets or a call of one.
bool begins_objective(const ParserContext& context) {
  const Token& next = context.peek(1);
  if (next.line_start || !begins_operand(next) || is_infix_word(next)) return false;
  if (next.kind == TokenKind::LeftBracket) return false;
  const bool call = next.kind == TokenKind::LeftParen && next.glued;
  return !call || context.peek(context.after_group(1)).text == "over";
}

}  // namespace

bool begins_question(const ParserContext& context) {
  if (!context.at(TokenKind::Identifier)) return false;
  const auto kind = question_of(context.current().text);
  if (!kind || context.knows(context.current().text)) return false;
  const Token& next = context.peek(1);
  const bool named = next.kind == TokenKind::Identifier && !next.line_start && !is_infix_word(next);
  const bool braced = context.peek(2).kind == TokenKind::LeftBrace;
  switch (*kind) {
    case ast::QuestionKind::Solve:
      return named && braced;
    case ast::QuestionKind::When:
      return next.kind == TokenKind::LeftBrace || (named && braced);
    case ast::QuestionKind::Minimize:
      break;
  }
  return begins_objective(context);
}

// question = "solve" NAME asked | "when" [ NAME ] asked | "minimize" least ;
ast::Expr parse_question_value(ParserContext& context) {
  const Nesting nesting(context);
  const std::size_t begin = context.position();
  const auto kind = question_of(context.current().text);
  ast::Question question{*kind, {}, ast::Expr{}};
  context.advance();
  if (*kind == ast::QuestionKind::Minimize) {
    parse_least(context, question);
  } else {
    if (*kind == ast::QuestionKind::Solve || context.at(TokenKind::Identifier))
      question.size = parse_asked_size(context, *kind);
    if (!context.failed()) parse_asked(context, question);
  }
  ++context.height;
  return {std::move(question), context.location_from(begin)};
}

StatementNode parse_question(ParserContext& context) {
  if (begins_question(context)) return ast::Evaluate{parse_expression(context)};
  const TokenKind next = context.peek(1).kind;
  if (next != TokenKind::End && next != TokenKind::Semicolon)
    return ast::Evaluate{parse_question_value(context)};
  const auto kind = question_of(context.current().text);
  context.advance();
  context.fail_expected(
      *kind == ast::QuestionKind::Minimize ? "what is to be least" : "the size that is asked for",
      {example_of(*kind)});
  return ast::Evaluate{};
}

}  // namespace shard
