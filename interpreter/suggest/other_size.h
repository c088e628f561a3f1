// A size that is given a second time.
#pragma once

#include <string_view>

#include "grammar/diagnostics/diagnostic.h"
#include "grammar/tree/ast.h"
#include "interpreter/ir/symbols.h"

namespace shard {

// A size was bound twice: the statement that ran before, `last`, is priced with the other size, if it has that dimension.
void mend_other_size(const ast::Statement& statement, std::string_view text, std::string_view last,
                     const Scope& scope, DiagnosticSink& sink);

}  // namespace shard
