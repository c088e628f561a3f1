// Text to tokens.
//
// In this folder:
//   lexer.h          the entry point: turns a text into tokens
//   token.h          tokens, one set for all spellings
//   number.h         numbers with suffixes and units
//   symbol.h         signs of the notation in all their spellings
//   word.h           names with their marks and primes
//   bracket_pairs.h  which bracket closes which
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "grammar/diagnostics/diagnostic.h"
#include "grammar/lex/token.h"
#include "grammar/markup/plain_text.h"
#include "grammar/source/source.h"

namespace shard {

// Never fails. All spellings that need no declarations become one set of tokens. A text that is not readable at all
// gets one InvalidText and an empty list; foreign characters become Unknown tokens, which the parser reports once per
// statement.
TokenList lex(const SourceMap& sources, FileId file, DiagnosticSink& sink);
// Of a part of the file, whose markup was removed.
TokenList lex(PlainText part, FileId file);

class Lexer;

// Some lines of a text. Whatever is read from its tokens before `next` is the same as in the whole text, unless it
// reaches beyond.
struct LexedPiece {
  TokenList list;
  // The first token of the line with which the next piece begins, and its position; none: the text ends here.
  struct Next {
    std::size_t token;
    std::size_t place;
  };
  std::optional<Next> next;
};

// Lexes a text piece by piece, so that the tokens of a long one never exist all at once.
class PieceLexer {
 public:
  // Reports what `lex` reports.
  PieceLexer(const SourceMap& sources, FileId file, DiagnosticSink& sink);
  ~PieceLexer();
  PieceLexer(const PieceLexer&) = delete;
  PieceLexer& operator=(const PieceLexer&) = delete;

  // At least `lines` lines starting at `place`: 0, or where an earlier piece was followed by another one. Pieces are
  // cut outside of brackets, before lines that begin with a letter. `unclosed` is not set.
  LexedPiece read(std::size_t place, std::size_t lines);
  // The file's text if it has no markup; otherwise empty.
  std::string_view file_text() const;

 private:
  std::unique_ptr<Lexer> lexer_;  // null: the file is not text
  TokenList unreadable_;          // its tokens in that case
};

}  // namespace shard
