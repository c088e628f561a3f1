// Brackets: the names and lengths of dimensions.
#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "grammar/parse/construct.h"
#include "grammar/print/printer.h"

namespace shard {
namespace {

// Where a word's dimension ends and its axes begin: at the first underscore that is followed by declared axes (whose
// names may contain underscores too), else at the last one.
std::size_t find_axes(std::string_view word, const Names& names) {
  const std::size_t last = word.rfind('_');
  for (std::size_t place = word.find('_'); place < last && !names.axes.empty();
       place = word.find('_', place + 1)) {
    if (split_axes(word.substr(place + 1), names)) return place;
  }
  return last;
}

std::string written(const CutWord& word) {
  std::vector<ast::Identifier> axes;
  for (const std::string& axis : word.axes) axes.push_back({axis, {}});
  const ast::Dimension reading{ast::Identifier{word.dimension, {}}, std::move(axes), {}};
  return print(reading, Spelling::Unicode);
}

// `name` is the beginning of the word.
void set_name(ast::Dimension& dimension, std::string_view name, const Span& word) {
  auto& identifier = dimension.name.emplace<ast::Identifier>();
  identifier.text = name;
  identifier.at.span = word;
  identifier.at.span.end = word.begin + static_cast<std::uint32_t>(name.size());
}

// Reads a word without an underscore between its dimension and its axes; false if it is not such a word.
bool read_cut_word(ParserContext& context, const Token& token, ast::Dimension& dimension) {
  const auto readings = cut_word(token.text, context.names());
  if (readings.empty()) return false;
  if (readings.size() > 1) {
    std::vector<std::string> texts;
    for (const CutWord& reading : readings) texts.push_back(written(reading));
    fail_ambiguous(context, token.text, token.span, texts);
  }
  const CutWord& reading = readings.front();
  set_name(dimension, reading.dimension, token.span);
  Span place = std::get<ast::Identifier>(dimension.name).at.span;
  for (const std::string& axis : reading.axes) {
    place.begin = place.end;
    place.end += static_cast<std::uint32_t>(axis.size());
    dimension.axes.push_back({axis, {place}});
  }
  return true;
}

// An identifier inside brackets. One that is a dimension with a size is that dimension. Otherwise the part after its
// underscore are axes, and without an underscore it may be a dimension with its axes.
void split_dimension(ParserContext& context, ast::Dimension& dimension) {
  const Token& token = context.current();
  const Token& next = context.peek(1);
  const bool whole = context.names().has_dimension(token.text) ||
                     (next.kind == TokenKind::Underscore && next.glued);
  const std::size_t underscore =
      whole ? std::string_view::npos : find_axes(token.text, context.names());
  const bool plain = underscore == std::string_view::npos;
  if (!plain) {
    set_name(dimension, token.text.substr(0, underscore), token.span);
    dimension.axes =
        axes_of(context, token.text.substr(underscore + 1), part_of(token.span, underscore + 1));
  } else if (whole || !read_cut_word(context, token, dimension)) {
    set_name(dimension, token.text, token.span);
  }
  context.advance();
}

bool is_arithmetic(const Token& token) {
  return token.kind == TokenKind::Slash || token.kind == TokenKind::DoubleSlash ||
         token.kind == TokenKind::Times || token.kind == TokenKind::Plus ||
         token.kind == TokenKind::Minus || token.kind == TokenKind::Caret ||
         token.kind == TokenKind::Colon || token.text == "mod";
}

// The token after a name with its subscript in braces, `d_{model}`, or after any other token.
const Token& behind_name(const ParserContext& context) {
  const bool subscript = context.at(TokenKind::Identifier) &&
                         context.peek(1).kind == TokenKind::Underscore &&
                         context.peek(2).kind == TokenKind::LeftBrace;
  return context.peek(subscript ? context.after_group(2) : 1);
}

// `x[B^X, D]`, `x[B|X, D]`: a dimension and an axis joined by another sign than an underscore. `B/X` is a length.
void reject_axis_sign(ParserContext& context) {
  const Token& sign = context.peek(1);
  const Token& axis = context.peek(2);
  const bool other = sign.kind == TokenKind::Caret || sign.kind == TokenKind::Colon ||
                     sign.kind == TokenKind::Pipe;
  const TokenKind next = context.peek(3).kind;
  const bool ends = next == TokenKind::Comma || next == TokenKind::RightBracket;
  if (!other || !ends || axis.kind != TokenKind::Identifier ||
      !context.names().has_axis(axis.text) || context.names().has_dimension(axis.text))
    return;
  const Span place = cover(context.current().span, axis.span);
  const std::string meant = fmt::format("{}_{}", context.current().text, axis.text);
  // Everywhere on the line.
  const Span all = context.line_span();
  std::string line(context.source_text(all));
  const std::string written(context.source_text(place));
  for (std::size_t i = line.find(written); i != std::string::npos;
       i = line.find(written, i + meant.size()))
    line.replace(i, written.size(), meant);
  context.fail(DiagnosticKind::NotNotation, place,
               "the axis that splits a dimension is its subscript",
               {context.edited_line(all, line).value_or(fmt::format("`{}`", meant))});
}

// length = sum ;   slice = [ sum ] ":" [ sum ] ;
void parse_length(ParserContext& context, ast::Dimension& dimension) {
  std::optional<Box<ast::Expr>> begin;
  if (!context.at(TokenKind::Colon)) begin = parse_sum(context);
  if (!context.accept(TokenKind::Colon)) {
    dimension.name = *std::move(begin);
    return;
  }
  const bool open = context.at(TokenKind::Comma) || context.at(TokenKind::RightBracket);
  ast::Slice slice{std::move(begin), {}};
  if (!open) slice.end = parse_sum(context);
  dimension.name = std::move(slice);
}

// `c["comms"], c["flops"]` as `c.comms, c.flops`.
std::string with_dots(std::string_view text) {
  std::string line;
  for (std::size_t i = 0; i < text.size();) {
    const bool opens = text[i] == '[' && i + 1 < text.size() && i > 0 && is_letter(text[i - 1]) &&
                       (text[i + 1] == '"' || text[i + 1] == '\'');
    const std::size_t quote = opens ? text.find(text[i + 1], i + 2) : std::string_view::npos;
    if (quote == std::string_view::npos || quote + 1 >= text.size() || text[quote + 1] != ']') {
      line += text[i++];
      continue;
    }
    line += '.';
    line += text.substr(i + 2, quote - i - 2);
    i = quote + 2;
  }
  return line;
}

// `c["comms"]`: figures of a block follow a dot. False if it is something else.
bool reject_quoted_figure(ParserContext& context) {
  const auto opener = context.innermost();
  if (!opener || *opener == 0 || context.token(*opener - 1).kind != TokenKind::Identifier)
    return false;
  const Token& name = context.token(*opener - 1);
  const std::int32_t partner = context.token(*opener).partner;
  const bool alone = partner == static_cast<std::int32_t>(context.position()) + 1;
  const bool is_name =
      !context.current().text.empty() &&
      std::all_of(context.current().text.begin(), context.current().text.end(), is_name_character);
  if (!alone || !is_name) return false;
  const std::string figure = fmt::format("{}.{}", name.text, context.current().text);
  const Span all = context.line_span();
  context.fail(DiagnosticKind::SyntaxError, context.current().span,
               fmt::format("a figure of a block stands after a dot, as `{}`", figure),
               {context.edited_line(all, with_dots(context.source_text(all))).value_or(figure)});
  return true;
}

// dimension = ( NAME | NUMBER ) [ "_" axes | "@" axes ] | length | slice | "…" ;
void parse_dimension(ParserContext& context, bool closed, ast::Dimension& dimension) {
  const std::size_t begin = context.position();
  if (context.at(TokenKind::Identifier)) reject_axis_sign(context);
  // Before a bracket that is never closed, an operator shows where the bracket is missing.
  const bool length =
      closed && (context.at(TokenKind::Colon) || context.at(TokenKind::LeftParen) ||
                 (context.at(TokenKind::Minus) &&
                  (context.prints || context.peek(1).kind == TokenKind::Number ||
                   context.peek(2).kind == TokenKind::Colon)) ||
                 (begins_operand(context.current()) && is_arithmetic(behind_name(context))));
  if (context.accept(TokenKind::Ellipsis)) {
    dimension.name = ast::Rest{};
  } else if (length) {
    parse_length(context, dimension);
  } else if (context.at(TokenKind::Identifier)) {
    split_dimension(context, dimension);
    context.add_dimension(std::get<ast::Identifier>(dimension.name).text);
  } else {
    if (context.at(TokenKind::Quoted) && !reject_quoted_figure(context))
      context.fail_expected("a dimension");
    dimension.name = parse_number(context, "a dimension");
  }
  if (context.at(TokenKind::Underscore) && context.current().glued)
    dimension.axes = parse_axes(context);
  else if (context.at(TokenKind::At))
    dimension.axes = parse_axes_behind(context);
  dimension.at = context.location_from(begin);
}

// The separator of two dimensions: a comma, or the `x` of `[128x128]` and `[N x K]`.
bool accept_separator(ParserContext& context) {
  if (context.accept(TokenKind::Comma) || context.accept(TokenKind::Cross)) return true;
  const TokenKind next = context.peek(1).kind;
  const bool cross =
      context.at_word("x") && (next == TokenKind::Identifier || next == TokenKind::Number);
  if (cross) context.advance();
  return cross;
}

// The number of comma-separated dimensions in the bracket.
std::size_t count_dimensions(const ParserContext& context, std::size_t opener) {
  const std::int32_t closer = context.token(opener).partner;
  std::size_t count = 1;
  for (std::size_t i = opener + 1; static_cast<std::int32_t>(i) < closer; i = context.behind(i))
    count += context.token(i).kind == TokenKind::Comma ? 1 : 0;
  return count;
}

// Whether two dimensions meet in front of the token, with nothing but a blank between them.
bool lacks_comma(const ParserContext& context, std::size_t index) {
  const auto is_word = [&](std::size_t i) {
    const TokenKind kind = context.token(i).kind;
    return kind == TokenKind::Identifier || kind == TokenKind::Number;
  };
  const bool ends = is_word(index - 1) || context.token(index - 1).kind == TokenKind::RightBrace;
  return ends && is_word(index) && !context.token(index).glued;
}

// The line with commas between all dimensions that have none; nullopt if that is not all that it needs.
std::optional<std::string> line_with_commas(const ParserContext& context) {
  const Span all = context.line_span();
  std::string line;
  std::uint32_t written = all.begin;
  std::optional<std::size_t> closer;  // of the bracket that the token stands in
  for (std::size_t i = 0; i < context.block_end(); ++i) {
    const Token& token = context.token(i);
    if (token.span.begin < all.begin || token.span.end > all.end) continue;
    if (token.kind ==
        TokenKind::LeftBracket) {  // which is no dimension, and has none before it in its bracket
      if (token.partner >= 0) closer = static_cast<std::size_t>(token.partner);
      continue;
    }
    if (!closer || i >= *closer || !lacks_comma(context, i)) continue;
    const std::uint32_t end = context.token(i - 1).span.end;
    line += context.source_text({all.file, written, end});
    line += ",";
    written = end;
  }
  line += context.source_text({all.file, written, all.end});
  return context.edited_line(all, line);
}

// The array as it should have been written, if only a comma is missing: `A[I_X J]`.
std::vector<std::string> comma_help(const ParserContext& context, std::size_t opener) {
  if (!context.at(TokenKind::Identifier) && !context.at(TokenKind::Number)) return {};
  const auto closer = static_cast<std::size_t>(context.token(opener).partner);
  const bool named = opener > 0 && context.token(opener).glued &&
                     context.token(opener - 1).kind == TokenKind::Identifier;
  const Span before = cover(context.token(named ? opener - 1 : opener).span,
                            context.token(context.position() - 1).span);
  const Span after = cover(context.current().span, context.token(closer).span);
  if (auto line = line_with_commas(context)) return {*std::move(line)};
  return {fmt::format("`{}, {}`", context.source_text(before), context.source_text(after))};
}

}  // namespace

// dimensions = "[" [ dimension { "," dimension } ] "]" ;
std::vector<ast::Dimension> parse_dimensions(ParserContext& context) {
  const std::size_t opener = context.open();
  const bool closed = context.token(opener).partner >= 0;
  reject_mixed_bracket(context, opener);
  std::vector<ast::Dimension> dimensions;
  if (!context.at(TokenKind::RightBracket)) {
    dimensions.reserve(count_dimensions(context, opener));
    do {
      parse_dimension(context, closed, dimensions.emplace_back());
    } while (accept_separator(context));
  }
  if (closed && !context.at(TokenKind::RightBracket)) {
    context.fail_expected("`,` or `]`", comma_help(context, opener));
  }
  context.close(opener, "`,`");
  return dimensions;
}

}  // namespace shard
