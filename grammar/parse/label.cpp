// List numbers, labels, and separators of the statements of a sentence.
#include <algorithm>

#include "base/dtype.h"
#include "base/words.h"
#include "grammar/foreign/foreign.h"
#include "grammar/parse/construct.h"
#include "grammar/source/foreign_words.h"

namespace shard {
namespace {

// Words; a colon after more of them ends a sentence, not a label.
constexpr std::size_t kLongestLabel = 8;

// `2.` and a blank, before something on the same line. Here and below up to four digits: longer numbers are data.
bool at_list_number(const ParserContext& context) {
  const Token& number = context.current();
  const Token& dot = context.peek(1);
  const Token& next = context.peek(2);
  const bool digits = number.kind == TokenKind::Number && number.text.size() <= 4 &&
                      std::all_of(number.text.begin(), number.text.end(), is_digit);
  const bool listed =
      digits && dot.kind == TokenKind::Dot && dot.glued && !next.glued && !next.line_start;
  return listed && (begins_operand(next) || next.kind == TokenKind::Minus ||
                    next.kind == TokenKind::LeftBrace || next.kind == TokenKind::Quoted);
}

// Whether a label ends `ahead` places further on and is followed, on the same line, by a statement with an arrow or a
// `=`.
bool leads_to_relation(const ParserContext& context, std::size_t ahead) {
  const Token& next = context.peek(ahead);
  const bool begins = next.kind == TokenKind::Identifier || next.kind == TokenKind::LeftBracket;
  return begins && !next.glued && !next.line_start && context.current().line_start &&
         line_relates(context, true);
}

// `- `, `* `, `+ ` or `• ` before such a statement, or before a collective: nobody negates what it moves.
bool at_bullet(const ParserContext& context) {
  const TokenKind mark = context.current().kind;
  const Token& next = context.peek(1);
  const bool leads_to_collective = context.current().line_start && !next.glued &&
                                   !next.line_start && is_collective_word(next.text);
  return (mark == TokenKind::Minus || mark == TokenKind::Times || mark == TokenKind::Plus) &&
         context.current().text != "·" && (leads_to_collective || leads_to_relation(context, 1));
}

// The number of tokens of a number or letter in parentheses, `(2)`, or of a letter with a dot, `a.`; 0 if there is none
// here.
std::size_t item_mark_length(const ParserContext& context) {
  const bool opened = context.at(TokenKind::LeftParen);
  const Token& mark = context.peek(opened ? 1 : 0);
  const bool letter = mark.kind == TokenKind::Identifier && mark.text.size() == 1;
  const bool digits = mark.kind == TokenKind::Number && mark.text.size() <= 4 &&
                      std::all_of(mark.text.begin(), mark.text.end(), is_digit);
  if (!letter && !(opened && digits)) return 0;
  const Token& end = context.peek(opened ? 2 : 1);
  if (!end.glued || end.kind != (opened ? TokenKind::RightParen : TokenKind::Dot)) return 0;
  const std::size_t length = opened ? 3 : 2;
  return leads_to_relation(context, length) ? length : 0;
}

// Number types that other languages write after a name: `n: i32 = 4` has no label.
bool is_number_type(std::string_view word) {
  constexpr std::string_view kTypes[] = {"int16",  "int64",  "i16",     "i64",   "i128",   "uint8",
                                         "uint16", "uint64", "u8",      "u16",   "u64",    "usize",
                                         "isize",  "size_t", "long",    "short", "number", "Int",
                                         "Float",  "Int64",  "Float64", "bool",  "boolean"};
  return canonical_dtype(word) ||
         std::find(std::begin(kTypes), std::end(kTypes), word) != std::end(kTypes);
}

// Whether a type of another language is `ahead` places further on, before brackets: `x: Tensor[B, D]`, `x: Float[Array,
// "B D"]`.
bool is_foreign_type(const ParserContext& context, std::size_t ahead) {
  const std::string_view word = context.peek(ahead).text;
  if (is_foreign_array_type(word) && !context.names().arrays.contains(word)) return true;
  const std::size_t end = context.after_group(ahead + 1);
  for (std::size_t i = ahead + 2; i < end; ++i) {
    if (context.peek(i).kind == TokenKind::Quoted) return true;
  }
  return false;
}

// Whether a word that is no array's reads like an element type: `A: fp23[I] = …` is a declaration with a slip.
bool is_slip_of_type(const ParserContext& context, std::string_view word) {
  const bool plain =
      std::any_of(word.begin(), word.end(), is_digit) && word.front() >= 'a' && word.front() <= 'z';
  if (!plain || context.names().arrays.contains(word)) return false;
  std::vector<std::string> types = words_of(dtypes(), &DTypeInfo::name);
  for (const DTypeAlias& alias : dtype_aliases()) types.emplace_back(alias.word);
  return nearest_name(word, types).has_value();
}

// Whether a statement can begin `ahead` places further on, after a label with this many words.
bool begins_labelled(const ParserContext& context, std::size_t ahead, std::size_t words) {
  const Token& first = context.peek(ahead);
  const Token& next = context.peek(ahead + 1);
  if (first.line_start) return false;
  if (first.kind == TokenKind::LeftBrace) return true;
  if (first.kind == TokenKind::LeftBracket) {
    // After a single word, brackets alone are a declaration without its type.
    return words > 1 || context.peek(context.after_group(ahead)).kind != TokenKind::End;
  }
  if (first.kind != TokenKind::Identifier) return false;
  if (is_dtype(first.text) && next.kind == TokenKind::LeftBracket) {
    // `let A: bf16[I, J] = …` does not assign to an array named `bf16`.
    if (context.peek(context.after_group(ahead + 1)).kind == TokenKind::Equal) return false;
  } else if (is_dtype(first.text) && next.kind == TokenKind::Equal) {
    return false;
  }
  if (words > 1) return true;
  if (is_dtype(first.text) && next.kind == TokenKind::LeftBracket) return false;
  if (is_collective_word(first.text, context.names())) return true;
  switch (next.kind) {
    case TokenKind::LeftBracket:
      if (is_foreign_type(context, ahead) || is_slip_of_type(context, first.text) ||
          (is_number_type(first.text) && !context.names().arrays.contains(first.text)))
        return false;
      return is_array_word(first.text) ||
             context.peek(context.after_group(ahead + 1)).kind != TokenKind::End;
    case TokenKind::Equal:
      return !is_number_type(first.text) &&
             (!is_foreign_array_type(first.text) || context.names().arrays.contains(first.text));
    case TokenKind::Underscore:
    case TokenKind::Times:
    case TokenKind::At:
    case TokenKind::Arrow:
      return true;
    case TokenKind::LeftBrace:
      return first.text == "mesh" || first.text == "Mesh";
    case TokenKind::LeftParen:
      return first.text == "Mesh";
    case TokenKind::Identifier:
      // `A: I x J` is the shape of an array.
      if ((next.text == "x" || next.text == "by") && !next.line_start &&
          context.peek(ahead + 2).kind == TokenKind::Identifier)
        return false;
      [[fallthrough]];
    case TokenKind::Number:
      return is_array_word(first.text) || first.text == "hardware";
    case TokenKind::Dot:
      return first.text == "jax";
    default:
      return false;
  }
}

// The number of tokens of the label that is here, including its colon: `Output type:`; 0 if there is none.
std::size_t label_length(const ParserContext& context) {
  if (!context.at(TokenKind::Identifier) || begins_any_command(context)) return 0;
  // `while n > 5: …`, `lambda x: …`: no label, but what says whether and how often.
  if (is_control_word(context.current().text)) return 0;
  if (is_collective_word(context.current().text, context.names())) {
    // `AllGather: W[D_X, F]` is a collective, and `AllGather: AllGather_X W[D_X, F]` tells what comes.
    const bool tells = context.peek(1).kind == TokenKind::Colon && !context.peek(2).line_start &&
                       context.peek(2).kind == TokenKind::Identifier &&
                       is_collective_word(context.peek(2).text, context.names());
    return tells ? 2 : 0;
  }
  std::size_t words = 0;
  while (context.peek(words).kind == TokenKind::Identifier ||
         context.peek(words).kind == TokenKind::Number) {
    if (++words > kLongestLabel || context.peek(words).line_start) return 0;
  }
  if (context.peek(words).kind != TokenKind::Colon) return 0;
  return begins_labelled(context, words + 1, words) ? words + 1 : 0;
}

}  // namespace

std::string take_label(ParserContext& context) {
  std::string label;
  if (at_list_number(context)) {
    label = std::string(context.current().text) + ". ";
    context.advance();
    context.advance();
  } else if (at_bullet(context)) {
    context.begin_list_item();
    context.advance();
  } else if (const std::size_t length = item_mark_length(context); length > 0) {
    const std::size_t begin = context.position();
    for (std::size_t i = 0; i < length; ++i) context.advance();
    label = context.plain_text(begin, context.position()) + " ";
  }
  if (const std::size_t length = label_length(context); length > 0) {
    const std::size_t begin = context.position();
    for (std::size_t i = 0; i < length; ++i) context.advance();
    label += context.plain_text(begin, context.position()) + " ";
  }
  if (!label.empty()) context.begin_behind_label();
  return label;
}

// A sentence ends with a dot. `, then` leads to the next statement. If only a collective's word follows, it announces
// that statement, and an arrow leads to it.
void skip_then(ParserContext& context) {
  if (context.at(TokenKind::Dot) && context.peek(1).kind == TokenKind::End) {
    context.advance();
    return;
  }
  const Token& word = context.peek(1);
  if (!context.at(TokenKind::Comma) || word.kind != TokenKind::Identifier || word.text != "then")
    return;
  context.advance();
  context.advance();
  const bool announced = context.at(TokenKind::Identifier) &&
                         is_collective_word(context.current().text) &&
                         context.peek(1).kind == TokenKind::Arrow;
  if (announced) context.advance();
  context.accept(TokenKind::Arrow);
  context.ended = true;
}

}  // namespace shard
