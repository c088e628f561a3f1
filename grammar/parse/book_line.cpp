// Lines: where a statement continues on the next one, remarks after statements, English sentences.
#include <fmt/format.h>

#include <algorithm>

#include "grammar/parse/construct.h"
#include "grammar/source/foreign_words.h"

namespace shard {
namespace {

bool is_joining_word(const Token& token) {
  return token.text == "and" || token.text == "or" || token.text == "not";
}

bool is_plain_word(const Token& token) {
  return token.kind == TokenKind::Identifier && !is_joining_word(token);
}

bool begins_statement_here(const ParserContext& context) {
  return begins_any_command(context) || is_declaration(context) ||
         (is_binding(context) && !context.equal_compares);
}

// `gathered`, which is not a name of an array or a size unless the script has one.
bool is_prose_word(const ParserContext& context, std::string_view word) {
  return is_english_word(word) && !context.means_something(word);
}

// `(mod 2)`, `(+ D)`: a sign, or a word for one, and what it takes.
bool continues_operand(const ParserContext& context, std::size_t begin, std::size_t end) {
  const Token& sign = context.token(begin);
  const bool is_word = sign.kind == TokenKind::Identifier && is_sign_word(sign.text);
  const bool is_sign = sign.kind == TokenKind::Plus || sign.kind == TokenKind::Minus ||
                       sign.kind == TokenKind::Times || sign.kind == TokenKind::Slash ||
                       sign.kind == TokenKind::Cross || sign.kind == TokenKind::CircledDot;
  const Token& operand = context.token(begin + 1);
  const bool is_known =
      operand.kind == TokenKind::Number ||
      (operand.kind == TokenKind::Identifier && context.means_something(operand.text));
  return end == begin + 2 && (is_word || is_sign) && is_known;
}

// Whether the bracketed text [begin, end) could be an operand: no two adjacent words, no sign that ends or begins
// nothing, and more than English words.
bool reads_as_operand(const ParserContext& context, std::size_t begin, std::size_t end) {
  if (continues_operand(context, begin, end)) return true;
  bool substance = false;
  for (std::size_t i = begin; i < end; ++i) {
    const Token& token = context.token(i);
    switch (token.kind) {
      case TokenKind::Unknown:
      case TokenKind::Quoted:
      case TokenKind::Colon:
      case TokenKind::Semicolon:
      case TokenKind::Ellipsis:
      case TokenKind::Question:
      case TokenKind::Arrow:
        return false;
      default:
        break;
    }
    const bool ended = is_plain_word(token) || token.kind == TokenKind::Number ||
                       token.kind == TokenKind::RightParen;
    const Token& next = context.token(i + 1);
    const bool goes_on = is_plain_word(next) || next.kind == TokenKind::Number;
    if (ended && goes_on && i + 1 < end) return false;
    const bool name = token.kind == TokenKind::Identifier && !is_prose_word(context, token.text);
    substance = substance || name || token.kind == TokenKind::Number ||
                token.kind == TokenKind::LeftBracket;
  }
  const Token& first = context.token(begin);
  const Token& last = context.token(end - 1);
  const bool whole = begins_operand(first) || first.kind == TokenKind::Minus;
  return substance && whole && !expects_more(last) && last.kind != TokenKind::Dot;
}

}  // namespace

bool line_relates(const ParserContext& context, bool equal) {
  const std::size_t begin = context.position();
  for (std::size_t i = begin; i < context.block_end(); i = context.behind(i)) {
    const Token& token = context.token(i);
    if ((i > begin && context.begins_line(i)) || token.kind == TokenKind::Semicolon) return false;
    if (token.kind == TokenKind::Arrow) return true;
    if (equal && token.kind == TokenKind::Equal) return true;
  }
  return false;
}

bool begins_statement_line(const ParserContext& context) {
  if (context.at(TokenKind::End) || context.on_same_line()) return false;
  return begins_statement_here(context);
}

void join_operand(ParserContext& context) {
  context.join_line();
  if (context.at(TokenKind::End) || context.on_same_line()) return;
  if (begins_statement_here(context)) {
    if (const auto opener = context.innermost()) {
      return context.fail_unclosed(*opener, "an operand");
    }
    return context.refuse_line();
  }
  const bool operand = begins_operand(context.current()) || context.at(TokenKind::Minus);
  const bool related = !context.may_relate && line_relates(context, !context.equal_compares);
  if (!context.innermost() && (!operand || related)) context.refuse_line();
}

void join_item(ParserContext& context) {
  context.join_line();
  if (context.at(TokenKind::End) || context.on_same_line()) return;
  if (begins_any_command(context)) context.refuse_line();
}

bool is_remark(const ParserContext& context, std::size_t ahead, bool certain) {
  const Token& opener = context.peek(ahead);
  if (opener.kind != TokenKind::LeftParen || opener.line_start || opener.partner < 0) return false;
  const std::size_t begin = context.position() + ahead + 1;
  const auto end = static_cast<std::size_t>(opener.partner);
  for (std::size_t i = begin; i <= end; ++i) {
    if (context.token(i).line_start) return false;
  }
  std::size_t behind = context.after_group(ahead);
  while (context.peek(behind).kind == TokenKind::LeftParen && context.peek(behind).partner >= 0)
    behind = context.after_group(behind);
  const TokenKind next = context.peek(behind).kind;
  const bool last = next == TokenKind::End || next == TokenKind::Semicolon ||
                    (next == TokenKind::Dot && context.peek(behind + 1).kind == TokenKind::End) ||
                    is_sentence(context, behind);
  return last && begin < end && (certain || !reads_as_operand(context, begin, end));
}

void reject_round_brackets(ParserContext& context) {
  const Token& opener = context.current();
  if (opener.kind != TokenKind::LeftParen || opener.partner < 0 || context.position() == 0) return;
  const std::size_t begin = context.position() + 1;
  const auto end = static_cast<std::size_t>(opener.partner);
  const TokenKind before = context.token(begin - 2).kind;
  const Token& first = context.token(begin);
  const bool marks = before != TokenKind::Identifier && end > begin && first.text.starts_with("U_");
  bool lists = before == TokenKind::Identifier && opener.glued && end > begin;
  for (std::size_t i = begin; i < end; ++i) {
    const TokenKind kind = context.token(i).kind;
    const bool capital = context.token(i).text[0] >= 'A' && context.token(i).text[0] <= 'Z';
    const bool subscript = context.token(i - 1).kind == TokenKind::Underscore;
    lists = lists && ((kind == TokenKind::Identifier && (capital || subscript)) ||
                      kind == TokenKind::Comma || kind == TokenKind::Underscore);
  }
  if (!marks && !lists) return;
  const Span place = cover(opener.span, context.token(end).span);
  const std::string_view written = context.source_text(place);
  const std::string_view inside = written.substr(1, written.size() - 2);
  const auto line = context.edited_line(
      place, lists ? fmt::format("[{}]", inside) : fmt::format("{{{}}}", inside));
  context.fail(DiagnosticKind::SyntaxError, place,
               lists ? "the dimensions of an array stand in square brackets"
                     : "what is left unreduced stands in braces",
               line ? std::vector<std::string>{*line} : std::vector<std::string>());
}

bool is_table_row(const ParserContext& context) {
  std::size_t borders = 0;
  std::size_t last = context.statement_begin();
  for (std::size_t i = last; i < context.block_end(); ++i) {
    if (i > context.statement_begin() && context.begins_line(i)) break;
    borders += context.token(i).kind == TokenKind::Pipe ? 1 : 0;
    last = i;
  }
  return borders > 2 && context.token(last).kind == TokenKind::Pipe;
}

bool is_formula_of_text(const ParserContext& context) {
  const std::size_t begin = context.statement_begin();
  std::size_t end = begin;
  for (; end < context.block_end(); ++end) {
    const Token& token = context.token(end);
    if (end > begin && (context.begins_line(end) || token.kind == TokenKind::Semicolon)) break;
    if (token.kind == TokenKind::LeftBracket) return false;
  }
  if (end == begin) return false;
  const Span place = cover(context.token(begin).span, context.token(end - 1).span);
  return context.source_text(place).find('\\') != std::string_view::npos;
}

std::string take_remark(ParserContext& context) {
  const std::size_t opener = context.position();
  const auto closer = static_cast<std::size_t>(context.current().partner);
  std::string text = context.plain_text(opener + 1, closer);
  context.skip_group();
  return text;
}

bool states_more(const ParserContext& context) {
  bool brackets = false;
  bool sign = false;
  for (std::size_t i = context.position(); i < rest_end(context); ++i) {
    const TokenKind kind = context.token(i).kind;
    brackets = brackets || kind == TokenKind::LeftBracket;
    sign = sign || kind == TokenKind::Arrow || kind == TokenKind::Times;
  }
  return brackets && sign;
}

bool is_sentence(const ParserContext& context, std::size_t ahead) {
  const Token& first = context.peek(ahead + 1);
  const Token& second = context.peek(ahead + 2);
  const bool capital = first.kind == TokenKind::Identifier && first.text.front() >= 'A' &&
                       first.text.front() <= 'Z' && first.text.size() > 1;
  return context.peek(ahead).kind == TokenKind::Dot && capital && !first.glued &&
         is_plain_word(second) && !second.line_start && !second.glued && !states_more(context);
}

bool is_aside(const ParserContext& context) {
  if (!context.at(TokenKind::Semicolon) || is_command_word(context.peek(1).text)) return false;
  std::size_t words = 0;
  for (std::size_t ahead = 1;; ++ahead) {
    const Token& token = context.peek(ahead);
    if (token.kind == TokenKind::End) return words > 2;
    if (token.kind == TokenKind::Comma) continue;
    if (!is_plain_word(token) || context.means_something(token.text)) return false;
    ++words;
  }
}

std::string take_sentence(ParserContext& context) {
  context.advance();
  const std::size_t begin = context.position();
  while (!context.at(TokenKind::End)) context.advance();
  return context.plain_text(begin, context.position());
}

bool is_prose(const ParserContext& context, std::size_t index, int pairs) {
  std::size_t begin = index;
  const auto ends = [&](std::size_t i) { return context.token(i).kind == TokenKind::Semicolon; };
  while (begin > context.statement_begin() && !context.token(begin).line_start && !ends(begin - 1))
    --begin;
  // One pair of adjacent words may be a forgotten sign, and another one a keyword with its name.
  const bool command =
      begin == context.statement_begin() && is_command_word(context.token(begin).text);
  int found = command ? -1 : 0;
  for (std::size_t i = begin; i + 1 < context.block_end(); ++i) {
    const Token& next = context.token(i + 1);
    if (next.line_start || next.kind == TokenKind::Semicolon) break;
    if (is_plain_word(context.token(i)) && is_plain_word(next)) ++found;
  }
  return found >= pairs;
}

}  // namespace shard
