// Lines of other languages: passes what the parser knows to grammar/foreign/foreign.h.
#include "grammar/foreign/foreign.h"

#include <algorithm>
#include <initializer_list>

#include "grammar/foreign/line.h"
#include "grammar/lex/lexer.h"
#include "grammar/parse/construct.h"
#include "grammar/translate/language.h"

namespace shard {
namespace {

// What is known of names while reading: no dimensions of arrays, and no lengths.
class ReadNames : public ForeignNames {
 public:
  ReadNames(const Names& names, std::string_view text) : names_(names), text_(text) {}

  bool is_array(std::string_view name) const override { return names_.arrays.contains(name); }
  std::optional<ForeignArray> array(std::string_view) const override { return std::nullopt; }
  bool is_scalar(std::string_view name) const override {
    return names_.has_dimension(name) && !is_array(name);
  }
  bool is_function(std::string_view name) const override { return is_language_function(name); }
  std::vector<std::string> dimensions() const override { return names_.dimensions.in_order(); }
  std::optional<std::string> dimension_of(std::int64_t) const override { return std::nullopt; }
  std::vector<std::string> axes() const override { return names_.axes; }
  std::vector<std::string> written(std::string_view name) const override {
    return written_dimensions(text_, name);
  }

 private:
  const Names& names_;
  std::string_view text_;
};

bool is_word(const Token& token, std::initializer_list<std::string_view> words) {
  return token.kind == TokenKind::Identifier &&
         std::find(words.begin(), words.end(), token.text) != words.end();
}

// Index after the lines that are indented deeper than the statement, including its `else:`.
std::size_t behind_indented(const ParserContext& context, std::size_t begin, std::size_t end) {
  const std::uint32_t column = context.column_of(begin);
  bool inside = true;
  while (end < context.block_end() && inside) {
    const Token& token = context.token(end);
    if (token.line_start) {
      const std::uint32_t here = context.column_of(end);
      inside = here > column ||
               (here == column && is_word(token, {"else", "elif", "except", "finally"}));
    }
    if (inside) ++end;
  }
  return end;
}

std::size_t behind_line(const ParserContext& context, std::size_t index) {
  do {
    ++index;
  } while (index < context.block_end() && !context.token(index).line_start);
  return index;
}

// Index after the `end` line of the statement; 0 if there is none.
std::size_t behind_end_line(const ParserContext& context, std::size_t begin, std::size_t end) {
  const std::uint32_t column = context.column_of(begin);
  for (; end < context.block_end(); ++end) {
    const Token& token = context.token(end);
    if (!token.line_start || context.column_of(end) > column) continue;
    const bool closes = context.column_of(end) == column &&
                        is_word(token, {"end", "endif", "endfor", "endwhile", "endfunction",
                                        "enddo", "endproc", "done", "End", "END"});
    if (closes) return behind_line(context, end);
    if (!is_word(token, {"else", "elseif"})) return 0;
  }
  // It may be in text that has not been read yet.
  return context.goes_on_unread() ? context.block_end() : 0;
}

// Index after the function that follows decorators: `@jax.jit`, then `def`.
std::size_t behind_decorated(const ParserContext& context, std::size_t end) {
  std::size_t i = end;
  while (i < context.block_end() && context.source_text(context.token(i).span) == "@")
    i = behind_line(context, i);
  if (i >= context.block_end() || !is_word(context.token(i), {"def", "async"})) return end;
  return behind_indented(context, i, behind_line(context, i));
}

// Index after the block of a statement without braces: by indentation, or up to its `end`.
std::size_t behind_block(const ParserContext& context, std::size_t begin) {
  const std::size_t end = context.position();
  if (end == begin) return end;
  // Whatever another `with` does to its lines is dropped, so the lines are statements.
  const bool overlaps = begin + 1 < end && is_word(context.token(begin + 1), {"overlap"});
  if (is_word(context.token(begin), {"with"}) && !overlaps) return end;
  // `fn f(x) -> T`, with its block on the next line.
  const Token& next = context.token(end);
  const bool own_block = end < context.block_end() && is_word(context.token(begin), {"fn"}) &&
                         next.kind == TokenKind::LeftBrace && next.partner >= 0;
  if (own_block) return static_cast<std::size_t>(next.partner) + 1;
  if (context.source_text(context.token(begin).span) == "@") return behind_decorated(context, end);
  if (context.token(end - 1).kind == TokenKind::Colon) return behind_indented(context, begin, end);
  const bool block = is_word(context.token(begin),
                             {"for",   "foreach", "forall",   "parfor",     "For",   "FOR",  "if",
                              "while", "until",   "function", "switch",     "def",   "proc", "sub",
                              "func",  "fun",     "fn",       "subroutine", "begin", "do",   "DO"});
  if (!block) return end;
  const std::size_t closed = std::max(end, behind_end_line(context, begin, end));
  // `for i in 0..4`, with its lines below it.
  const bool loop = is_word(context.token(begin), {"for", "if"}) && closed == end &&
                    end < context.block_end() && context.token(end).line_start &&
                    context.column_of(end) > context.column_of(begin);
  return loop ? behind_indented(context, begin, end) : closed;
}

}  // namespace

std::vector<ast::Statement> parse_alone(std::string_view text, DiagnosticSink& sink) {
  SourceMap sources;
  Names names;
  const FileId file = sources.add("", std::string(text));
  const TokenList list = lex(sources, file, sink);
  ParserContext context(sources, list, names, sink);
  context.knows_languages = false;
  return parse_statements(context);
}

bool is_readable(std::string_view text) {
  DiagnosticSink sink;
  parse_alone(text, sink);
  return sink.all().empty();
}

std::size_t behind_deeper_lines(const ParserContext& context, std::size_t begin, std::size_t end) {
  const std::uint32_t column = context.column_of(begin);
  while (end < context.block_end() &&
         (!context.token(end).line_start || context.column_of(end) > column))
    ++end;
  return end;
}

void pass_unclosed_block(ParserContext& context, std::size_t begin) {
  for (std::size_t i = begin; i < context.position(); ++i) {
    const Token& token = context.token(i);
    if (token.kind != TokenKind::LeftBrace || token.partner >= 0) continue;
    const std::size_t end = behind_deeper_lines(context, begin, context.position());
    if (end > context.position()) context.go_back(end);
    return;
  }
}

bool begins_foreign_function(const ParserContext& context) {
  if (!is_word(context.current(),
               {"function", "proc", "sub", "subroutine", "func", "fun", "begin"}) ||
      context.knows(context.current().text))
    return false;
  const Token& next = context.peek(1);
  if (context.current().text == "begin") return next.kind == TokenKind::End || next.line_start;
  const TokenKind sign = context.peek(2).kind;
  return next.kind == TokenKind::Identifier && !next.line_start &&
         (sign == TokenKind::LeftParen || sign == TokenKind::Equal);
}

void reject_foreign_function(ParserContext& context) {
  context.fail(DiagnosticKind::NotNotation, context.current().span,
               "this is not sharding notation");
}

void retell_foreign(ParserContext& context, std::size_t begin) {
  if (!context.knows_languages) return;
  const std::size_t end = behind_block(context, begin);
  if (end == begin) return;
  if (context.goes_on_unread() && end == context.block_end() && end > context.position())
    return context.go_back(end);
  const Span place = cover(context.token(begin).span, context.token(end - 1).span);
  const std::string_view text = context.source_text(place);
  // What follows it may not have been read yet.
  const std::string_view file = context.source_text({place.file, 0, place.end});
  const auto mistake = read_foreign(text, ReadNames(context.names(), file));
  if (!mistake) return;
  context.sink().replace(place, foreign_kinds(), diagnostic_of(*mistake, place, file));
  if (end > context.position()) context.go_back(end);
}

}  // namespace shard
