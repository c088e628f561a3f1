// The names of axes and dimensions in a statement, by where they stand.
#pragma once

#include <concepts>
#include <string_view>
#include <vector>

#include "grammar/tree/ast.h"

namespace shard {

// A statement about one array: `save A "a.npy"`, `drop A[I_X]`, `show A[I_X]`, `send A[I] from 0 to 1`.
template <typename Node>
concept NamesOneArray = requires(const Node& node) {
  { node.array } -> std::same_as<const ast::ArrayRef&>;
};

// Brackets with their marks.
struct BracketPart {
  std::vector<ast::Dimension> dimensions;
  std::vector<ast::Identifier> unreduced;
  std::vector<ast::Identifier> placed;  // the axes of `{Z=0}`
};
BracketPart bracket_part(const ast::ArrayRef& array);

// Pointers into the statement.
struct StatementParts {
  std::vector<BracketPart> brackets;
  std::vector<const ast::Collective*> collectives;
  std::vector<const ast::Product*> products;
  std::vector<const ast::Call*> calls;
  std::vector<const ast::Identifier*> axes;  // on their own: `overlap X`, `c.comms(X)`, `link X[3]`
};
// For the statement alone: statements in its blocks have parts of their own.
StatementParts parts_of(const ast::Statement& statement);

// All arrays of an expression, left to right.
std::vector<const ast::ArrayRef*> arrays_in(const ast::Expr& expr);
// Whether one of them has that name, in any spelling.
bool names_array(const ast::Expr& expr, std::string_view name);

}  // namespace shard
