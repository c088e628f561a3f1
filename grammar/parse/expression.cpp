// Expressions: operators by precedence.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "grammar/parse/construct.h"
#include "grammar/parse/scope.h"

namespace shard {
namespace {

ast::Expr parse_and(ParserContext& context);
ast::Expr parse_not(ParserContext& context);
ast::Expr parse_comparison(ParserContext& context);
ast::Expr parse_product(ParserContext& context);
ast::Expr parse_signed(ParserContext& context);
ast::Expr parse_power(ParserContext& context);

// The height of a node over an operand of height `left` and the operand read last.
void raise(ParserContext& context, int left, const Span& sign) {
  context.height = std::max(left, context.height) + 1;
  context.tallest = std::max(context.tallest, context.height);
  if (context.height <= kDeepest) return;
  context.fail(DiagnosticKind::TooDeep, sign,
               fmt::format("more than {} operators in one expression", kDeepest),
               {"give parts of it names of their own"});
}

// Reads the operator, then the right operand, which may begin on the next line.
template <class Operand>
ast::Expr binary(ParserContext& context, std::size_t begin, ast::BinaryOp op, ast::Expr left,
                 Operand operand) {
  const Span sign = context.current().span;
  const int height = context.height;
  context.advance();
  join_operand(context);
  ast::Expr right = operand(context);
  raise(context, height, sign);
  return {ast::Binary{op, std::move(left), std::move(right), {}, {sign}},
          context.location_from(begin)};
}

// `not` before an operand; `not[I]` and `not - 1` with the script's own `not` are a name.
bool at_negation(const ParserContext& context) {
  if (!context.at_word("not")) return false;
  const Token& next = context.peek(1);
  if (next.kind == TokenKind::LeftBracket) return !next.glued;
  return begins_operand(next) || (next.kind == TokenKind::Minus && !context.knows("not"));
}

// `B = 512 and D = 256`
bool begins_next_binding(const ParserContext& context) {
  return context.in_binding && context.peek(1).kind == TokenKind::Identifier &&
         context.peek(2).kind == TokenKind::Equal;
}

// and = not { "and" not } ;
ast::Expr parse_and(ParserContext& context) {
  const std::size_t begin = context.position();
  ast::Expr left = parse_not(context);
  while (context.at_word("and") && !begins_next_binding(context))
    left = binary(context, begin, ast::BinaryOp::And, std::move(left), parse_not);
  return left;
}

// not = "not" not | comparison ;
ast::Expr parse_not(ParserContext& context) {
  if (!at_negation(context)) return parse_comparison(context);
  const Nesting nesting(context);
  const std::size_t begin = context.position();
  context.advance();
  ast::Expr operand = parse_not(context);
  ++context.height;
  return {ast::Unary{ast::UnaryOp::Not, std::move(operand)}, context.location_from(begin)};
}

std::optional<ast::BinaryOp> comparison_operator(const ParserContext& context) {
  switch (context.current().kind) {
    case TokenKind::Less:
      return ast::BinaryOp::Less;
    case TokenKind::LessEqual:
      return ast::BinaryOp::LessEqual;
    case TokenKind::Greater:
      return ast::BinaryOp::Greater;
    case TokenKind::GreaterEqual:
      return ast::BinaryOp::GreaterEqual;
    case TokenKind::EqualEqual:
      return ast::BinaryOp::Equal;
    case TokenKind::NotEqual:
      return ast::BinaryOp::NotEqual;
    case TokenKind::Approx:
      return ast::BinaryOp::Approx;
    case TokenKind::Equal:
      if (context.equal_compares) return ast::BinaryOp::Equal;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

// tolerance = "±" NUMBER "%" ;
ast::Number parse_tolerance(ParserContext& context) {
  context.advance();
  const std::size_t begin = context.position();
  ast::Number tolerance = parse_number(context, "a tolerance such as `2%`");
  if (!context.accept(TokenKind::Percent)) context.fail_expected("`%`");
  tolerance.value = tolerance.value / Rational(100);
  tolerance.text += "%";
  tolerance.at = context.location_from(begin);
  return tolerance;
}

// `F[I] <- G[I]`, `F[I] <-- G[I]` are no comparison with -G.
void reject_backward_arrow(ParserContext& context) {
  if (!context.at(TokenKind::Less)) return;
  const auto glued_minus = [&](std::size_t at) {
    return context.peek(at).kind == TokenKind::Minus && context.peek(at).glued;
  };
  const std::size_t last = glued_minus(1) && glued_minus(2) ? 2 : 1;
  const Token& minus = context.peek(last);
  const bool arrow = glued_minus(last) && !context.peek(last + 1).glued;
  if (!arrow) return;
  context.fail(DiagnosticKind::SyntaxError, cover(context.current().span, minus.span),
               "arrows point to the right", {"`G[I] → F[I]`, or `F[I] = G[I]`"});
}

// comparison = sum [ ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) sum | "≈" sum [ tolerance ] ] ;
// Inside `expect` also `=`.
ast::Expr parse_comparison(ParserContext& context) {
  const std::size_t begin = context.position();
  ast::Expr left = parse_sum(context);
  reject_backward_arrow(context);
  const auto op = comparison_operator(context);
  if (!op) return left;
  const bool equal_compares = std::exchange(context.equal_compares, false);
  left = binary(context, begin, *op, std::move(left), parse_sum);
  context.equal_compares = equal_compares;
  if (*op == ast::BinaryOp::Approx && context.at(TokenKind::PlusMinus)) {
    std::get<ast::Binary>(left.node).tolerance = parse_tolerance(context);
  }
  if (comparison_operator(context)) {
    context.fail(DiagnosticKind::SyntaxError, context.current().span, "comparisons do not chain",
                 {"`a < b and b < c`"});
  }
  return left;
}

}  // namespace

// sum = product { ( "+" | "-" ) product } ;
ast::Expr parse_sum(ParserContext& context) {
  const std::size_t begin = context.position();
  ast::Expr left = parse_product(context);
  while (context.at(TokenKind::Plus) || context.at(TokenKind::Minus)) {
    const auto op = context.at(TokenKind::Plus) ? ast::BinaryOp::Add : ast::BinaryOp::Subtract;
    left = binary(context, begin, op, std::move(left), parse_product);
  }
  return left;
}

namespace {

// A word of an index: a dimension, or several whose names are single letters.
void add_index(ast::Product& product, const ast::Identifier& word, const Names& names) {
  const auto letters = split_letters(word.text);
  const bool several = letters.size() > 1 && !names.has_dimension(word.text) &&
                       std::all_of(letters.begin(), letters.end(), [&](const std::string& letter) {
                         return names.has_dimension(letter);
                       });
  if (!several) return product.index.push_back(word);
  Span place = word.at.span;
  for (const std::string& letter : letters) {
    place.end = place.begin + 1;
    product.index.push_back({letter, {place}});
    ++place.begin;
  }
}

// An index that has lost its underscore, before an operand on the same line: `*D Win[D, F]`.
bool is_bare_index(const ParserContext& context) {
  if (!context.at(TokenKind::Identifier) || !context.on_same_line()) return false;
  const std::string_view word = context.current().text;
  const Token& next = context.peek(1);
  // `· B overlap X`: the word begins no operand.
  const TokenKind behind = context.peek(2).kind;
  const bool overlaps = (next.text == "overlap" || next.text == "over") &&
                        (behind == TokenKind::Identifier || behind == TokenKind::LeftBrace);
  // `plot 2*N against B from N to 4*N save "a.svg"`
  const bool plots = next.text == "to" ||
                     (next.text == "against" && behind == TokenKind::Identifier) ||
                     (next.text == "save" && behind == TokenKind::Quoted);
  const bool name = next.kind == TokenKind::Identifier && next.text != "and" && next.text != "or" &&
                    !overlaps && !plots;
  const bool group = next.kind == TokenKind::LeftParen && !next.glued;
  if (next.line_start || (!name && !group) || is_block_word(word) || is_collective(context))
    return false;
  const auto letters = split_letters(word);
  const bool known = context.names().has_dimension(word) ||
                     std::all_of(letters.begin(), letters.end(), [&](const std::string& letter) {
                       return context.names().has_dimension(letter);
                     });
  const bool capital = word.size() == 1 && word[0] >= 'A' && word[0] <= 'Z';
  return (known || capital) && (name || !is_remark(context, 1, false));
}

// `A ·_4 B`: four bytes, not the dimension that is called 4.
void reject_amount(ParserContext& context) {
  const Token& token = context.current();
  if (token.kind != TokenKind::Number || token.number->unit.is_plain()) return;
  const std::size_t digits = token.text.find_first_not_of("0123456789_,");
  const Span number{token.span.file, token.span.begin,
                    token.span.begin + static_cast<std::uint32_t>(digits)};
  const auto line =
      context.edited_line(number, fmt::format("{{{}}}", token.text.substr(0, digits)));
  context.fail(
      DiagnosticKind::SyntaxError, token.span,
      fmt::format("`{}` is an amount, and a length that calls a dimension stands in braces",
                  token.text),
      line ? std::vector<std::string>{*line} : std::vector<std::string>());
}

// index = "_" ( "LOCAL" | SUMMED | "{" SUMMED { "," SUMMED } "}" ) | "LOCAL" ;   SUMMED = DIMENSION | LENGTH ;
void parse_index(ParserContext& context, ast::Product& product) {
  const bool subscript = context.at(TokenKind::Underscore) && context.current().glued;
  if (subscript) context.advance();
  if (context.at_word("LOCAL") && context.on_same_line()) {
    product.local = true;
    context.advance();
    return;
  }
  if (!subscript) {
    if (is_bare_index(context))
      add_index(product, parse_identifier(context, "a dimension"), context.names());
    return;
  }
  if (!context.at(TokenKind::LeftBrace)) {
    reject_amount(context);
    return add_index(product, parse_dimension_or_length(context), context.names());
  }
  const std::size_t opener = context.open();
  do {
    const ast::Identifier word = parse_dimension_or_length(context);
    product.local = product.local || word.text == "LOCAL";
    if (word.text != "LOCAL") add_index(product, word, context.names());
  } while (context.accept(TokenKind::Comma));
  context.close(opener, "`,`");
}

// times = ( "·" | "*" | "@" ) [ index ] ;
ast::Expr parse_times(ParserContext& context, std::size_t begin, ast::Expr left) {
  const std::size_t sign = context.position();
  const int height = context.height;
  ast::Product product{std::move(left), ast::Expr{}, false, {}, {}};
  if (context.at(TokenKind::At)) product.written = {ast::ProductSign::Sign::At};
  if (context.current().text == "*") product.written = {ast::ProductSign::Sign::Star};
  context.advance();
  parse_index(context, product);
  product.sign = context.location_from(sign);
  join_operand(context);
  product.right = parse_signed(context);
  raise(context, height, product.sign.span);
  return {std::move(product), context.location_from(begin)};
}

void reject_other_sign(ParserContext& context) {
  if (context.innermost() && reject_other_unit(context)) return;
  if (context.at(TokenKind::Cross) && is_formula_of_text(context))
    return context.fail_formula(context.current().span);
  if (context.at(TokenKind::Cross)) {
    context.fail(DiagnosticKind::SyntaxError, context.current().span,
                 fmt::format("{} joins the numbers of a slice only", context.found()),
                 {"a product is written `·` or `*`"});
  }
}

std::optional<ast::BinaryOp> quotient_operator(const ParserContext& context) {
  if (context.at(TokenKind::Slash)) return ast::BinaryOp::Divide;
  if (context.at(TokenKind::DoubleSlash)) return ast::BinaryOp::FloorDivide;
  if (context.at(TokenKind::CircledDot)) return ast::BinaryOp::Hadamard;
  if (!context.at_word("mod")) return std::nullopt;
  const Token& next = context.peek(1);
  const bool modulo =
      next.kind != TokenKind::LeftBracket &&
      (begins_operand(next) || (next.kind == TokenKind::Minus && !context.peek(2).line_start));
  if (modulo && !context.knows("mod")) return ast::BinaryOp::Modulo;
  return std::nullopt;
}

// `A[I, J] . B[J, K]`: between arrays with brackets a dot is a product sign.
bool is_dot_product(const ParserContext& context, const ast::Expr& left) {
  const auto* array = std::get_if<ast::ArrayRef>(&left.node);
  if (array == nullptr || !array->bracketed || !context.at(TokenKind::Dot)) return false;
  const bool named = context.peek(1).kind == TokenKind::Identifier &&
                     context.peek(2).kind == TokenKind::LeftBracket;
  return named || context.peek(1).kind == TokenKind::LeftBracket;
}

// `bf16[2, 3] × bf16[3, 3]`, `In[B, D] x W[D, F]`: between types a cross may be the product sign, and a letter that looks like
// it between arrays with brackets.
bool is_cross_product(const ParserContext& context, const ast::Expr& left) {
  const auto* array = std::get_if<ast::ArrayRef>(&left.node);
  if (array == nullptr) return false;
  if (context.at(TokenKind::Cross)) return array->dtype.has_value();
  return array->bracketed && context.at_word("x") &&
         context.peek(1).kind == TokenKind::Identifier &&
         context.peek(2).kind == TokenKind::LeftBracket;
}

// `80% of HBM`
bool is_share(const ParserContext& context, const ast::Expr& left) {
  const auto* number = std::get_if<ast::Number>(&left.node);
  return number != nullptr && number->text.ends_with('%') && context.at_word("of") &&
         begins_operand(context.peek(1));
}

// product = signed { times signed | "/" signed } ;
ast::Expr parse_product(ParserContext& context) {
  const std::size_t begin = context.position();
  ast::Expr left = parse_signed(context);
  for (;;) {
    if (context.at(TokenKind::Times) || context.at(TokenKind::At) ||
        is_cross_product(context, left) || is_dot_product(context, left) ||
        is_share(context, left)) {
      left = parse_times(context, begin, std::move(left));
    } else if (const auto op = quotient_operator(context)) {
      reject_divided_unit(context);
      left = binary(context, begin, *op, std::move(left), parse_signed);
    } else {
      reject_other_sign(context);
      return left;
    }
  }
}

// signed = "-" signed | power ;
ast::Expr parse_signed(ParserContext& context) {
  if (!context.at(TokenKind::Minus)) return parse_power(context);
  const Nesting nesting(context);
  const std::size_t begin = context.position();
  context.advance();
  join_operand(context);
  ast::Expr operand = parse_signed(context);
  ++context.height;
  return {ast::Unary{ast::UnaryOp::Negate, std::move(operand)}, context.location_from(begin)};
}

// power = postfix [ "^" signed ] ;
ast::Expr parse_power(ParserContext& context) {
  const std::size_t begin = context.position();
  ast::Expr base = parse_postfix(context);
  if (context.at(TokenKind::Caret)) {
    const Nesting nesting(context);
    base = binary(context, begin, ast::BinaryOp::Power, std::move(base), parse_signed);
  }
  return base;
}

}  // namespace

// expression = and { "or" and } ;
ast::Expr parse_expression(ParserContext& context) {
  const Nesting nesting(context);
  const std::size_t begin = context.position();
  ast::Expr left = parse_and(context);
  while (context.at_word("or"))
    left = binary(context, begin, ast::BinaryOp::Or, std::move(left), parse_and);
  return left;
}

}  // namespace shard
