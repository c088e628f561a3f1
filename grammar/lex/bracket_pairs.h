// Which bracket closes which. Private to the folder.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "grammar/lex/token.h"

namespace shard {

// Pairs the brackets of tokens as they are added. A bracket that is never closed, and one that closes nothing, stays without a
// partner.
class BracketPairs {
 public:
  // Openers since the last open brace.
  struct Level {
    int parens = 0;
    int brackets = 0;
  };

  BracketPairs(std::vector<Token>& tokens, std::string_view text) : tokens_(tokens), text_(text) {}

  // Before the first token of a piece.
  void begin();
  // The last token is of this kind, a bracket or none, and ends at `place` of the text.
  void match(TokenKind kind, std::size_t place);
  // A line ends, and the next one begins at `place`.
  void end_line(std::size_t place);

  bool all_closed() const { return open_.empty(); }
  // An opener lacks its closer, and every closer had an opener.
  bool is_unclosed() const { return !open_.empty() && !stray_closer_; }
  const Level& level() const { return levels_.back(); }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  void count(TokenKind opener, int change);
  bool can_close(TokenKind opener) const;
  std::size_t pop_opener();
  void close(TokenKind opener);
  std::string_view behind_blanks(std::size_t place, std::string_view blanks) const;
  bool is_inline_brace(std::size_t place) const;

  std::vector<Token>& tokens_;
  std::string_view text_;
  std::vector<std::size_t> open_;  // openers without a partner so far
  std::size_t inline_ = kNone;     // index in `open_`: the first inline brace of this line
  std::vector<Level> levels_ = {{}};
  bool stray_closer_ = false;
};

}  // namespace shard
