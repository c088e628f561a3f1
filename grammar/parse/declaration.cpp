// Declarations of arrays, and rows of arrays that are only named.
#include <fmt/format.h>

#include <algorithm>

#include "base/dtype.h"
#include "grammar/parse/construct.h"

namespace shard {
namespace {

bool is_at(const ParserContext& context, std::size_t index, TokenKind kind) {
  return index < context.block_end() && !context.begins_line(index) &&
         context.token(index).kind == kind;
}

// Index after the array that begins at token `index`: its name, brackets, marks and indices.
std::size_t behind_array(const ParserContext& context, std::size_t index, bool& bracketed) {
  ++index;
  if (is_at(context, index, TokenKind::Underscore)) index = context.behind(index + 1);
  bracketed = is_at(context, index, TokenKind::LeftBracket);
  for (const TokenKind opener : {TokenKind::LeftBracket, TokenKind::LeftBrace,
                                 TokenKind::LeftBracket, TokenKind::LeftBrace}) {
    while (is_at(context, index, opener)) index = context.behind(index);
  }
  return index;
}

// Arrays separated by commas, which may end lines.
struct ArrayRow {
  std::size_t end;  // index after the last one
  int arrays = 0;
  bool bracketed = true;  // all of them
};

ArrayRow read_row(const ParserContext& context, std::size_t begin) {
  ArrayRow row{begin};
  std::size_t next = row.end;
  do {
    const bool array = next < context.block_end() &&
                       context.token(next).kind == TokenKind::Identifier &&
                       !is_collective_word(context.token(next).text, context.names());
    if (!array) return {begin};
    bool bracketed = false;
    row.end = behind_array(context, next, bracketed);
    row.bracketed = row.bracketed && bracketed;
    ++row.arrays;
    next = row.end + 1;
  } while (is_at(context, row.end, TokenKind::Comma));
  return row;
}

// `X ~ bf16[B, D]`: X is of that type.
bool is_tilde(const ParserContext& context, std::size_t index) {
  return is_at(context, index, TokenKind::Unknown) && context.token(index).text == "~" &&
         is_at(context, index + 1, TokenKind::Identifier) &&
         is_dtype(context.token(index + 1).text);
}

// Whether the type at token `index` is followed by an operator: `X: bf16[I, J] · W: bf16[J, K]`.
bool is_typed_operand(const ParserContext& context, std::size_t index) {
  const bool brackets = is_at(context, index, TokenKind::Identifier) &&
                        is_at(context, index + 1, TokenKind::LeftBracket);
  if (!brackets) return false;
  const std::size_t next = context.behind(index + 1);
  return is_at(context, next, TokenKind::Times) || is_at(context, next, TokenKind::At) ||
         is_at(context, next, TokenKind::Arrow);
}

// The dimensions and the mark after the type apply to all names.
void share_dimensions(ParserContext& context, ast::Declaration& declaration) {
  ast::ArrayRef& first = declaration.arrays.front();
  first.bracketed = true;
  first.dimensions = parse_dimensions(context);
  const UnreducedMark mark = parse_unreduced_mark(context);
  first.placed = parse_placed_mark(context);
  for (ast::ArrayRef& array : declaration.arrays) {
    array.bracketed = true;
    array.dimensions = first.dimensions;
    array.unreduced = mark.axes;
    array.parts = mark.parts;
    array.placed = first.placed;
    context.add_array(array.name->text);
  }
}

// `q: bf16[B, D]` where dimensions are missing: with the first ones that have a size.
std::vector<std::string> with_dimensions(const ParserContext& context,
                                         const ast::Declaration& declaration) {
  const bool alone = declaration.arrays.size() == 1 && context.at(TokenKind::End) &&
                     is_dtype(declaration.dtype.text) && !declaration.arrays.front().bracketed;
  if (!alone) return {};
  const std::vector<std::string> known = context.names().dimensions.in_order();
  return {fmt::format("{}: {}[{}, {}]", declaration.arrays.front().name->text,
                      declaration.dtype.text, known.size() > 1 ? known[0] : "I",
                      known.size() > 1 ? known[1] : "J")};
}

// `T_min: 0 s`: what has a value gets it by `=`.
void reject_value_as_type(ParserContext& context, const ast::Declaration& declaration) {
  const bool value = context.at(TokenKind::Number) && declaration.arrays.size() == 1 &&
                     declaration.arrays.front().name && !declaration.arrays.front().bracketed;
  if (!value) return;
  const Span colon = context.token(context.position() - 1).span;
  const auto line = context.edited_line(colon, " =");
  context.fail(DiagnosticKind::SyntaxError, colon,
               "a name gets its value by `=`, and its type by `:`",
               line ? std::vector<std::string>{*line} : std::vector<std::string>());
}

// type = DTYPE [ dimensions [ unreduced ] ] ;
//   Whether the dimensions are those of the array or sizes follows from the array.
void parse_type(ParserContext& context, ast::Declaration& declaration) {
  if (context.at(TokenKind::LeftBracket)) {
    Span gap = context.current().span;
    gap.end = gap.begin;
    const auto line = context.edited_line(gap, "bf16");
    context.fail_expected("an element type such as `bf16`",
                          line ? std::vector<std::string>{*line} : std::vector<std::string>());
  }
  reject_value_as_type(context, declaration);
  declaration.dtype = parse_identifier(context, "an element type such as `bf16`");
  if (const auto dtype = parse_dtype(declaration.dtype.text))
    declaration.dtype.text = std::string(name_of(*dtype));
  // `A[I, J]: P('X', None)` is not a type followed by a remark.
  else if (context.at(TokenKind::LeftParen) && context.current().glued)
    return context.fail_expected("the end of the declaration");
  const auto bracketed = std::count_if(declaration.arrays.begin(), declaration.arrays.end(),
                                       [](const ast::ArrayRef& array) { return array.bracketed; });
  const bool all = bracketed == static_cast<std::ptrdiff_t>(declaration.arrays.size());
  if (all && !context.at(TokenKind::LeftBracket)) return;
  if (!context.at(TokenKind::LeftBracket))
    return context.fail_expected("`[` and the dimensions of the array",
                                 with_dimensions(context, declaration));
  if (bracketed == 0) return share_dimensions(context, declaration);
  if (declaration.arrays.size() > 1) {
    return context.fail(DiagnosticKind::SyntaxError, context.current().span,
                        all ? "sizes are given to one array at a time"
                            : "some of the arrays have dimensions of their own",
                        {"a line per array"});
  }
  const std::size_t opener = context.open();
  do {
    declaration.sizes.push_back(parse_number(context, "a size"));
  } while (context.accept(TokenKind::Comma));
  context.close(opener, "`,`");
}

// `A: bf16[I, J], B[J, K]`: the type of the second is missing.
void reject_untyped(ParserContext& context, const ast::Declaration& declaration) {
  const bool array = context.at(TokenKind::Comma) &&
                     context.peek(1).kind == TokenKind::Identifier &&
                     context.peek(2).kind == TokenKind::LeftBracket;
  if (context.failed() || !array) return;
  const std::string& first = declaration.arrays.front().name->text;
  const std::string second(context.peek(1).text);
  const std::string& type = declaration.dtype.text;
  context.fail(
      DiagnosticKind::SyntaxError, context.peek(1).span,
      fmt::format("the type of `{}` is missing: that of `{}` holds for it alone", second, first),
      {fmt::format("each has its own: {}: {}[…], {}: {}[…]", first, type, second, type),
       fmt::format("or one stands behind all: {}[…], {}[…]: {}", first, second, type)});
}

bool is_declaration_at(const ParserContext& context, std::size_t begin) {
  const ArrayRow row = read_row(context, begin);
  if (row.arrays == 0) return false;
  const bool colon = is_at(context, row.end, TokenKind::Colon);
  return (colon || is_tilde(context, row.end)) && !is_typed_operand(context, row.end + 1);
}

// value = "=" ( expression [ overlap ] | "…" ) ;
//   Without a value of the script's the array is an input, as it is by its declaration.
void parse_value(ParserContext& context, ast::Declaration& declaration) {
  const Span sign = context.current().span;
  if (context.failed() || !context.accept(TokenKind::Equal)) return;
  join_operand(context);
  if (context.accept(TokenKind::Ellipsis)) return;
  if (declaration.arrays.size() > 1) {
    return context.fail(DiagnosticKind::SyntaxError, sign,
                        "a value is given to one array at a time",
                        {"a line per array: A: bf16[I, J] = zeros"});
  }
  ast::Flow flow{
      parse_expression(context), declaration.arrays.front(), ast::FlowSign::Assignment, {}};
  parse_overlap(context, flow);
  declaration.makes = std::move(flow);
}

}  // namespace

bool is_declaration(const ParserContext& context) {
  return is_declaration_at(context, context.position());
}

bool is_mention(const ParserContext& context) {
  const ArrayRow row = read_row(context, context.position());
  if (row.arrays == 0) return false;
  if (is_at(context, row.end, TokenKind::Equal))
    return is_at(context, row.end + 1, TokenKind::Ellipsis);
  const bool whole = row.end >= context.block_end() || context.begins_line(row.end) ||
                     is_at(context, row.end, TokenKind::Semicolon) ||
                     is_at(context, row.end, TokenKind::LeftParen);
  return row.arrays > 1 && row.bracketed && whole;
}

// mention = array { "," array } [ "=" "…" ] ;
StatementNode parse_mention(ParserContext& context) {
  ast::Mention mention;
  do {
    context.join_line();
    mention.arrays.push_back(parse_array(context));
  } while (context.accept(TokenKind::Comma));
  mention.given = context.accept(TokenKind::Equal);
  if (mention.given && !context.accept(TokenKind::Ellipsis)) context.fail_expected("`…`");
  for (const ast::ArrayRef& array : mention.arrays) {
    if (array.name) context.add_array(array.name->text);
  }
  return mention;
}

bool is_results(const ParserContext& context) {
  const ArrayRow row = read_row(context, context.position());
  return row.arrays > 1 && is_at(context, row.end, TokenKind::Equal);
}

// results = array { "," array } "=" call ;
StatementNode parse_results(ParserContext& context) {
  ast::Results results;
  do {
    context.join_line();
    results.targets.push_back(parse_array(context));
  } while (context.accept(TokenKind::Comma));
  if (!context.accept(TokenKind::Equal)) context.fail_expected("`=`");
  join_operand(context);
  const std::size_t begin = context.position();
  results.value = parse_expression(context);
  const auto* call = std::get_if<ast::Call>(&results.value.node);
  if (call == nullptr || context.at(TokenKind::Comma)) {
    context.fail(DiagnosticKind::SyntaxError, context.location_from(begin).span,
                 "several names before `=` take the results of one function",
                 {"fn both(x[I]) { return x + 1, x - 1 }; a, b = both(A)"});
  }
  for (const ast::ArrayRef& target : results.targets) {
    if (!target.name) continue;
    target.bracketed ? context.add_array(target.name->text)
                     : context.add_dimension(target.name->text);
  }
  return results;
}

// declaration = array { "," array } ":" DTYPE [ "[" NUMBER { "," NUMBER } "]" ]
//   | name { "," name } ":" DTYPE dimensions [ unreduced ] [ value ] ;
// After a comma another one may follow, which is a statement of its own.
StatementNode parse_declaration(ParserContext& context) {
  ast::Declaration declaration;
  do {
    context.join_line();
    const Span start = context.current().span;
    declaration.arrays.push_back(parse_array(context));
    if (!declaration.arrays.back().name) {
      context.fail(DiagnosticKind::SyntaxError, start,
                   fmt::format("`{}` is an element type, and no name of an array",
                               context.source_text(start)),
                   {"`A: bf16[I, J]`"});
    }
  } while (context.accept(TokenKind::Comma));
  if (!context.accept(TokenKind::Colon) && !context.accept(TokenKind::Unknown))
    context.fail_expected("`:` and an element type");
  const auto indexed =
      std::find_if(declaration.arrays.begin(), declaration.arrays.end(),
                   [](const ast::ArrayRef& array) { return !array.indices.empty(); });
  if (indexed != declaration.arrays.end()) {
    context.fail(DiagnosticKind::SyntaxError, indexed->at.span,
                 "an array is declared as a whole, without an index");
  }
  parse_type(context, declaration);
  parse_value(context, declaration);
  if (!context.failed() && context.at(TokenKind::Comma) &&
      is_declaration_at(context, context.position() + 1))
    context.restart = context.position() + 1;
  else
    reject_untyped(context, declaration);
  return declaration;
}

// show = "show" array ;
StatementNode parse_show(ParserContext& context) {
  context.advance();
  return ast::Show{parse_array(context)};
}

}  // namespace shard
