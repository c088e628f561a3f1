// Words that begin statements. They are keywords only at the start of a statement and before what their rule requires.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/words.h"
#include "grammar/parse/construct.h"

namespace shard {
namespace {

// A word on its own is a half-written statement, unless the script has such a name.
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

// An expression that does not merely continue after the word: `print [A, B]`, but not `print[A] → …`.
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

// Whether the word is followed by what its rule requires.
bool rule_follows(const ParserContext& context, Behind behind) {
  const TokenKind next = context.peek(1).kind;
  const auto known = [&] { return context.knows(context.current().text); };
  switch (behind) {
    case Behind::Name:
      return names_follow(context);
    case Behind::NameOrNumber:
      return names_follow(context) || next == TokenKind::Number;
    case Behind::NameOrRemark:
      return names_follow(context) || (is_remark(context, 1, false) && !known());
    case Behind::Remark:
      return is_remark(context, 1, false) && !known();
    case Behind::Axes:
      return names_follow(context) || next == TokenKind::LeftBrace || mistaken_mesh(context);
    case Behind::Constructor:
      return next == TokenKind::LeftParen || next == TokenKind::LeftBrace;
    case Behind::Expression:
      return expression_follows(context);
    case Behind::Operand:
      return value_follows(context);
    case Behind::Module: {
      const bool path = next == TokenKind::Slash || next == TokenKind::Dot;
      return names_follow(context) || next == TokenKind::Quoted || (path && !known());
    }
    case Behind::Branch:
      return next == TokenKind::LeftBrace || context.peek(1).text == "if";
    case Behind::Brace:
      return next == TokenKind::LeftBrace;
    case Behind::BraceOrNumber: {
      // `best -1 {`, whose number is refused.
      const bool is_signed = next == TokenKind::Minus &&
                             context.peek(2).kind == TokenKind::Number &&
                             context.peek(3).kind == TokenKind::LeftBrace;
      return next == TokenKind::LeftBrace || next == TokenKind::Number || is_signed;
    }
    case Behind::BraceOrNamed:
      return next == TokenKind::LeftBrace ||
             (names_follow(context) &&
              (context.peek(2).kind == TokenKind::LeftBrace || context.current().text == "solve"));
  }
  return false;
}

}  // namespace

const Keyword* command_here(const ParserContext& context) {
  if (!context.at(TokenKind::Identifier)) return nullptr;
  const Keyword* keyword = find_keyword(context.current().text);
  if (keyword == nullptr) return nullptr;
  const bool half_written = keyword->standing == Standing::Alone && alone(context);
  return half_written || rule_follows(context, keyword->behind) ? keyword : nullptr;
}

bool begins_any_command(const ParserContext& context) { return command_here(context) != nullptr; }

bool is_command_word(std::string_view word) { return find_keyword(word) != nullptr; }

namespace {

// `place best c.time` on a line of its own.
bool reject_placement(ParserContext& context) {
  if (!context.at_word("place") || context.peek(1).text != "best") return false;
  context.fail(DiagnosticKind::SyntaxError, cover(context.current().span, context.peek(1).span),
               "`place best` stands behind a mesh, on its line",
               {"`mesh {X: 8, Y: 8} place best c.time`"});
  return true;
}

}  // namespace

void reject_unknown_word(ParserContext& context) {
  if (!context.at(TokenKind::Identifier) || is_collective(context) || reject_placement(context))
    return;
  const Token& word = context.current();
  const Token& next = context.peek(1);
  const bool brace = next.kind == TokenKind::LeftBrace && !is_block_word(word.text);
  const bool operand = next.kind == TokenKind::Identifier || next.kind == TokenKind::Number ||
                       next.kind == TokenKind::Quoted;
  // `n mod 2`, where `mod` may also be a name.
  const bool remainder = next.text == "mod" && begins_operand(context.peek(2));
  if ((!brace && !operand) || remainder || is_operator_word(next) || context.at_word("not")) return;
  // One pair more than usual: a misspelt keyword and its name are one, which is_prose discounts only for real keywords.
  const bool prose = is_prose(context, context.position(), 3);
  std::vector<std::string> words = guessed_words();
  if (brace) words.emplace_back("best");
  const auto nearest = nearest_name(word.text, words);
  const bool is_other = nearest && *nearest != word.text && !context.knows(word.text);
  const auto line = is_other ? context.edited_line(word.span, *nearest) : std::nullopt;
  // `minimze c.comms over X` has as many words as prose has; with the keyword it is a statement.
  if (is_other && (line || !prose)) {
    return context.fail(DiagnosticKind::SyntaxError, word.span,
                        fmt::format("{} begins no statement", context.found()),
                        {line.value_or(fmt::format("did you mean `{}`?", *nearest))});
  }
  context.advance();
  reject_rest(context);
}

}  // namespace shard
