#include "grammar/parse/parser_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/format.h"
#include "grammar/foreign/line.h"
#include "grammar/source/code_point.h"
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
                                  {"⇒", "an arrow is written `→` or `->`"},
                                  {"-->", "an arrow is written `→` or `->`"},
                                  {"ᵀ", "a transpose is an array of its own: A[I, J] → B[J, I]"},
                                  {"ᵗ", "a transpose is an array of its own: A[I, J] → B[J, I]"},
                                  {"*/", "remarks begin with `#` and end with their line"}};

// The statement continues on a line that begins with one of these.
bool continues_statement(TokenKind kind) {
  return kind == TokenKind::Arrow || kind == TokenKind::Times;
}

bool is_opener(TokenKind kind) {
  return kind == TokenKind::LeftParen || kind == TokenKind::LeftBracket ||
         kind == TokenKind::LeftBrace;
}

std::string_view closer_of(TokenKind opener) {
  return opener == TokenKind::LeftParen ? ")" : opener == TokenKind::LeftBracket ? "]" : "}";
}

}  // namespace

ParserContext::ParserContext(const SourceMap& sources, const TokenList& list, Names& names,
                             DiagnosticSink& sink)
    : sources_(sources), list_(list), names_(names), sink_(&sink), limit_(list.tokens.size() - 1) {
  update();
}

bool ParserContext::begins_next_line(std::size_t index) const {
  const Token& token = list_.tokens[index];
  const bool marks = is_list_item_ && token.kind == TokenKind::Times && token.text != "·" &&
                     index + 1 < limit_ && !list_.tokens[index + 1].glued;
  return marks || !continues_statement(token.kind);
}

void ParserContext::begin_list_item() {
  is_list_item_ = true;
  update();
}

// Line ends inside a bracket group never end the statement, so a group is passed as a whole.
const Token& ParserContext::peek_over_lines(std::size_t target) const {
  std::size_t index = position_;
  bool inside = false;
  while (index < limit_ && (inside || !ends_before(index))) {
    if (index == target) return list_.tokens[index];
    const Token& token = list_.tokens[index];
    const bool group = is_opener(token.kind) && token.partner >= 0;
    const auto closer = static_cast<std::size_t>(group ? token.partner : 0);
    inside = inside || (group && closer >= target);
    index = group && closer < target ? closer : index + 1;
  }
  return end_;
}

std::size_t ParserContext::after_group(std::size_t ahead) const {
  const Token& opener = peek(ahead);
  if (opener.partner < 0) return limit_ - position_;
  return static_cast<std::size_t>(opener.partner) + 1 - position_;
}

// The end is shown after the last token, or as the brace that ends the block.
void ParserContext::update() {
  const Token& next = list_.tokens[position_];
  if (!failed_ && !ends_before(position_)) {
    current_ = &next;
    return;
  }
  current_ = &end_;
  const std::uint32_t place =
      position_ == 0 ? next.span.begin : list_.tokens[position_ - 1].span.end;
  end_.span = position_ == limit_ && next.kind == TokenKind::RightBrace
                  ? next.span
                  : Span{next.span.file, place, place};
}

void ParserContext::advance() {
  if (shows_end()) return;
  ++position_;
  update();
}

bool ParserContext::accept(TokenKind kind) {
  if (!at(kind)) return false;
  advance();
  return true;
}

Span ParserContext::span_from(std::size_t begin) const {
  const Token& first = list_.tokens[begin];
  if (position_ <= begin) return {first.span.file, first.span.begin, first.span.begin};
  return cover(first.span, list_.tokens[position_ - 1].span);
}

void ParserContext::refuse_line() {
  joined_ = list_.tokens.size();
  update();
}

std::size_t ParserContext::open() {
  const std::size_t opener = position_;
  if (!failed_ && list_.tokens[opener].partner >= 0) {
    open_.push_back(opener);
    update();
  }
  advance();
  return opener;
}

void ParserContext::skip_group() {
  position_ += after_group(0);
  update();
}

std::optional<std::size_t> ParserContext::innermost() const {
  if (open_.empty()) return std::nullopt;
  return open_.back();
}

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
    if (auto line = edited_line(token.span, ""))
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

void ParserContext::begin_statement() {
  joined_ = position_;
  begin_ = position_;
  open_.clear();
  failed_ = false;
  prose_ = false;
  equal_compares = false;
  before_block = false;
  may_relate = false;
  height = 0;
  restart.reset();
  ended = false;
  in_binding = false;
  is_list_item_ = false;
  update();
}

bool ParserContext::at_statement_end() const {
  return restart.has_value() || at(TokenKind::End) || at(TokenKind::Semicolon);
}

std::size_t ParserContext::behind(std::size_t index) const {
  const Token& token = list_.tokens[index];
  return is_opener(token.kind) && token.partner >= 0 ? static_cast<std::size_t>(token.partner) + 1
                                                     : index + 1;
}

