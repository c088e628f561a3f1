// Words that were meant to be others, and whatever else keeps a statement from ending.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "base/words.h"
#include "grammar/parse/parser_context.h"

namespace shard {
namespace {

// The collective with that name, here or elsewhere; empty if there is none.
std::string_view collective_named(std::string_view word) {
  std::string plain;
  for (const char c : word) {
    if (c != '_' && c != '-')
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (const CollectiveInfo* collective = find_collective(plain)) return collective->name;
  for (const CollectiveAlias& alias : collective_aliases()) {
    if (alias.word == plain) return name_of(alias.kind);
  }
  return {};
}

// `all_gather_X` as `AllGather_X`: the longest part before an underscore that names a collective.
std::optional<std::string> by_alias(std::string_view word) {
  for (std::size_t end = word.size(); end != std::string_view::npos && end > 0;
       end = word.rfind('_', end - 1)) {
    const std::string_view collective = collective_named(word.substr(0, end));
    if (!collective.empty()) return std::string(collective) + std::string(word.substr(end));
  }
  return std::nullopt;
}

std::optional<std::string> by_slip(std::string_view word) {
  static const std::vector<std::string> names = words_of(collectives(), &CollectiveInfo::name);
  const std::string_view stem = word.substr(0, word.find('_'));
  auto nearest = nearest_name(stem, names);
  if (nearest) *nearest += word.substr(stem.size());
  return nearest;
}

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

// The number of tokens of the word that ends at `index`, including those joined by hyphens: `All-to-All_X` has 5, the
// most that a name of a collective has.
std::size_t pieces_of(const ParserContext& context, std::size_t index) {
  std::size_t pieces = 1;
  const auto piece = [&](std::size_t back) -> const Token& { return context.token(index - back); };
  while (pieces < 5 && index >= context.statement_begin() + pieces + 1) {
    const bool joined = piece(pieces - 1).glued && piece(pieces).glued &&
                        piece(pieces).kind == TokenKind::Minus &&
                        piece(pieces + 1).kind == TokenKind::Identifier;
    if (!joined) break;
    pieces += 2;
  }
  return pieces;
}

// The operand that ends at token `end`, as far as names and brackets reach.
std::size_t operand_begin(const ParserContext& context, std::size_t end) {
  std::size_t begin = end;
  while (begin > context.statement_begin()) {
    const std::int32_t partner = context.token(begin).partner;
    if (partner >= 0) begin = static_cast<std::size_t>(partner);
    if (!context.token(begin).glued || partner < 0) break;
    --begin;
  }
  return begin;
}

struct Misspelt {
  Span span;
  std::string word;
  std::string meant;
};

// The word of `pieces` tokens that ends at `index`, as it is read: `\text{Gather}_X` is `Gather_X`.
std::string word_of(const ParserContext& context, std::size_t index, std::size_t pieces) {
  std::string word;
  for (std::size_t i = index - pieces + 1; i <= index; ++i) {
    const Token& piece = context.token(i);
    word += piece.kind == TokenKind::Minus ? "-" : piece.text;
  }
  return word;
}

std::optional<Misspelt> misspelt_collective(const ParserContext& context, std::size_t index) {
  const Token& last = context.token(index);
  if (last.kind != TokenKind::Identifier || context.means_something(last.text)) return std::nullopt;
  for (std::size_t pieces = pieces_of(context, index);; pieces -= 2) {
    const Span span = cover(context.token(index - pieces + 1).span, last.span);
    std::string word = word_of(context, index, pieces);
    auto meant = by_alias(word);
    if (!meant && pieces == 1) meant = by_slip(word);
    if (meant && *meant != word) return Misspelt{span, std::move(word), std::move(*meant)};
    if (pieces == 1) return std::nullopt;
  }
}

// The statement up to the token before the cursor.
Span before_here(const ParserContext& context) {
  return cover(context.token(context.statement_begin()).span,
               context.token(context.position() - 1).span);
}

// Whether the array that ends at token `closer` ends a statement that so far is a product. Then it is the target, and
// the arrow is missing.
bool ends_product(const ParserContext& context, std::size_t closer) {
  const Token& next = context.token(closer + 1);
  const bool last = next.line_start || next.kind == TokenKind::End ||
                    next.kind == TokenKind::Semicolon || next.kind == TokenKind::RightBrace;
  bool product = false;
  for (std::size_t i = context.statement_begin(); i < context.position(); i = context.behind(i)) {
    const TokenKind kind = context.token(i).kind;
    if (kind == TokenKind::Arrow || kind == TokenKind::Equal) return false;
    product = product || kind == TokenKind::Times || kind == TokenKind::At;
  }
  return last && product;
}

// What to write if two operands are adjacent.
std::vector<std::string> side_by_side_help(const ParserContext& context) {
  const std::size_t position = context.position();
  const Token& before = context.token(position - 1);
  const bool array = context.at(TokenKind::Identifier) &&
                     context.peek(1).kind == TokenKind::LeftBracket && context.peek(1).glued &&
                     context.peek(1).partner >= 0;
  const bool operand = before.kind == TokenKind::RightBracket ||
                       before.kind == TokenKind::RightBrace ||
                       (before.kind == TokenKind::Identifier && context.knows(before.text));
  if (!array || !operand || before.partner > static_cast<std::int32_t>(position)) return {};
  const Span left = cover(context.token(operand_begin(context, position - 1)).span, before.span);
  const auto closer = static_cast<std::size_t>(context.peek(1).partner);
  const Span right = cover(context.current().span, context.token(closer).span);
  if (ends_product(context, closer)) {
    return {fmt::format("{} → {}", context.source_text(before_here(context)),
                        context.source_text(right))};
  }
  const std::string product =
      fmt::format("{} · {}", context.source_text(left), context.source_text(right));
  if (const auto line = context.edited_line(cover(left, right), product)) return {*line};
  return {fmt::format("write `·` between them: `{}`", product)};
}

// `2BDF`: a product as in formulas of prose.
void reject_run_together(ParserContext& context) {
  const Token& number = context.token(context.position() - 1);
  const std::string_view word = context.current().text;
  const auto letters = split_letters(word);
  std::string product(context.source_text(number.span));
  for (const std::string& letter :
       context.knows(word) ? std::vector<std::string>{std::string(word)} : letters)
    product += "*" + letter;
  const Span place = cover(number.span, context.current().span);
  const auto line = context.edited_line(place, product);
  context.fail(DiagnosticKind::NotNotation, place,
               fmt::format("`{}{}` is not how a product is written", number.text, word),
               {line.value_or(fmt::format("`{}`", product))});
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

// The token after the rest of the statement.
std::size_t rest_end(const ParserContext& context) {
  std::size_t end = context.position();
  while (end < context.block_end() && !context.begins_line(end) &&
         context.token(end).kind != TokenKind::Semicolon)
    ++end;
  return end;
}

// The statement with `sign` between the part that was read and the rest.
std::string joined_statement(const ParserContext& context, std::size_t left, std::size_t right,
                             std::string_view sign) {
  const Span first = context.token(context.statement_begin()).span;
  const Span end = context.token(rest_end(context) - 1).span;
  return fmt::format(
      "{}{}{}", context.source_text({first.file, first.begin, context.token(left).span.end}), sign,
      context.source_text({first.file, context.token(right).span.begin, end.end}));
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

// `A[I, J], B[J, K] → C[I, K]`
bool reject_listed_operands(ParserContext& context) {
  const std::size_t position = context.position();
  const std::size_t end = rest_end(context);
  const bool listed =
      context.at(TokenKind::Comma) && context.token(position - 1).kind == TokenKind::RightBracket &&
      position + 2 < end && context.token(position + 1).kind == TokenKind::Identifier &&
      context.token(position + 2).kind == TokenKind::LeftBracket;
  bool flows = false;
  for (std::size_t i = position; listed && i < end; ++i)
    flows = flows || context.token(i).kind == TokenKind::Arrow;
  if (!flows) return false;
  context.fail(DiagnosticKind::SyntaxError, context.current().span,
               "operands of a product stand on both sides of a `·`",
               {joined_statement(context, position - 1, position + 1, " · ")});
  return true;
}

// `A[I_X, J] x B[J, K]`
bool reject_product_word(ParserContext& context) {
  static constexpr std::string_view kWords[] = {"x",  "X",      "times", "dot",
                                                "by", "matmul", "mm",    "cdot"};
  const std::size_t position = context.position();
  const TokenKind before = context.token(position - 1).kind;
  const bool between = context.at(TokenKind::Identifier) &&
                       (before == TokenKind::RightBracket || before == TokenKind::RightBrace) &&
                       position + 2 < rest_end(context) &&
                       context.token(position + 1).kind == TokenKind::Identifier &&
                       context.token(position + 2).kind == TokenKind::LeftBracket;
  const std::string_view word = context.current().text;
  if (!between || std::find(std::begin(kWords), std::end(kWords), word) == std::end(kWords))
    return false;
  const auto line = context.edited_line(context.current().span, "·");
  context.fail(DiagnosticKind::SyntaxError, context.current().span,
               fmt::format("a product is written with `·`, and not with `{}`", word),
               line ? std::vector<std::string>{*line} : std::vector<std::string>());
  return true;
}

// `C[I, K] = Σ_j A[I, j] B[j, K]`
bool reject_sum_sign(ParserContext& context) {
  const std::size_t position = context.position();
  const Token& sign = context.token(position - 1);
  const std::string_view word = sign.text;
  const std::size_t mark = word.find('_');
  const bool sum = sign.kind == TokenKind::Identifier && mark != std::string_view::npos &&
                   (word.starts_with("Σ") || word.starts_with("∑"));
  const std::size_t end = rest_end(context);
  if (!sum || position + 1 >= end || context.token(position + 1).partner < 0) return false;
  const auto closer = static_cast<std::size_t>(context.token(position + 1).partner);
  if (closer + 1 >= end) return false;
  const auto text = [&](std::size_t first, std::size_t last) {
    const Span begin = context.token(first).span;
    return context.source_text({begin.file, begin.begin, context.token(last).span.end});
  };
  const std::size_t begin = context.statement_begin();
  const std::string target =
      position - 1 > begin ? fmt::format("{} ", text(begin, position - 2)) : "";
  context.fail(DiagnosticKind::NotNotation, sign.span,
               "what a product sums over stands after its sign",
               {fmt::format("{}{} ·_{} {}", target, text(position, closer), word.substr(mark + 1),
                            text(closer + 1, end - 1))});
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

std::vector<std::string> rest_help(const ParserContext& context) {
  if (context.at(TokenKind::LeftParen))
    return {"a product is written with `·`, and remarks begin with `#`"};
  if (context.at(TokenKind::Identifier) && is_command_word(context.current().text))
    return {"statements on one line are parted by `;`"};
  const bool behind_number = context.token(context.position() - 1).kind == TokenKind::Number;
  const bool word =
      context.at(TokenKind::Identifier) && context.peek(1).kind != TokenKind::LeftBracket;
  const bool open = context.innermost().has_value();
  if (word && !open && are_added_words(context)) return {"remarks begin with `#`"};
  if (word && !open && behind_number && !context.means_something(context.current().text)) return {};
  return side_by_side_help(context);
}

}  // namespace

bool reject_misspelt(ParserContext& context, std::size_t index) {
  const auto misspelt = misspelt_collective(context, index);
  if (!misspelt) return false;
  auto line = context.edited_line(misspelt->span, misspelt->meant);
  context.fail(DiagnosticKind::SyntaxError, misspelt->span,
               fmt::format("`{}` is no collective", misspelt->word),
               {line ? *std::move(line) : fmt::format("did you mean `{}`?", misspelt->meant)});
  return true;
}

bool is_collective_alias(std::string_view word) {
  return !is_collective_word(word) && by_alias(word).has_value();
}

namespace {

// `h[B, D] += attn`: an array may be given a new value under its own name.
bool reject_array_change(ParserContext& context) {
  const std::size_t position = context.position();
  const Token& sign = context.token(position - 1);
  const Token& name = context.token(context.statement_begin());
  const TokenKind before = context.token(position - 2).kind;
  const bool change =
      (before == TokenKind::RightBracket || before == TokenKind::RightBrace) &&
      name.kind == TokenKind::Identifier &&
      context.token(context.statement_begin() + 1).kind == TokenKind::LeftBracket &&
      (std::string_view("+-*/").find(sign.text) != std::string_view::npos || sign.text == "·");
  if (!change) return false;
  const Span place = cover(sign.span, context.current().span);
  const auto line = context.edited_line(place, fmt::format("= {} {}", name.text, sign.text));
  context.fail(DiagnosticKind::NotNotation, place,
               fmt::format("there is no `{}=`: the new value is written out", sign.text),
               line ? std::vector<std::string>{*line} : std::vector<std::string>());
  return true;
}

}  // namespace

bool reject_change(ParserContext& context) {
  const std::size_t position = context.position();
  if (!context.at(TokenKind::Equal) || !context.current().glued ||
      position < context.statement_begin() + 2)
    return false;
  if (reject_array_change(context)) return true;
  const Token& sign = context.token(position - 1);
  const Token& name = context.token(position - 2);
  const bool change = name.kind == TokenKind::Identifier &&
                      std::string_view("+-*/").find(sign.text) != std::string_view::npos;
  if (!change || position + 1 >= rest_end(context)) return false;
  context.fail(DiagnosticKind::NotNotation, sign.span,
               fmt::format("there is no `{}=`: a number keeps its value, and the new one is `{}2` "
                           "from here on",
                           sign.text, name.text),
               {fmt::format("{}2 = {}", name.text,
                            joined_statement(context, position - 1, position + 1, " "))});
  return true;
}

void reject_rest(ParserContext& context) {
  const std::size_t position = context.position();
  const bool behind = position > context.statement_begin() && !context.at(TokenKind::End);
  const bool names_operand = begins_operand(context.current()) || context.at(TokenKind::Colon);
  if (behind && names_operand && reject_misspelt(context, word_before_subscript(context))) return;
  if (behind && context.at(TokenKind::LeftBrace) && reject_block_word(context)) return;
  if (behind &&
      (reject_typed_name(context) || reject_bare_block(context) ||
       reject_listed_operands(context) || reject_sum_sign(context) || reject_product_word(context)))
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
  context.fail_expected("an operator or the end of the statement",
                        prose ? std::vector<std::string>{} : rest_help(context));
}

}  // namespace shard
