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
  Quoted,      // 'X', "file.npy": `text` is what stands between the quotes
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
  Underscore,  // before a brace or a name that does not belong to the word: `I_{XY}`, `·_J`, `48k_X`
  Question,
  Prime,  // behind a subscript in braces: `W_{in}'`
  Pipe,
  LeftParen,
  RightParen,
  LeftBracket,
  RightBracket,
  LeftBrace,
  RightBrace,
  Unknown,  // a character that means nothing; the parser reports it where it stands in the way
};

// What a Number says.
struct NumberValue {
  Rational value;  // in base units; overflow if it is too large
  Unit unit;
};

// Small, as a script has many. Its texts are those of the TokenList that it stands in.
struct Token {
  TokenKind kind = TokenKind::End;
  bool line_start = false;  // first on its line
  bool glued = false;       // nothing between it and the token before it
  Span span;
  std::int32_t partner = -1;   // of a bracket: the index of its other half; -1: it has none
  std::uint32_t trivia = 0;    // how many trivia stand before it in the text
  std::string_view text = {};  // as written; of a Number its canonical spelling
  const NumberValue* number = nullptr;  // of a Number
};

// What the formatter keeps and the parser reads over: a comment with its `#`, or blank lines (several count as one).
struct Trivia {
  std::string comment;   // empty: blank lines
  bool own_line = true;  // no token before it on its line
};

// What tokens refer to.
struct TokenTexts {
  std::shared_ptr<const std::string> plain;  // the text without mark-up
  std::deque<std::string> spellings;         // that stand in it otherwise
  std::deque<NumberValue> numbers;
};

// Ends with an End token.
struct TokenList {
  std::vector<Token> tokens;
  std::vector<Trivia> trivia;
  std::shared_ptr<const TokenTexts> texts;
  bool unclosed = false;  // a bracket is open at the end of the text, and none is closed in vain
};

// Whether a statement goes on at the next line behind this token: an operator, a comma, an arrow.
bool expects_more(const Token& token);

}  // namespace shard
