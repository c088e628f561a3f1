// Arrays that are declared, and inputs that are mentioned.
#pragma once

#include "grammar/ast.h"
#include "interpreter/check_operation.h"

namespace shard {

// `A: bf16[I_X, J]`. Reports UnknownDtype, RankMismatch, SizeMismatch, Redeclared, and what brackets report.
void check_declaration(const ast::Declaration& declaration, CheckContext& context);
// `A[I_X, J] = …`: from here on the array is an input in that layout, whatever it was before. False after a mistake.
bool check_given(const ast::ArrayRef& array, CheckContext& context);

}  // namespace shard
