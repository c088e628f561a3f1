#include "grammar/lex/lexer.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "base/cancellation.h"
#include "base/words.h"
#include "grammar/lex/bracket_pairs.h"
#include "grammar/lex/number.h"
#include "grammar/lex/symbol.h"
#include "grammar/lex/word.h"
#include "grammar/markup/plain_text.h"
#include "grammar/source/code_point.h"

namespace shard {
namespace {

// A quote and what closes it: texts mix straight and curly ones.
struct Quotes {
  std::string_view open;
  std::string_view close;
  std::string_view other_close;
};
constexpr Quotes kQuotes[] = {
    {"'", "'", "’"}, {"\"", "\"", "”"}, {"‘", "’", "'"}, {"’", "’", "'"}, {"“", "”", "\""}};

// Most spellings differ in their first byte.
bool begins(std::string_view text, std::string_view spelling) {
  return text.front() == spelling.front() && text.substr(0, spelling.size()) == spelling;
}

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

}  // namespace

class Lexer {
 public:
  Lexer(PlainText plain, FileId file)
      : plain_(std::move(plain)),
        plain_text_(std::make_shared<const std::string>(std::move(plain_.text))),
        text_(*plain_text_),
        file_(file) {}

  TokenList run() {
    constexpr std::size_t kLeastLength = 2;  // of a token with its blanks, a low average
    begin(0);
    list_.tokens.reserve(text_.size() / kLeastLength + 1);
    TokenList list = read_lines(kNone).list;
    list.unclosed = plain_.unclosed || brackets_.is_unclosed();
    return list;
  }

  LexedPiece read(std::size_t place, std::size_t lines) {
    begin(place);
    return read_lines(lines);
  }

  std::string_view file_text() const { return plain_.begins.empty() ? text_ : std::string_view(); }

 private:
  LexedPiece read_lines(std::size_t lines) {
    LexedPiece piece;
    std::size_t begun = 0;  // lines
    skip_blanks();
    while (position_ < text_.size()) {
      if (line_start_ && begun >= lines && can_cut()) {
        if (piece.next) break;
        piece.next = {list_.tokens.size(), position_};
      }
      if (line_start_) ++begun;
      throw_if_cancelled();
      lex_token();
      skip_blanks();
    }
    // Nothing follows the last line of the text.
    add(TokenKind::End, 0);
    list_.texts = std::move(texts_);
    tokens_of_piece_ = list_.tokens.size();
    piece.list = std::move(list_);
    return piece;
  }

  void begin(std::size_t place) {
    texts_ = std::make_shared<TokenTexts>();
    texts_->plain = plain_text_;
    list_ = {};
    list_.tokens.reserve(tokens_of_piece_);
    position_ = place;
    line_start_ = line_empty_ = trivia_used_ = true;
    glued_ = false;
    brackets_.begin();
  }

  // A line that begins with a letter is a statement of its own, unless the line before it expects more.
  bool can_cut() const { return brackets_.all_closed() && is_letter(at(0)); }

  std::string_view rest() const { return {text_.data() + position_, text_.size() - position_}; }
  char at(std::size_t ahead) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }

  void skip_blanks() {
    while (position_ < text_.size()) {
      const char next = text_[position_];
      if (next == '\n' || next == '\r') {
        end_line();
      } else if (next == '#') {
        throw_if_cancelled();  // a text may be nothing but comments
        lex_comment();
      } else if (const std::size_t length = blank_length(next); length > 0) {
        position_ += length;
        glued_ = false;
      } else {
        return;
      }
    }
  }

  std::size_t blank_length(char next) const {
    if (next == ' ' || next == '\t') return 1;
    if (is_ascii(next)) return 0;
    const char32_t code = first_code_point(rest());
    return is_wide_blank(code) || has_no_width(code) ? code_point_length(rest()) : 0;
  }

  void end_line() {
    position_ += rest().substr(0, 2) == "\r\n" ? 2 : 1;
    if (line_empty_ &&
        (list_.trivia.empty() || !list_.trivia.back().comment.empty() || trivia_used_)) {
      list_.trivia.push_back({});
      trivia_used_ = false;
    }
    brackets_.end_line(position_);
    line_start_ = true;
    line_empty_ = true;
    glued_ = false;
  }

  void lex_comment() {
    const std::size_t end = std::min(text_.find_first_of("\r\n", position_), text_.size());
    std::string comment(text_.substr(position_, end - position_));
    while (comment.back() == ' ' || comment.back() == '\t') comment.pop_back();
    list_.trivia.push_back({std::move(comment), line_start_});
    position_ = end;
    line_empty_ = false;
  }

