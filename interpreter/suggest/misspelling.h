// Names that are probably slips of the finger, which only the whole text shows.
#pragma once

#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "grammar/tree/ast.h"

namespace shard {

// Warns of names that stand once in a text without mistakes, and in the place of another one: an array that differs by one
// edit from one with the same dimensions, a dimension that renames another one, a size that nothing has, where a dimension
// beside those with sizes has none.
void warn_of_misspellings(const std::vector<ast::Statement>& statements, DiagnosticSink& sink);

}  // namespace shard
