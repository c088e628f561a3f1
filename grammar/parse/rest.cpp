// Whatever keeps a statement from ending where it could.
#include <fmt/format.h>

#include "base/words.h"
#include "grammar/parse/construct.h"

namespace shard {
namespace {

// `csot {`
bool reject_block_word(ParserContext& context) {
  static const std::vector<std::string> words = words_of(block_words(), &BlockWord::word);
  const Token& word = context.token(context.position() - 1);
  if (word.kind != TokenKind::Identifier || context.means_something(word.text)) return false;
  const auto nearest = nearest_name(word.text, words);
  if (!nearest || *nearest == word.text) return false;
  context.fail(DiagnosticKind::SyntaxError, word.span,
               fmt::format("`{}` begins no block", word.text),
               {fmt::format("did you mean `{}`?", *nearest)});
  return true;
}

// Whether the statement is a row of names with nothing in between.
bool are_words_only(const ParserContext& context) {
  if (is_command_word(context.token(context.statement_begin()).text)) return false;
  std::size_t i = context.statement_begin();
  for (; i < context.block_end() && (i == context.statement_begin() || !context.begins_line(i));
       ++i) {
    if (context.token(i).kind == TokenKind::Semicolon) break;
    if (context.token(i).kind != TokenKind::Identifier) return false;
  }
  return i > context.statement_begin() + 1;
}

// Whether the rest of the statement reads like added words: it has no sign of the notation.
bool are_added_words(const ParserContext& context) {
  std::size_t words = 0;
  for (std::size_t ahead = 0;; ++ahead) {
    const Token& token = context.peek(ahead);
    if (token.kind == TokenKind::End || token.kind == TokenKind::Semicolon) break;
    if (token.kind == TokenKind::Comma || token.kind == TokenKind::Dot) continue;
    if (token.kind != TokenKind::Identifier || context.means_something(token.text)) return false;
    ++words;
  }
  return words > 1 || (words == 1 && is_english_word(context.current().text));
}

// `cost AllGather_X A[I_X] → A[I]`
bool reject_bare_block(ParserContext& context) {
  const std::size_t position = context.position();
  const Token& word = context.token(position - 1);
  const bool block = word.kind == TokenKind::Identifier &&
                     (word.text == "cost" || word.text == "time") &&
                     begins_operand(context.current());
  if (!block) return false;
  std::string line = joined_statement(context, position - 1, position, " { ") + " }";
  // What it is compared with stands after the braces.
  for (std::size_t i = position; i + 1 < rest_end(context); i = context.behind(i)) {
    const TokenKind sign = context.token(i).kind;
    if (sign != TokenKind::Less && sign != TokenKind::Greater && sign != TokenKind::LessEqual &&
        sign != TokenKind::GreaterEqual)
      continue;
    const Span first = context.token(context.statement_begin()).span;
    const Span last = context.token(rest_end(context) - 1).span;
    line =
        fmt::format("{} {{ {} }} {}", context.source_text(cover(first, word.span)),
                    context.source_text(cover(context.current().span, context.token(i - 1).span)),
                    context.source_text(cover(context.token(i).span, last)));
    break;
  }
  context.fail(DiagnosticKind::SyntaxError, word.span,
               fmt::format("what `{}` is of stands in braces", word.text), {std::move(line)});
  return true;
}

// `q bf16[B, D]`
bool reject_typed_name(ParserContext& context) {
  const std::size_t position = context.position();
  const bool typed = position == context.statement_begin() + 1 &&
                     context.token(position - 1).kind == TokenKind::Identifier &&
                     context.at(TokenKind::Identifier) && is_dtype(context.current().text) &&
                     context.peek(1).kind == TokenKind::LeftBracket;
  if (!typed) return false;
  Span gap = context.token(position - 1).span;
  gap.begin = gap.end;
  const auto line = context.edited_line(gap, ":");
  context.fail(DiagnosticKind::SyntaxError, context.current().span,
               "a colon stands between an array and its type",
               line ? std::vector<std::string>{*line} : std::vector<std::string>());
  return true;
}

// The last token of the word before the cursor, without its subscript: `ReduceScater` of `ReduceScater_{X,K}`.
std::size_t word_before_subscript(const ParserContext& context) {
  const std::size_t last = context.position() - 1;
  const std::int32_t partner = context.token(last).partner;
  if (context.token(last).kind != TokenKind::RightBrace || partner < 0) return last;
  const auto opener = static_cast<std::size_t>(partner);
  const bool subscript = opener >= context.statement_begin() + 2 && opener < last &&
                         context.token(opener).glued && context.token(opener - 1).glued &&
                         context.token(opener - 1).kind == TokenKind::Underscore;
  return subscript ? opener - 2 : last;
}

// `cost { … } print b.time`, `x = 3 print x`
bool reject_next_statement(ParserContext& context, bool prose) {
  if (!context.at(TokenKind::Identifier) || context.innermost()) return false;
  const Token& last = context.token(context.position() - 1);
  const bool command = is_command_word(context.current().text);
  const bool block = last.kind == TokenKind::RightBrace;
  const bool begins =
      block ? command || context.peek(1).kind == TokenKind::Equal : command && !prose;
  if (!begins) return false;
  const auto line = context.edited_line({last.span.file, last.span.end, last.span.end}, ";");
  context.fail(
      DiagnosticKind::SyntaxError, context.current().span,
      fmt::format("a `;` or the end of the line is missing in front of {}", context.found()),
      {line.value_or("statements on one line are parted by `;`")});
  return true;
}

std::vector<std::string> rest_help(const ParserContext& context) {
  if (context.at(TokenKind::Dot) && !context.innermost() && states_more(context)) {
    if (auto line = context.edited_line(context.current().span, ";")) return {*std::move(line)};
  }
  if (context.at(TokenKind::LeftParen))
    return {"a product is written with `·`, and remarks begin with `#`"};
  const bool behind_number = context.token(context.position() - 1).kind == TokenKind::Number;
  const bool word =
      context.at(TokenKind::Identifier) && context.peek(1).kind != TokenKind::LeftBracket;
  const bool open = context.innermost().has_value();
  if (word && !open && are_added_words(context)) return {"remarks begin with `#`"};
  if (word && !open && behind_number && !context.means_something(context.current().text)) return {};
  return side_by_side_help(context);
}

}  // namespace

std::size_t rest_end(const ParserContext& context) {
  std::size_t end = context.position();
  while (end < context.block_end() && !context.begins_line(end) &&
         context.token(end).kind != TokenKind::Semicolon)
    ++end;
  return end;
}

std::string joined_statement(const ParserContext& context, std::size_t left, std::size_t right,
                             std::string_view sign) {
  const Span first = context.token(context.statement_begin()).span;
  const Span end = context.token(rest_end(context) - 1).span;
  return fmt::format(
      "{}{}{}", context.source_text({first.file, first.begin, context.token(left).span.end}), sign,
      context.source_text({first.file, context.token(right).span.begin, end.end}));
}

void reject_rest(ParserContext& context) {
  const std::size_t position = context.position();
  const bool behind = position > context.statement_begin() && !context.at(TokenKind::End);
  const bool names_operand = begins_operand(context.current()) || context.at(TokenKind::Colon);
  if (behind && names_operand && reject_misspelt(context, word_before_subscript(context))) return;
  if (behind && context.at(TokenKind::LeftBrace) && reject_block_word(context)) return;
  if (behind &&
      (reject_typed_name(context) || reject_bare_block(context) || reject_product(context)))
    return;
  if (behind && !context.innermost() && reject_unit(context)) return;
  const bool run_together = behind && context.at(TokenKind::Identifier) &&
                            context.current().glued &&
                            context.token(position - 1).kind == TokenKind::Number;
  if (run_together) return reject_run_together(context);
  const bool prose = is_prose(context, context.at(TokenKind::End) ? position - 1 : position);
  if (!prose && are_words_only(context)) {
    return context.fail(DiagnosticKind::NotNotation, context.token(context.statement_begin()).span,
                        "this is not sharding notation", context.remark_help());
  }
  if (behind && reject_next_statement(context, prose)) return;
  context.fail_expected("an operator or the end of the statement",
                        prose ? std::vector<std::string>{} : rest_help(context));
}

}  // namespace shard
