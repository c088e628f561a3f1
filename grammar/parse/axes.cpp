// The axes of a dimension: `_X`, `_{XY}`, JAX's `@(x, y)`; an axis by its name, or in quotes.
#include <fmt/format.h>

#include <algorithm>

#include "grammar/parse/construct.h"
#include "grammar/tree/names.h"

namespace shard {
namespace {

// hole = "?" [ NAME ] ;   It stands for any row of axes, also none.
ast::Identifier parse_hole(ParserContext& context) {
  const std::size_t begin = context.position();
  context.advance();
  ast::Identifier hole{"?", {}};
  if (context.at(TokenKind::Identifier) && context.current().glued) {
    hole.text += context.current().text;
    context.advance();
  }
  hole.at = context.location_from(begin);
  return hole;
}

// `I@('X', 'Y')`
void fail_quoted(ParserContext& context) {
  Span span = context.current().span;
  std::vector<std::string> axes;
  for (std::size_t ahead = 0; context.peek(ahead).kind == TokenKind::Quoted; ahead += 2) {
    axes.emplace_back(context.peek(ahead).text);
    span = cover(span, context.peek(ahead).span);
  }
  context.fail(DiagnosticKind::SyntaxError, span, "axes are names, and stand without quotes",
               {fmt::format("did you mean `{}`?", fmt::join(axes, ", "))});
}

// all_axes = NAME "…" ;   In a pattern: any number of axes of the dimension, or none.
ast::Identifier parse_all_axes(ParserContext& context, ast::Identifier name) {
  reject_all_axes(context, name);
  name.at.span = cover(name.at.span, context.current().span);
  context.advance();
  name.text += kAllAxes;
  return name;
}

// AXES, or with `listed` several between brackets.
std::vector<ast::Identifier> parse_rows(ParserContext& context, bool listed) {
  std::vector<ast::Identifier> axes;
  const auto take = [&] {
    if (context.at(TokenKind::Quoted)) return fail_quoted(context);
    const ast::Identifier word = parse_identifier(context, "an axis");
    if (context.failed()) return;
    if (listed && context.at(TokenKind::Ellipsis)) {
      axes.push_back(parse_all_axes(context, word));
      return;
    }
    const auto row = axes_of(context, word.text, word.at.span);
    axes.insert(axes.end(), row.begin(), row.end());
  };
  if (!listed) {
    take();
    return axes;
  }
  const std::size_t opener = context.open();
  do {
    take();
  } while (context.accept(TokenKind::Comma));
  context.close(opener, "`,`");
  return axes;
}

}  // namespace

Span part_of(const Span& token, std::size_t offset) {
  return {token.file, token.begin + static_cast<std::uint32_t>(offset), token.end};
}

void fail_ambiguous(ParserContext& context, std::string_view word, const Span& place,
                    const std::vector<std::string>& readings) {
  context.fail(DiagnosticKind::AmbiguousSpelling, place,
               fmt::format("`{}` can be read as `{}`", word, fmt::join(readings, "` and as `")),
               {"write the one that is meant"});
}

void reject_all_axes(ParserContext& context, const ast::Identifier& name) {
  if (context.failed() || context.in_parameters || !context.at(TokenKind::Ellipsis)) return;
  context.fail(
      DiagnosticKind::SyntaxError, cover(name.at.span, context.current().span),
      fmt::format("`{}…` names however many axes a parameter of a function is split over, and "
                  "stands nowhere else",
                  name.text),
      {fmt::format("inside of the function all of them are `{0}`: `h[B_{0}, D]`", name.text)});
}

std::vector<ast::Identifier> axes_of(ParserContext& context, std::string_view word,
                                     const Span& place) {
  const Names& names = context.names();
  std::vector<ast::Identifier> axes;
  if (names.has_axis(word)) {
    const auto end = place.begin + static_cast<std::uint32_t>(word.size());
    axes.push_back({std::string(word), {{place.file, place.begin, end}}});
    return axes;
  }
  if (!word.empty() && word[0] >= '0' && word[0] <= '9') {
    context.fail(
        DiagnosticKind::NotNotation, place, fmt::format("`{}` is no axis", word),
        {"a subscript in brackets is an axis that splits the dimension; single blocks have "
         "no notation"});
  }
  const auto exact = exact_splits(word, names);
  if (exact.size() > 1) {
    fail_ambiguous(context, word, place,
                   {fmt::format("{{{}}}", fmt::join(exact[0], ",")),
                    fmt::format("{{{}}}", fmt::join(exact[1], ","))});
  }
  const auto split = split_axes(word, names);
  std::uint32_t offset = 0;
  // A word that is not a row of declared axes is split as without a mesh, so that the wrong letter can be named.
  for (const std::string& axis : split ? *split : split_letters(word)) {
    const auto length = static_cast<std::uint32_t>(axis.size());
    const auto declared = split_axes(axis, names);
    axes.push_back({declared ? declared->front() : axis,
                    {{place.file, place.begin + offset, place.begin + offset + length}}});
    offset += length;
  }
  return axes;
}

// axes = AXES | "{" AXES { "," AXES } "}" ;   AXES is a row of axis names without anything between them.
std::vector<ast::Identifier> parse_axes(ParserContext& context) {
  context.accept(TokenKind::Underscore);
  if (context.at(TokenKind::Question)) return {parse_hole(context)};
  if (!context.current().glued) context.fail_expected("an axis");
  return parse_rows(context, context.at(TokenKind::LeftBrace));
}

std::vector<ast::Identifier> parse_axes_behind(ParserContext& context) {
  context.advance();
  return parse_rows(context, context.at(TokenKind::LeftParen) || context.at(TokenKind::LeftBrace));
}

bool at_overlap(const ParserContext& context) {
  return context.at_word("overlap") && !context.begins_line(context.position());
}

// [ "overlap" AXES ] ;
void parse_overlap(ParserContext& context, ast::Flow& flow) {
  if (context.failed() || !at_overlap(context)) return;
  flow.overlap = parse_axes_behind(context);
  if (context.failed() || !at_overlap(context)) return;
  context.fail(DiagnosticKind::SyntaxError, context.current().span, "`overlap` is given twice",
               {"once is enough; several axes are overlapped together: overlap {XY}"});
}

ast::Identifier parse_axis_name(ParserContext& context) {
  if (!context.at(TokenKind::Quoted)) return parse_identifier(context, "an axis");
  ast::Identifier name{std::string(context.current().text), {context.current().span}};
  const bool word = !name.text.empty() &&
                    std::all_of(name.text.begin(), name.text.end(),
                                [](char c) {
                                  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                                         (c >= '0' && c <= '9') || c == '_';
                                }) &&
                    (name.text.front() < '0' || name.text.front() > '9') &&
                    name.text.front() != '_' && name.text.back() != '_';
  if (!word) context.fail_expected("an axis");
  context.advance();
  return name;
}

}  // namespace shard
