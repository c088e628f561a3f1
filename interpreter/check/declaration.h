// Arrays that are declared, and inputs that are mentioned.
#pragma once

#include "grammar/tree/ast.h"
#include "interpreter/check/operation.h"

namespace shard {

// `A: bf16[I_X, J]`. Reports UnknownDtype, RankMismatch, SizeMismatch, Redeclared, and what brackets report; false if an array is
// not there as it is declared.
bool check_declaration(const ast::Declaration& declaration, CheckContext& context);
// Whether brackets on the left of `=`, or after `→`, are those of the declaration, if that says what the array is to be: it
// is neither computed nor read before. Reports TargetMismatch.
bool check_as_declared(const ast::ArrayRef& target, const Brackets& brackets,
                       CheckContext& context);
// `A[I_X, J] = …`: from here on the array is an input in that layout, whatever it was before. False after a mistake.
bool check_given(const ast::ArrayRef& array, CheckContext& context);

}  // namespace shard
