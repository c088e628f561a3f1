// Text to tokens.
#pragma once

#include "grammar/diagnostic.h"
#include "grammar/source.h"
#include "grammar/token.h"

namespace shard {

// Never fails. Every spelling that needs no declarations ends here as one set of tokens. A text that is not readable
// at all draws one InvalidText and gives an empty list; foreign characters become Unknown tokens, which the parser
// reports once per statement.
TokenList lex(const SourceMap& sources, FileId file, DiagnosticSink& sink);

}  // namespace shard
