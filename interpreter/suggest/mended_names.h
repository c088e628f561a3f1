// Names that stand for nothing, and what the rest of their statement says of them.
#pragma once

#include <string>
#include <string_view>

#include "grammar/diagnostics/diagnostic.h"
#include "grammar/source/source.h"
#include "grammar/tree/ast.h"
#include "interpreter/ir/symbols.h"

namespace shard {

// Of an axis that the mesh does not have was reported: its first place in the line is marked. If no other name is like it, the line
// gets the axis that its brackets or its collective have.
void mend_axes(const ast::Statement& statement, std::string_view text, const Scope& scope,
               DiagnosticSink& sink);

// An array among what is printed: its bytes are a number.
void mend_printed_arrays(const ast::Statement& statement, std::string_view text, const Scope& scope,
                         DiagnosticSink& sink);

// Figures that stand alone, `max(T_math, T_comms)`, become those of a block, all of them at once. Where there is no block,
// one of `last` is made, the statement that ran before.
void mend_figures(const ast::Statement& statement, std::string_view text, std::string_view last,
                  const Scope& scope, DiagnosticSink& sink);

// A function that is called above its definition: what calls it goes below.
void mend_early_calls(const ast::Statement& statement, const SourceMap& sources,
                      DiagnosticSink& sink);

// A name for a block that nothing has.
std::string free_block_name(const Scope& scope);

}  // namespace shard