  // The next `length` bytes as a token.
  Token& add(TokenKind kind, std::size_t length) {
    Token& token = list_.tokens.emplace_back();
    token.kind = kind;
    token.span = plain_.span(file_, position_, position_ + length);
    token.text = {text_.data() + position_, length};
    token.line_start = line_start_;
    token.glued = glued_;
    token.trivia = static_cast<std::uint32_t>(list_.trivia.size());
    trivia_used_ = true;
    position_ += length;
    line_start_ = false;
    line_empty_ = false;
    glued_ = true;
    return token;
  }

  void lex_word() {
    Token& token = add(TokenKind::Identifier, word_length(rest()));
    if (!is_typed(token.text)) token.text = texts_->spellings.emplace_back(typed(token.text));
  }

  void lex_token() {
    if (is_letter(at(0)) && !is_slice_cross()) return lex_word();
    if (is_only_sign(at(0))) return lex_symbol();
    const bool number = is_digit(at(0)) || (at(0) == '.' && is_digit(at(1)) && !behind_operand());
    if (number) return lex_number();
    if (brackets_.level().brackets > 0 && rest().substr(0, 2) == "//") {
      add(TokenKind::DoubleSlash, 2);
      return;
    }
    if (is_prime()) {
      add(TokenKind::Prime, prime_length(rest()));
      return;
    }
    if (const std::size_t length = foreign_remark_length(); length > 0) {
      add(TokenKind::Unknown, length);
      return;
    }
    if (is_slice_cross()) {
      add(TokenKind::Cross, 1);
      return;
    }
    if (letter_length(rest()) > 0) return lex_word();
    if (!lex_quoted()) lex_symbol();
  }

  // Directly after something that can have a field.
  bool behind_operand() const {
    if (!glued_ || list_.tokens.empty()) return false;
    const TokenKind kind = list_.tokens.back().kind;
    return kind == TokenKind::Identifier || kind == TokenKind::Number ||
           kind == TokenKind::Quoted || kind == TokenKind::RightParen ||
           kind == TokenKind::RightBracket || kind == TokenKind::RightBrace;
  }

  // Comments of other languages, `// …` and `/* … */`, which are reported as a whole.
  std::size_t foreign_remark_length() const {
    if (at(0) != '/') return 0;
    const bool block = rest().substr(0, 2) == "/*";
    if (!block && rest().substr(0, 2) != "//") return 0;
    const std::size_t closer = block ? text_.find("*/", position_ + 2) : std::string_view::npos;
    const std::size_t line = std::min(text_.find_first_of("\r\n", position_), text_.size());
    return (closer == std::string_view::npos ? line : closer + 2) - position_;
  }

  // The x of `4x4`, which would otherwise begin the word `x4`.
  bool is_slice_cross() const {
    return at(0) == 'x' && is_digit(at(1)) && glued_ && !list_.tokens.empty() &&
           list_.tokens.back().kind == TokenKind::Number;
  }

  bool is_prime() const {
    return glued_ && prime_length(rest()) > 0 && !list_.tokens.empty() &&
           (list_.tokens.back().kind == TokenKind::RightBrace ||
            list_.tokens.back().kind == TokenKind::Prime);
  }

  // Whether a comma groups the digits of the number here, which stands in brackets: `[32,768, 8192]`. In such a list of
  // lengths, which axes may split, each comma between digits has three of them behind it, and another comma has a blank; or they begin with a zero.
  bool groups_digits() const {
    std::size_t end = position_;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    if (end - position_ > 3 || !has_group(end)) return false;
    const std::size_t open = text_.find_last_of("[\r\n", position_);
    const std::size_t close = text_.find_first_of("]\r\n", position_);
    // Bytes; lengths of a shape take fewer, and reading a longer list again at each number would take quadratic time.
    constexpr std::size_t kLongest = 200;
    if (open == std::string_view::npos || close == std::string_view::npos ||
        close - open > kLongest)
      return false;
    bool parted = false;
    for (std::size_t i = open + 1; i < close; ++i) {
      i = behind_subscript(i, close);
      if (i >= close) break;
      const char c = text_[i];
      if (!is_digit(c) && c != ',' && c != ' ') return false;
      if (c != ',') continue;
      const bool blank = i + 1 < close && text_[i + 1] == ' ';
      if (!blank && !has_group(i)) return false;
      // No length is `096`.
      parted = parted || blank || text_[i + 1] == '0';
    }
    return parted;
  }

  // Behind the axes of a length, `_X`, `@X`, `_{X,Y}`, `@(X, Y)`; where there are none, the place itself.
  std::size_t behind_subscript(std::size_t at, std::size_t close) const {
    if (text_[at] != '_' && text_[at] != '@') return at;
    ++at;
    const std::string_view rest = text_.substr(at, close - at);
    if (rest.starts_with('{') || rest.starts_with('('))
      return at + std::min(rest.find(rest.front() == '{' ? '}' : ')'), rest.size() - 1) + 1;
    while (at < close && (is_letter(text_[at]) || is_digit(text_[at]))) ++at;
    return at;
  }

