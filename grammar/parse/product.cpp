// Products as they are written elsewhere: with commas, words or signs of a sum, and without a sign.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/words.h"
#include "grammar/parse/construct.h"

namespace shard {
namespace {

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

}  // namespace

bool reject_product(ParserContext& context) {
  return reject_listed_operands(context) || reject_sum_sign(context) ||
         reject_product_word(context);
}

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

void reject_factor(ParserContext& context, const std::string& function, std::size_t argument) {
  const Token& sign = context.current();
  const bool is_power = sign.kind == TokenKind::Caret;
  const bool is_factor = sign.kind == TokenKind::CircledDot || sign.kind == TokenKind::Times ||
                         sign.kind == TokenKind::Slash;
  const bool goes_on = is_power || is_factor || context.at_word("mod");
  if (context.failed() || !context.on_same_line() || !goes_on) return;
  if (is_factor && context.peek(1).kind == TokenKind::Number &&
      (function == "sum" || function == "mean"))
    return;
  std::size_t end = context.position() + 1;
  if (context.token(end).kind != TokenKind::End) end = context.behind(end);
  while (context.token(end).glued && context.token(end).partner > static_cast<int>(end))
    end = context.behind(end);
  const Span inner = cover(context.token(argument).span, context.token(end - 1).span);
  const auto line = context.edited_line(inner, fmt::format("({})", context.source_text(inner)));
  auto help = line ? std::vector{*line} : std::vector<std::string>();
  context.fail(DiagnosticKind::SyntaxError, sign.span,
               fmt::format("what `{}` is of stands in parentheses where {} follows", function,
                           is_power ? "a power" : fmt::format("`{}`", sign.text)),
               std::move(help));
}

}  // namespace shard
