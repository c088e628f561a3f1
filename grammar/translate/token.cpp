#include "grammar/translate/token.h"

#include <algorithm>

#include "base/words.h"
#include "grammar/source/code_point.h"
#include "grammar/translate/function.h"

namespace shard {
namespace {

// The longest first.
constexpr std::string_view kLongSigns[] = {
    "--->", "<--", "~~>", ">>>", ">->", "->>", "|->", "<~", "~>", "==>", "-->", ".==", ".!=",
    ".<=",  ".>=", "⇒",   "←",   "⟵",   "⇐",   "⟸",   ".^", "./", ".*",  ".+",  ".-",  ".<",
    ".>",   ".=",  "**=", "//=", "...", "//",  "**",  "+=", "-=", "*=",  "/=",  "%=",  "@=",
    "==",   "!=",  "<=",  ">=",  ":=",  "&&",  "||",  "++", "--", "->",  "<-",  "=>",  "<<",
    ">>",   "·",   "→",   "⊙",   "×",   "⊗",   "≤",   "≥",  "≠",  "≈",   "∈",   "√"};

class ForeignTokenReader {
 public:
  explicit ForeignTokenReader(std::string_view text) : text_(text) {}

  std::optional<ForeignTokens> read() {
    while (true) {
      const std::size_t before = place_;
      skip_blanks();
      glued_ = place_ == before && place_ > 0;
      if (place_ == text_.size()) break;
      if (!read_token()) return std::nullopt;
    }
    tokens_.push_back(
        {.kind = ForeignToken::Kind::End, .text = {}, .begin = place_, .end = place_});
    return ForeignTokens(std::move(tokens_));
  }

 private:
  std::string_view rest() const { return text_.substr(place_); }

  void skip_blanks() {
    while (place_ < text_.size()) {
      const char c = text_[place_];
      const bool remark = c == '#';
      if (remark)
        place_ = std::min(text_.find('\n', place_), text_.size());
      else if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
        ++place_;
      else
        return;
    }
  }

  void add(ForeignToken::Kind kind, std::size_t length) {
    tokens_.push_back({.kind = kind,
                       .text = text_.substr(place_, length),
                       .begin = place_,
                       .end = place_ + length,
                       .glued = glued_});
    place_ += length;
  }

  bool read_token() {
    const char c = text_[place_];
    if (is_letter(c) || c == '_') return read_word();
    if (is_digit(c) || (c == '.' && place_ + 1 < text_.size() && is_digit(text_[place_ + 1])))
      return read_number();
    if (c == '"' || c == '\'') return read_text(0);
    for (const std::string_view sign : kLongSigns) {
      if (!rest().starts_with(sign)) continue;
      // `0..<3`
      if (c == '.' && sign != "..." && place_ > 0 && text_[place_ - 1] == '.') continue;
      add(ForeignToken::Kind::Sign, sign.size());
      return true;
    }
    const std::size_t length = code_point_length(rest());
    const bool sign = static_cast<unsigned char>(c) < 0x80;
    add(sign ? ForeignToken::Kind::Sign : ForeignToken::Kind::Word, length);
    return true;
  }

  bool read_word() {
    std::size_t length = 1;
    while (length < rest().size() && is_name_character(rest()[length])) ++length;
    const std::string_view word = rest().substr(0, length);
    const bool prefix = word == "f" || word == "r" || word == "b";
    if (prefix && length < rest().size() && (rest()[length] == '"' || rest()[length] == '\''))
      return read_text(1);
    add(ForeignToken::Kind::Word, behind_hyphens(length));
    return true;
  }

  // The length of the word at the place, `length` to its first hyphen: `all-reduce(` is one where it calls a collective.
  std::size_t behind_hyphens(std::size_t length) const {
    for (std::size_t end = length; end < rest().size() && rest()[end] == '-';) {
      ++end;
      while (end < rest().size() && is_name_character(rest()[end])) ++end;
      const bool called = end < rest().size() && rest()[end] == '(';
      if (called && called_collective(rest().substr(0, end)) != nullptr) return end;
    }
    return length;
  }

  bool read_number() {
    std::size_t length = 1;
    const auto at = [&](std::size_t i) { return i < rest().size() ? rest()[i] : '\0'; };
    while (is_name_character(at(length)) || (at(length) == '.' && is_digit(at(length + 1))) ||
           ((at(length) == '-' || at(length) == '+') && (at(length - 1) | 0x20) == 'e' &&
            is_digit(at(length + 1))))
      ++length;
    if (at(length) == '.' && !is_letter(at(length + 1)) && at(length + 1) != '.') ++length;
    add(ForeignToken::Kind::Number, length);
    return true;
  }

  // `prefix` letters stand in front of the quote.
  bool read_text(std::size_t prefix) {
    const char quote = rest()[prefix];
    const std::string_view behind = rest().substr(prefix + 1);
    const std::size_t close = behind.find_first_of(quote == '"' ? "\"\n" : "'\n");
    if (close == std::string_view::npos || behind[close] == '\n') return false;
    const bool formatted = prefix > 0 && rest()[0] == 'f';
    add(ForeignToken::Kind::Text, prefix + close + 2);
    tokens_.back().text = behind.substr(0, close);
    tokens_.back().formatted = formatted;
    return true;
  }

  std::string_view text_;
  std::size_t place_ = 0;
  bool glued_ = false;
  std::vector<ForeignToken> tokens_;
};

}  // namespace

std::size_t behind_group(const ForeignTokens& tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (is(tokens[i], "[") || is(tokens[i], "{") || is(tokens[i], "(")) ++depth;
    if ((is(tokens[i], "]") || is(tokens[i], "}") || is(tokens[i], ")")) && --depth == 0)
      return i + 1;
  }
  return tokens.size();
}

std::optional<ForeignTokens> foreign_tokens(std::string_view text) {
  return ForeignTokenReader(text).read();
}

}  // namespace shard