  // `,768` at the place.
  bool has_group(std::size_t at) const {
    const std::string_view group = text_.substr(at, 5);
    const bool digits = group.size() > 3 && group[0] == ',' && is_digit(group[1]) &&
                        is_digit(group[2]) && is_digit(group[3]);
    return digits && (group.size() < 5 || !is_digit(group[4]));
  }

  void lex_number() {
    // Within parentheses and brackets a comma separates; braces contain statements.
    const BracketPairs::Level& level = brackets_.level();
    const bool commas = level.brackets == 0 ? level.parens == 0 : groups_digits();
    WrittenNumber number = read_number(rest(), commas);
    Token& token = add(TokenKind::Number, number.length);
    if (token.text != number.text)
      token.text = texts_->spellings.emplace_back(std::move(number.text));
    token.number = &texts_->numbers.emplace_back(NumberValue{number.value, number.unit});
  }

  // A LaTeX command that is not notation: `\sum`.
  std::size_t command_length() const {
    std::size_t length = 1;
    while (is_letter(at(length))) ++length;
    return length;
  }

  bool lex_quoted() {
    if (is_ascii(at(0)) && at(0) != '\'' && at(0) != '"') return false;
    for (const Quotes& quotes : kQuotes) {
      if (!begins(rest(), quotes.open)) continue;
      const std::size_t begin = position_ + quotes.open.size();
      const std::string_view line = text_.substr(begin, text_.find_first_of("\r\n", begin) - begin);
      const std::size_t close = line.find(quotes.close);
      const std::size_t other = line.find(quotes.other_close);
      if (close == other) return false;
      const std::size_t end = begin + std::min(close, other);
      const std::string_view closer = close < other ? quotes.close : quotes.other_close;
      Token& token = add(TokenKind::Quoted, end + closer.size() - position_);
      token.text = text_.substr(begin, end - begin);
      return true;
    }
    return false;
  }

  void lex_symbol() {
    if (const Symbol* symbol = find_symbol(rest())) {
      add(symbol->kind, symbol->spelling.size());
      return brackets_.match(symbol->kind, position_);
    }
    add(TokenKind::Unknown, at(0) == '\\' ? command_length() : code_point_length(rest()));
  }

  PlainText plain_;  // without its text
  std::shared_ptr<const std::string> plain_text_;
  std::string_view text_;
  std::shared_ptr<TokenTexts> texts_;
  FileId file_;
  TokenList list_;
  std::size_t tokens_of_piece_ = 0;  // of the last one: the next has about as many
  std::size_t position_ = 0;
  bool line_start_ = true;  // no token on this line yet
  bool line_empty_ = true;  // nothing on this line yet
  bool glued_ = false;
  bool trivia_used_ = true;  // a token was added after the last trivia
  BracketPairs brackets_{list_.tokens, text_};
};

bool expects_more(const Token& token) {
  switch (token.kind) {
    case TokenKind::Arrow:
    case TokenKind::Times:
    case TokenKind::At:
    case TokenKind::CircledDot:
    case TokenKind::Plus:
    case TokenKind::Minus:
    case TokenKind::PlusMinus:
    case TokenKind::Slash:
    case TokenKind::DoubleSlash:
    case TokenKind::Caret:
    case TokenKind::Equal:
    case TokenKind::EqualEqual:
    case TokenKind::NotEqual:
    case TokenKind::Less:
    case TokenKind::LessEqual:
    case TokenKind::Greater:
    case TokenKind::GreaterEqual:
    case TokenKind::Approx:
    case TokenKind::Comma:
      return true;
    default:
      return false;
  }
}

namespace {

// For a file that is not text.
TokenList no_tokens(const SourceMap& sources, FileId file) {
  const auto end = static_cast<std::uint32_t>(sources.text(file).size());
  Token token;
  token.span = {file, end, end};
  return {.tokens = {token}, .trivia = {}, .texts = {}};
}

}  // namespace

TokenList lex(const SourceMap& sources, FileId file, DiagnosticSink& sink) {
  auto plain = plain_text(sources, file, sink);
  return plain ? Lexer(*std::move(plain), file).run() : no_tokens(sources, file);
}

TokenList lex(PlainText part, FileId file) { return Lexer(std::move(part), file).run(); }

PieceLexer::PieceLexer(const SourceMap& sources, FileId file, DiagnosticSink& sink) {
  if (auto plain = plain_text(sources, file, sink))
    lexer_ = std::make_unique<Lexer>(*std::move(plain), file);
  else
    unreadable_ = no_tokens(sources, file);
}

PieceLexer::~PieceLexer() = default;

LexedPiece PieceLexer::read(std::size_t place, std::size_t lines) {
  if (lexer_ != nullptr) return lexer_->read(place, lines);
  return {.list = unreadable_, .next = {}};
}

std::string_view PieceLexer::file_text() const {
  return lexer_ == nullptr ? std::string_view() : lexer_->file_text();
}

}  // namespace shard
