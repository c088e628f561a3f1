// Text to tree.
#pragma once

#include "grammar/ast.h"
#include "grammar/diagnostic.h"
#include "grammar/names.h"
#include "grammar/source.h"

namespace shard {

// Reads a whole file. Never fails: after a mistake it reports one diagnostic and goes on at the next statement, which
// stays in the module with `has_error`. `names` grows with what the text declares.
ast::Module parse(const SourceMap& sources, FileId file, Names& names, DiagnosticSink& sink);

// Whether the text ends inside a bracket, a block or after an operator, so that a REPL should ask for another line.
bool is_incomplete(std::string_view text);

}  // namespace shard
