// Places in arrays as NumPy writes them: `A[0, :]` is `A[I = 0]`.
#pragma once

#include <optional>

#include "grammar/tree/ast.h"
#include "interpreter/check/brackets.h"

namespace shard {

// Of an array that is known, numbers in brackets that are not the length of their dimension as indices: of a name that stands alone
// in a statement. The expression itself if there are none.
ast::Expr with_places(ast::Expr expr, CheckContext& context);

// Whether a number in the brackets is a place whatever the array is: it is 0 or less, or beside `:` or a part.
bool counts_places(const ast::ArrayRef& array);

// Within a calculation a number may be a length that is wrong, so that one counts as a place only where no length can be meant
// (`counts_places`). nullopt if there is no such place.
std::optional<ast::Expr> picked_element(const ast::ArrayRef& array, CheckContext& context);

}  // namespace shard
