#include "grammar/lex/bracket_pairs.h"

#include <algorithm>
#include <cstdint>

#include "base/words.h"

namespace shard {
namespace {

constexpr std::string_view kKeyLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_'\" \t";

}  // namespace

void BracketPairs::begin() {
  open_.clear();
  inline_ = kNone;
  levels_ = {{}};
}

void BracketPairs::match(TokenKind kind, std::size_t place) {
  switch (kind) {
    case TokenKind::LeftBrace:
      if (inline_ == kNone && is_inline_brace(place)) inline_ = open_.size();
      [[fallthrough]];
    case TokenKind::LeftParen:
    case TokenKind::LeftBracket:
      open_.push_back(tokens_.size() - 1);
      return count(kind, 1);
    case TokenKind::RightParen:
      return close(TokenKind::LeftParen);
    case TokenKind::RightBracket:
      return close(TokenKind::LeftBracket);
    case TokenKind::RightBrace:
      return close(TokenKind::LeftBrace);
    default:
      return;
  }
}

// How many openers of a kind can be closed here. Braces contain whole statements, so a `)` or `]` inside them closes
// nothing outside.
void BracketPairs::count(TokenKind opener, int change) {
  if (opener == TokenKind::LeftParen) levels_.back().parens += change;
  if (opener == TokenKind::LeftBracket) levels_.back().brackets += change;
  if (opener == TokenKind::LeftBrace && change > 0) levels_.push_back({});
  if (opener == TokenKind::LeftBrace && change < 0) levels_.pop_back();
}

bool BracketPairs::can_close(TokenKind opener) const {
  if (opener == TokenKind::LeftParen) return levels_.back().parens > 0;
  if (opener == TokenKind::LeftBracket) return levels_.back().brackets > 0;
  return levels_.size() > 1;
}

// Removes the innermost open bracket and returns its index.
std::size_t BracketPairs::pop_opener() {
  const std::size_t opener = open_.back();
  count(tokens_[opener].kind, -1);
  open_.pop_back();
  if (open_.size() <= inline_) inline_ = kNone;
  return opener;
}

// Openers in between stay unpaired. A closer without an open opener closes nothing.
void BracketPairs::close(TokenKind opener) {
  if (!can_close(opener)) {
    stray_closer_ = true;
    return;
  }
  std::size_t partner = 0;
  do {
    partner = pop_opener();
  } while (tokens_[partner].kind != opener);
  tokens_.back().partner = static_cast<std::int32_t>(partner);
  tokens_[partner].partner = static_cast<std::int32_t>(tokens_.size()) - 1;
}

std::string_view BracketPairs::behind_blanks(std::size_t place, std::string_view blanks) const {
  return text_.substr(std::min(text_.find_first_not_of(blanks, place), text_.size()));
}

// Whether the brace just read begins a subscript, `{U_…}`, `{max_…}` or `{X: 4`.
bool BracketPairs::is_inline_brace(std::size_t place) const {
  if (tokens_.size() < 2) return false;
  const TokenKind before = tokens_[tokens_.size() - 2].kind;
  if (before == TokenKind::Underscore) return true;
  if (before == TokenKind::RightBracket) {
    const std::string_view inside = behind_blanks(place, " \t");
    return inside.substr(0, 1) == "U" || inside.substr(0, 4) == "max_" ||
           inside.substr(0, 4) == "min_";
  }
  const std::size_t colon = text_.find_first_not_of(kKeyLetters, place);
  if (colon == std::string_view::npos || text_[colon] != ':') return false;
  const std::string_view value = behind_blanks(colon + 1, " \t");
  return !value.empty() && is_digit(value.front());
}

// Such a brace is closed on its own line or not at all: a `}` on a later line belongs to an enclosing block. Only a
// list of figures continues after a comma or with its `}`.
void BracketPairs::end_line(std::size_t place) {
  if (inline_ == kNone) return;
  const std::string_view next = behind_blanks(place, " \t\r\n").substr(0, 1);
  const TokenKind before = tokens_[open_[inline_] == 0 ? 0 : open_[inline_] - 1].kind;
  const bool mark = before == TokenKind::Underscore || before == TokenKind::RightBracket;
  const bool closes = !mark && (next == "}" || next == "," || next == "#");
  const bool over = !expects_more(tokens_.back()) && !closes;
  for (const std::size_t first = inline_; over && open_.size() > first;) pop_opener();
  inline_ = kNone;
}

}  // namespace shard