std::size_t ParserContext::statement_end(std::size_t begin) const {
  std::size_t index = begin;
  while (index < limit_) {
    index = behind(index);
    if (index < position_) continue;
    const Token& next = list_.tokens[std::min(index, limit_)];
    const Token& last = list_.tokens[index - 1];
    const bool otherwise = last.kind == TokenKind::RightBrace &&
                           next.kind == TokenKind::Identifier && next.text == "else";
    const bool refused = index == position_ && joined_ != index;
    const bool goes_on = continues_statement(next.kind) ||
                         ((expects_more(last) || otherwise) && !refused && !prose_);
    if (next.kind == TokenKind::Semicolon || (next.line_start && !goes_on)) break;
  }
  return std::min(index, limit_);
}

void ParserContext::fail_without_opener(std::vector<std::string> help) {
  if (failed_) return;
  fail_expected("`{`", std::move(help));
  lacks_opener_ = true;
}

std::optional<std::size_t> ParserContext::behind_lone_closer() const {
  for (std::size_t i = position_; i < limit_; i = behind(i)) {
    const Token& token = list_.tokens[i];
    if (token.kind == TokenKind::RightBrace && token.partner < 0) return i + 1;
  }
  const bool may_follow = text_goes_on && list_.tokens[limit_].kind == TokenKind::End;
  return may_follow ? std::optional(limit_) : std::nullopt;
}

void ParserContext::end_statement(std::size_t begin) {
  if (failed_) position_ = statement_end(begin);
  if (std::exchange(lacks_opener_, false)) position_ = behind_lone_closer().value_or(position_);
  failed_ = false;
  open_.clear();
  joined_ = position_;
  update();
}

void ParserContext::go_back(std::size_t position) {
  position_ = position;
  joined_ = position;
  update();
}

std::string ParserContext::plain_text(std::size_t begin, std::size_t end) const {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) {
    const Token& token = list_.tokens[i];
    if (i > begin && !token.glued) text += ' ';
    text += token.kind == TokenKind::Quoted || token.kind == TokenKind::Number
                ? std::string(sources_.text(token.span))
                : std::string(token.text);
  }
  return text;
}

std::vector<std::string> ParserContext::take_comments(std::uint32_t end, bool keep_blanks) {
  std::vector<std::string> lines;
  for (; next_trivia_ < end; ++next_trivia_) {
    const std::string& comment = list_.trivia[next_trivia_].comment;
    if (comment.empty() && (!keep_blanks || (!lines.empty() && lines.back().empty()))) continue;
    lines.push_back(comment);
  }
  return lines;
}

std::vector<std::string> ParserContext::take_leading_comments() {
  return take_comments(list_.tokens[position_].trivia, true);
}

std::vector<std::string> ParserContext::take_inner_comments() {
  return take_comments(position_ == 0 ? 0 : list_.tokens[position_ - 1].trivia, false);
}

std::string ParserContext::take_trailing_comment() {
  if (position_ == 0 || next_trivia_ != list_.tokens[position_ - 1].trivia) return {};
  if (next_trivia_ >= list_.tokens[position_].trivia) return {};
  const Trivia& trivia = list_.trivia[next_trivia_];
  if (trivia.own_line || trivia.comment.empty()) return {};
  ++next_trivia_;
  return trivia.comment;
}

void ParserContext::drop_comments() {
  if (position_ > 0) next_trivia_ = std::max(next_trivia_, list_.tokens[position_ - 1].trivia);
}

void ParserContext::add_dimension(const std::string& name) { names_.dimensions.add(name); }

bool ParserContext::respell(std::string& name) const {
  const std::string* first = names_.arrays.first_spelling(name);
  if (first != nullptr && *first != name) name = *first;
  return first != nullptr;
}

bool ParserContext::knows(std::string_view name) const {
  return names_.has_dimension(name) || names_.arrays.contains(name);
}

Nesting::Nesting(ParserContext& context) : context_(context) {
  if (++context.depth_ <= kDeepest) return;
  context.fail(DiagnosticKind::TooDeep, context.current().span,
               fmt::format("nested deeper than {} levels", kDeepest),
               {"give parts of it names of their own"});
}

BlockScope::BlockScope(ParserContext& context, DiagnosticSink& sink)
    : context_(context),
      axes_(context.names_.axes),
      dimensions_(context.names_.dimensions.size()),
      arrays_(context.names_.arrays.size()),
      sink_(context.sink_),
      limit_(context.limit_),
      begin_(context.begin_),
      open_(std::move(context.open_)),
      equal_compares_(context.equal_compares),
      before_block_(context.before_block),
      may_relate_(context.may_relate) {
  const std::size_t closer = static_cast<std::size_t>(context.current().partner);
  context.advance();
  context.limit_ = closer;
  context.update();
  context.sink_ = &sink;
}

BlockScope::~BlockScope() {
  context_.names_.axes = std::move(axes_);
  context_.names_.dimensions.shrink(dimensions_);
  context_.names_.arrays.shrink(arrays_);
  context_.sink_ = sink_;
  context_.position_ = context_.limit_ + 1;
  context_.limit_ = limit_;
  context_.begin_ = begin_;
  context_.open_ = std::move(open_);
  context_.equal_compares = equal_compares_;
  context_.before_block = before_block_;
  context_.may_relate = may_relate_;
  context_.failed_ = false;
  context_.prose_ = false;
  context_.joined_ = context_.position_ - 1;
  context_.update();
}

}  // namespace shard
