// Statements of other languages: their mistakes, reported with what the script's names mean.
#pragma once

#include <string_view>

#include "grammar/diagnostics/diagnostic.h"
#include "grammar/source/source.h"
#include "grammar/tree/ast.h"
#include "interpreter/ir/symbols.h"

namespace shard {

// A mistake was reported in the statement. If it is a line of another language, it is reported as such, with the line that says
// it here; the arrays that it would have made are known to later ones.
void retell_foreign(const ast::Statement& statement, const SourceMap& sources, Scope& scope,
                    DiagnosticSink& sink);

}  // namespace shard
