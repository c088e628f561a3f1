// Text to tokens.
//
// In this folder:
//   lexer.h   the way in: a text becomes tokens
//   token.h   tokens, one set for all spellings
//   number.h  numbers with suffixes and units
//   symbol.h  signs of the notation in all their spellings
//   word.h    names with their marks and primes
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "grammar/diagnostics/diagnostic.h"
#include "grammar/lex/token.h"
#include "grammar/source/source.h"

namespace shard {

// Never fails. Every spelling that needs no declarations ends here as one set of tokens. A text that is not readable
// at all draws one InvalidText and gives an empty list; foreign characters become Unknown tokens, which the parser
// reports once per statement.
TokenList lex(const SourceMap& sources, FileId file, DiagnosticSink& sink);

class Lexer;

// Some lines of a text. What is read of them before token `next` is the same as in the whole text, unless it reaches
// further.
struct LexedPiece {
  TokenList list;
  // Of the line that the next piece begins with, its token and its place; none: the text ends here.
  struct Next {
    std::size_t token;
    std::size_t place;
  };
  std::optional<Next> next;
};

// Tokens of a text piece by piece, so that those of a long one are never there at once.
class PieceLexer {
 public:
  // Reports what `lex` reports.
  PieceLexer(const SourceMap& sources, FileId file, DiagnosticSink& sink);
  ~PieceLexer();
  PieceLexer(const PieceLexer&) = delete;
  PieceLexer& operator=(const PieceLexer&) = delete;

  // At least `lines` lines, from `place` on: 0, or where an earlier piece was followed by another. Pieces are cut outside of
  // brackets, in front of lines that begin with a letter. `unclosed` is not told.
  LexedPiece read(std::size_t place, std::size_t lines);
  // The file's text, if there is no mark-up in it; else nothing.
  std::string_view file_text() const;

 private:
  std::unique_ptr<Lexer> lexer_;  // null: what is no text
  TokenList unreadable_;          // tokens of that
};

}  // namespace shard
