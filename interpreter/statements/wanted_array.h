// Arrays whose contents a statement asks for: to print them, or to compare them when the run is over.
#pragma once

#include <optional>

#include "interpreter/statements/run_context.h"

namespace shard {

// Whether it is an array that is known, an element of it, or what operators and functions of the language make of arrays. A bare
// name that has a value or is a dimension is that, and one of a figure of the chip's is the array, as `chip.C` is the figure.
bool asks_for_array(const ast::Expr& expr, const Scope& scope);

// What becomes of what is computed for it: in a session it may be what `_` means from here on.
enum class Unnamed { Forgotten, LastValue };

// Its copy, wanted when the run is over. What is computed for it is a statement of the plan. Numbers in brackets are places, as NumPy
// writes them: `A[0, :]` is `A[I = 0]`. Reports what checking the expression reports.
std::optional<CopyId> wanted_array(const ast::Expr& written, const ast::Statement& statement,
                                   RunContext& context, Unnamed unnamed = Unnamed::Forgotten);

// Whether a known array stands there with places or a part in its brackets: `A[0, :]`.
bool asks_for_elements(const ast::Expr& expr, RunContext& context);

}  // namespace shard
