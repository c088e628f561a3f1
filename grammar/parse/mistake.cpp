// Mistakes of a statement, of which the first is reported: what is missing, what is never closed, what means nothing.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "base/contains.h"
#include "base/format.h"
#include "grammar/parse/construct.h"
#include "grammar/parse/parser_context.h"
#include "grammar/source/code_point.h"
#include "grammar/source/left_arrow.h"
#include "grammar/source/look_alike.h"

namespace shard {
namespace {

// Bytes of a token that a message quotes; the mark below the line shows it in full.
constexpr std::size_t kLongestQuote = 40;

// Signs of other languages and their equivalents here.
struct OtherSign {
  std::string_view text;
  std::string_view help;
};
constexpr OtherSign kForeign[] = {{"=>", "an arrow is written `→` or `->`"},
                                  {"==>", "an arrow is written `→` or `->`"},
                                  {"-->", "an arrow is written `→` or `->`"},
                                  {"ᵀ", "a transpose is an array of its own: A[I, J] → B[J, I]"},
                                  {"ᵗ", "a transpose is an array of its own: A[I, J] → B[J, I]"},
                                  {"*/", "remarks begin with `#` and end with their line"}};

std::string_view closer_of(TokenKind opener) {
  return opener == TokenKind::LeftParen ? ")" : opener == TokenKind::LeftBracket ? "]" : "}";
}

// The statement's line with a name in place of a number, and the name's value before it.
std::string with_name(const ParserContext& context, std::string_view number) {
  const std::string name = context.means_something("K") ? "K_top" : "K";
  std::string line = fmt::format("{} = {}; ", name, number);
  const std::size_t begin = context.statement_begin();
  for (std::size_t i = begin; i < context.block_end(); ++i) {
    if (i > begin && context.begins_line(i)) break;
    const Token& token = context.token(i);
    if (i > begin && !token.glued) line += ' ';
    const bool replaced = token.kind == TokenKind::Number && token.text == number;
    line += replaced ? name : context.plain_text(i, i + 1);
  }
  return line;
}

}  // namespace

void ParserContext::fail_unclosed(std::size_t opener, std::string_view what) {
  const Token& bracket = list_.tokens[opener];
  const std::string_view closer = closer_of(bracket.kind);
  const std::string expected =
      what.empty() ? fmt::format("`{}`", closer) : fmt::format("{} or `{}`", what, closer);
  const Span place = current().span;
  auto help = closed_subscript(opener);
  if (help.empty()) help = closed_line(closer);
  fail(DiagnosticKind::UnclosedBracket, bracket.span,
       fmt::format("`{}` is never closed", bracket.text), std::move(help),
       {{place, fmt::format("expected {} before {}", expected, found())}});
}

void ParserContext::close(std::size_t opener, std::string_view what) {
  if (failed_) return;
  const Token& bracket = list_.tokens[opener];
  if (bracket.partner >= 0 && position_ == static_cast<std::size_t>(bracket.partner)) {
    advance();
    open_.pop_back();
    update();
    return;
  }
  const bool unclosed = bracket.partner < 0 || begins_statement_line(*this);
  if (unclosed && !at(TokenKind::Unknown)) return fail_unclosed(opener, what);
  const std::string_view closer = closer_of(bracket.kind);
  fail_expected(what.empty() ? fmt::format("`{}`", closer)
                             : fmt::format("{} or `{}`", what, closer));
}

void ParserContext::fail(DiagnosticKind kind, const Span& span, std::string message,
                         std::vector<std::string> help, std::vector<Note> notes) {
  if (failed_) return;
  failed_ = true;
  update();
  // A line is reported only once as not being notation.
  if (span.file == refused_line_.file && span.begin >= refused_line_.begin &&
      span.begin < refused_line_.end)
    return;
  if (kind == DiagnosticKind::NotNotation) {
    const std::string_view text = sources_.text(span.file);
    const std::size_t end = std::min(text.find('\n', span.begin), text.size());
    refused_line_ = {span.file, span.begin, static_cast<std::uint32_t>(end)};
  }
  sink_->report({kind, span, std::move(message), std::move(notes), std::move(help)});
}

std::string ParserContext::found() const {
  const Token& token = current();
  if (token.kind == TokenKind::End) {
    const TokenKind next = list_.tokens[position_].kind;
    if (next == TokenKind::End) return "the end of the text";
    return position_ == limit_ ? "`}`" : "the end of the line";
  }
  std::string_view text = sources_.text(token.span);
  if (text.size() <= kLongestQuote) return fmt::format("`{}`", text);
  return fmt::format("`{}…`", first_bytes(text, kLongestQuote));
}

void ParserContext::fail_expected(std::string_view what, std::vector<std::string> help) {
  const Token& token = current();
  const std::size_t place = at(TokenKind::End) && position_ > begin_ ? position_ - 1 : position_;
  const bool closer = token.kind == TokenKind::RightParen ||
                      token.kind == TokenKind::RightBracket || token.kind == TokenKind::RightBrace;
  if (closer && token.partner < 0 && !failed_) {
    // If the line reads well without the bracket, the bracket is superfluous; else it may be part of prose.
    if (auto line = edited_line(token.span, ""); line && !line->empty())
      return fail(DiagnosticKind::SyntaxError, token.span,
                  fmt::format("{} closes nothing", found()), {*std::move(line)});
  }
  if (help.empty() && !failed_ && is_prose(*this, place)) {
    prose_ = true;
    const Span line = list_.tokens[begin_].span;
    return fail(DiagnosticKind::NotNotation, line, "this is not sharding notation", remark_help());
  }
  if (token.kind == TokenKind::Unknown) return fail_unknown(std::move(help));
  if (closer && token.partner < 0) {
    return fail(DiagnosticKind::SyntaxError, token.span, fmt::format("{} closes nothing", found()),
                std::move(help));
  }
  const TokenKind first = list_.tokens[begin_].kind;
  if (first == TokenKind::Percent || (first == TokenKind::Pipe && is_table_row(*this))) {
    return fail(DiagnosticKind::NotNotation, list_.tokens[begin_].span,
                "this is not sharding notation", remark_help());
  }
  if (is_formula_of_text(*this)) return fail_formula(token.span);
  if (help.empty() && at(TokenKind::End)) help = end_help();
  fail(DiagnosticKind::SyntaxError, token.span, fmt::format("expected {}, found {}", what, found()),
       std::move(help));
}

void ParserContext::fail_formula(const Span& span) {
  fail(DiagnosticKind::NotNotation, span, "this is a formula of the text and no sharding notation",
       {"formulas are written as scalars: `T = 2*B*D*F / C`; remarks begin with `#`"});
}

// At a quote that is not closed on its line: the intended line.
void ParserContext::fail_open_text() {
  const Span& quote = current().span;
  const std::string_view text = sources_.text(quote.file);
  const std::uint32_t line_end =
      static_cast<std::uint32_t>(std::min(text.find_first_of("\r\n", quote.begin), text.size()));
  std::string_view line =
      text.substr(list_.tokens[begin_].span.begin, line_end - list_.tokens[begin_].span.begin);
  line = line.substr(0, line.find_last_not_of(" \t") + 1);
  fail(DiagnosticKind::SyntaxError, quote, "the text that begins here is never closed",
       {fmt::format("{}{}", line, current().text == "'" ? "'" : "\"")});
}

void ParserContext::fail_unknown(std::vector<std::string> help) {
  const Token& token = current();
  if (token.text.size() > 1 && token.text[0] == '\\') {
    return fail_formula(token.span);
  }
  if (token.text == "\"" || token.text == "'" || token.text == "“" || token.text == "‘") {
    return fail_open_text();
  }
  // `D \gets A \cdot B`
  if (contains(kLeftArrows, token.text)) {
    const auto line = edited_line(token.span, "=");
    return fail(DiagnosticKind::NotNotation, token.span, "arrows point to the right",
                line ? std::vector<std::string>{*line} : std::vector<std::string>());
  }
  const std::string_view begin = token.text.substr(0, 2);
  if (begin == "//" || begin == "/*") {
    const Span sign{token.span.file, token.span.begin, token.span.begin + 2};
    return fail(DiagnosticKind::UnexpectedCharacter, sign,
                fmt::format("`{}` begins no remark", begin), {"remarks begin with `#`"});
  }
  const auto meant = std::find_if(std::begin(kForeign), std::end(kForeign),
                                  [&](const OtherSign& sign) { return sign.text == token.text; });
  if (meant != std::end(kForeign)) help.emplace_back(meant->help);
  if (const auto alike = look_alike(token.text); alike && meant == std::end(kForeign)) {
    const bool letter = std::isalpha(static_cast<unsigned char>(alike->meant)) != 0;
    return fail(DiagnosticKind::UnexpectedCharacter, token.span,
                fmt::format("{} looks like `{}`, and is another {}", named_code_point(token.text),
                            alike->meant, letter ? "letter" : "sign"),
                {fmt::format("write `{}`", alike->meant)});
  }
  const char32_t code = first_code_point(token.text);
  if (is_unseen(code)) help.emplace_back("nobody sees it: delete it, or end the line there");
  const std::string what =
      code == 0 || meant != std::end(kForeign) ? found() : named_code_point(token.text);
  fail(DiagnosticKind::UnexpectedCharacter, token.span,
       fmt::format("{} means nothing in the notation", what), std::move(help));
}

void ParserContext::fail_without_opener(std::vector<std::string> help) {
  if (failed_) return;
  fail_expected("`{`", std::move(help));
  lacks_opener_ = true;
}

// `top_{D,2}`: the count is the length of a dimension.
void fail_counted(ParserContext& context, const ast::Call& call, const std::string& number,
                  const Span& place) {
  std::vector<std::string> help;
  if (call.function.text == "top" && call.subscript.size() == 1)
    help.push_back(with_name(context, number));
  context.fail(DiagnosticKind::SyntaxError, place,
               fmt::format("expected the name of a dimension, found `{}`: how many elements there "
                           "are is the length of one",
                           number),
               std::move(help));
}

}  // namespace shard
