// Words that begin statements. They are keywords only at a statement's start and in front of what their rule wants.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "grammar/parser_context.h"

namespace shard {
namespace {

// Without words of two and three letters, which are near to every short name.
const std::vector<std::string>& words() {
  static const std::vector<std::string> statement_words = {
      "hardware", "mesh",  "chip", "plan",  "strict", "print", "expect",
      "drop",     "cost",  "time", "flops", "comms",  "Shift", "backward",
      "minimize", "solve", "show", "save",  "fault",  "return"};
  return statement_words;
}

constexpr std::string_view kCommands[] = {
    "hardware", "mesh",   "Mesh", "chip", "plan", "print", "expect", "strict", "why",  "drop", "fn",
    "for",      "return", "if",   "else", "use",  "show",  "save",   "fault",  "slow", "send"};

// Short words, or words of sentences, that are a statement only with what its rule wants behind them.
bool may_stand_alone(std::string_view word) {
  return word != "fn" && word != "for" && word != "if" && word != "else" && word != "use" &&
         word != "show" && word != "fault" && word != "slow" && word != "send";
}

// A word that stands alone is the statement, half written, unless the script has such a name.
bool alone(const ParserContext& context) {
  const TokenKind next = context.peek(1).kind;
  return (next == TokenKind::End || next == TokenKind::Semicolon) &&
         !context.knows(context.current().text);
}

bool is_operator_word(const Token& token) {
  return token.kind == TokenKind::Identifier && (token.text == "and" || token.text == "or");
}

bool names_follow(const ParserContext& context) {
  const Token& next = context.peek(1);
  return next.kind == TokenKind::Identifier && !is_operator_word(next);
}

// An expression, and not the rest of one that begins with the word: `print [A, B]` but `print[A] → …`.
bool expression_follows(const ParserContext& context) {
  const Token& next = context.peek(1);
  if (names_follow(context) || next.kind == TokenKind::Quoted) return true;
  if (next.kind == TokenKind::Plus)
    return !next.glued && context.peek(2).glued && !context.knows(context.current().text);
  if (next.kind == TokenKind::Minus) {
    const bool sign = !next.glued && context.peek(2).glued;
    return sign || !context.knows(context.current().text);
  }
  if (next.kind == TokenKind::LeftBracket) return !next.glued;
  return begins_operand(next) && next.kind != TokenKind::Identifier;
}

// A condition or a value: `if x > 4 {`, `return - A`; but `return[I]` is an array and `if = 4` a size.
bool value_follows(const ParserContext& context) {
  const Token& next = context.peek(1);
  if (is_operator_word(next)) return false;
  if (next.kind == TokenKind::Minus) {
    const bool sign = !next.glued && context.peek(2).glued;
    return sign || !context.knows(context.current().text);
  }
  const bool array = next.kind == TokenKind::LeftBracket && next.glued;
  return begins_operand(next) && !array && !context.knows(context.current().text);
}

// `mesh (X: 4)`, `mesh [X: 4]`
bool mistaken_mesh(const ParserContext& context) {
  const TokenKind opener = context.peek(1).kind;
  const TokenKind axis = context.peek(2).kind;
  return (opener == TokenKind::LeftParen || opener == TokenKind::LeftBracket) &&
         (axis == TokenKind::Identifier || axis == TokenKind::Quoted) &&
         context.peek(3).kind == TokenKind::Colon;
}

}  // namespace

bool begins_command(const ParserContext& context, std::string_view word) {
  if (!context.at_word(word)) return false;
  if (alone(context) && may_stand_alone(word)) return true;
  const TokenKind next = context.peek(1).kind;
  if (word == "strict" || word == "why") {
    const bool remarked = is_remark(context, 1, false) && !context.knows(std::string(word));
    return remarked || (word == "why" && names_follow(context));
  }
  if (word == "mesh")
    return names_follow(context) || next == TokenKind::LeftBrace || mistaken_mesh(context);
  if (word == "Mesh") return next == TokenKind::LeftParen || next == TokenKind::LeftBrace;
  if (word == "print" || word == "expect") return expression_follows(context);
  if (word == "hardware" || word == "chip")
    return names_follow(context) || next == TokenKind::Number;
  if (word == "drop") return names_follow(context);
  if (word == "return" || word == "if") return value_follows(context);
  if (word == "use") {
    const bool path = next == TokenKind::Slash || next == TokenKind::Dot;
    return names_follow(context) || next == TokenKind::Quoted ||
           (path && !context.knows(std::string(word)));
  }
  if (word == "else") return next == TokenKind::LeftBrace || context.peek(1).text == "if";
  return names_follow(context);
}

bool is_command_word(std::string_view word) {
  return std::find(std::begin(kCommands), std::end(kCommands), word) != std::end(kCommands);
}

bool begins_any_command(const ParserContext& context) {
  if (!context.at(TokenKind::Identifier) || !is_command_word(context.current().text)) return false;
  return std::any_of(std::begin(kCommands), std::end(kCommands),
                     [&](std::string_view word) { return begins_command(context, word); });
}

void reject_unknown_word(ParserContext& context) {
  if (!context.at(TokenKind::Identifier) || is_collective(context)) return;
  const Token& word = context.current();
  const Token& next = context.peek(1);
  const bool brace = next.kind == TokenKind::LeftBrace && !is_block_word(word.text);
  const bool operand = next.kind == TokenKind::Identifier || next.kind == TokenKind::Number ||
                       next.kind == TokenKind::Quoted;
  if ((!brace && !operand) || is_operator_word(next) || context.at_word("not")) return;
  const bool prose = is_prose(context, context.position(), 3);
  const auto nearest = nearest_name(word.text, words());
  if (!prose && nearest && *nearest != word.text && !context.knows(word.text)) {
    const auto line = context.edited_line(word.span, *nearest);
    return context.fail(DiagnosticKind::SyntaxError, word.span,
                        fmt::format("{} begins no statement", context.found()),
                        {line.value_or(fmt::format("did you mean `{}`?", *nearest))});
  }
  context.advance();
  reject_rest(context);
}

}  // namespace shard
