// Tokens: one set for all spellings of the language.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/rational.h"
#include "base/unit.h"
#include "grammar/source/source.h"

namespace shard {

enum class TokenKind : std::uint8_t {
  End,         // of the text
  Identifier,  // `A`, `W_in`, `I_X`, `Out'1`, `dL/dOut`: a word with its inner underscores
  Number,      // with suffix and unit: `48k`, `4.5e10 B/s`
  Quoted,      // 'X', "file.npy": `text` is what is between the quotes
  Arrow,       // → -> ⟶
  Times,       // · • ⋅ *
  At,          // @
  CircledDot,  // ⊙
  Cross,       // × and the x of `4x4`
  Plus,
  Minus,
  PlusMinus,  // ± +/-
  Slash,
  DoubleSlash,  // `//` inside brackets
  Caret,
  Percent,
  Equal,       // =
  EqualEqual,  // ==
  NotEqual,    // != ≠
  Less,
  LessEqual,  // <= ≤
  Greater,
  GreaterEqual,  // >= ≥
  Approx,        // ≈ ~=
  Comma,
  Semicolon,
  Colon,
  Dot,
  DotDot,
  Ellipsis,    // … ...
  Underscore,  // before a brace or a name that is not part of the word: `I_{XY}`, `·_J`, `48k_X`
  Question,
  Prime,  // after a subscript in braces: `W_{in}'`
  Pipe,
  LeftParen,
  RightParen,
  LeftBracket,
  RightBracket,
  LeftBrace,
  RightBrace,
  Unknown,  // a meaningless character; the parser reports it where it matters
};

// What a Number stands for.
struct NumberValue {
  Rational value;  // in base units; overflow if it is too large
  Unit unit;
};

// Small, as a script has many. Its texts belong to the TokenList that it is in.
struct Token {
  TokenKind kind = TokenKind::End;
  bool line_start = false;  // first on its line
  bool glued = false;       // directly after the previous token
  Span span;
  std::int32_t partner = -1;            // of a bracket: the index of its other half; -1: none
  std::uint32_t trivia = 0;             // how many trivia come before it in the text
  std::string_view text = {};           // as written; of a Number its canonical spelling
  const NumberValue* number = nullptr;  // of a Number
};

// What the formatter keeps and the parser skips: a comment with its `#`, or blank lines (several count as one).
struct Trivia {
  std::string comment;   // empty: blank lines
  bool own_line = true;  // no token before it on its line
};

// What tokens point into.
struct TokenTexts {
  std::shared_ptr<const std::string> plain;  // the text without markup
  std::deque<std::string> spellings;         // those that differ from it
  std::deque<NumberValue> numbers;
};

// Ends with an End token.
struct TokenList {
  std::vector<Token> tokens;
  std::vector<Trivia> trivia;
  std::shared_ptr<const TokenTexts> texts;
  bool unclosed = false;  // a bracket is open at the end of the text, and no closer is unmatched
};

// Whether a statement continues on the next line after this token: an operator, a comma, an arrow.
bool expects_more(const Token& token);

}  // namespace shard
