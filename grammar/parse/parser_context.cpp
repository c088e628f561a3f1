#include "grammar/parse/parser_context.h"

#include <algorithm>
#include <utility>

namespace shard {
namespace {

// The statement continues on a line that begins with one of these.
bool continues_statement(TokenKind kind) {
  return kind == TokenKind::Arrow || kind == TokenKind::Times;
}

bool is_opener(TokenKind kind) {
  return kind == TokenKind::LeftParen || kind == TokenKind::LeftBracket ||
         kind == TokenKind::LeftBrace;
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
  return marks || !continues_statement(token.kind) || begins_worded_item(index) ||
         begins_listed_item(index);
}

// `J = 8` and below it `• A[I_X, J] → A[I, J]`: behind an arrow or a `=`, no product leads to another arrow; nor does a machine go on
// with one. `* AllGather_X A[I_X, J]`: a list of what is done.
bool ParserContext::begins_listed_item(std::size_t index) const {
  const Token& mark = list_.tokens[index];
  const bool item = mark.kind == TokenKind::Times && mark.text != "·" && index + 1 < limit_ &&
                    !list_.tokens[index + 1].glued && !list_.tokens[index + 1].line_start;
  if (!item) return false;
  const auto has = [&](std::size_t from, std::size_t to, auto... kinds) {
    for (std::size_t i = from; i < to; i = behind(i)) {
      if (i > index && list_.tokens[i].line_start) return false;
      if (((list_.tokens[i].kind == kinds) || ...)) return true;
    }
    return false;
  };
  const std::string_view first = list_.tokens[begin_].text;
  return is_collective_word(list_.tokens[index + 1].text) || first == "mesh" ||
         first == "hardware" ||
         (has(index + 1, limit_, TokenKind::Arrow) &&
          has(begin_, index, TokenKind::Arrow, TokenKind::Equal));
}

// `* In the backward pass …`, `* Forward: …`: a product would not go on with words.
bool ParserContext::begins_worded_item(std::size_t index) const {
  const auto is = [&](std::size_t ahead, auto... kinds) {
    const std::size_t at = index + ahead;
    return at < limit_ && !list_.tokens[at].line_start && ((list_.tokens[at].kind == kinds) || ...);
  };
  const Token& mark = list_.tokens[index];
  if (mark.kind != TokenKind::Times || mark.text == "·" || !is(1, TokenKind::Identifier) ||
      list_.tokens[index + 1].glued)
    return false;
  const auto ends = [&](std::size_t ahead) {
    return is(ahead, TokenKind::Colon, TokenKind::Comma);
  };
  return is(2, TokenKind::Colon) ||
         (is(2, TokenKind::Identifier) && (ends(3) || is(3, TokenKind::Identifier)));
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
  calls_with_text = false;
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

bool ParserContext::goes_on_unread() const {
  return text_goes_on && list_.tokens[limit_].kind == TokenKind::End;
}

std::optional<std::size_t> ParserContext::behind_lone_closer() const {
  for (std::size_t i = position_; i < limit_; i = behind(i)) {
    const Token& token = list_.tokens[i];
    if (token.kind == TokenKind::RightBrace && token.partner < 0) return i + 1;
  }
  return goes_on_unread() ? std::optional(limit_) : std::nullopt;
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

}  // namespace shard
