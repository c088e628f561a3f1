// Places in arrays as NumPy writes them: `A[0, :]` is `A[I = 0]`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grammar/tree/ast.h"
#include "interpreter/check/brackets.h"

namespace shard {

// Whether a name begins as those of sizes do, with a capital letter: `K`. In small letters a number may be an index, `i`.
bool is_size_like(const std::string& name);

// `…` in the brackets as all of each dimension that is not written, split as it is. `rank`: of the array.
void open_rest(ast::ArrayRef& array, std::size_t rank);

// Of an array that is known, numbers and scalars in brackets as indices, unless they are the lengths of all its dimensions, and so the
// whole array: of a name that stands alone in a statement. The expression itself if there are none.
ast::Expr with_places(ast::Expr expr, CheckContext& context);

// Whether numbers in the brackets may be places within a calculation: one is 0 or less, or beside `:` or a part; or the brackets hold
// nothing else, `A[2, 3]`. Beside names of dimensions a number is a length, which may be wrong.
bool counts_places(const ast::ArrayRef& array);

// The element or the part that is read then, of an array that is known. nullopt if there is none.
std::optional<ast::Expr> picked_element(const ast::ArrayRef& array, CheckContext& context);
// The same on the left of `=`, unless the value says that an array is made anew.
std::optional<ast::Expr> changed_element(const ast::ArrayRef& target, const ast::Expr& value,
                                         CheckContext& context);

// The places that `[3]`, `[i]` or `[0, 2]` behind an expression name, one for each dimension; empty where the brackets are a layout.
std::vector<ast::Expr> places_behind(const ast::Shaped& shaped, const Scope& scope);

}  // namespace shard
