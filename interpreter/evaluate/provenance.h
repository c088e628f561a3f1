// Where the numbers of a comparison came from, for an `expect` that does not hold.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "grammar/tree/ast.h"
#include "interpreter/ir/symbols.h"

namespace shard {

// "3 B more, 10.3 %": how far `left` is from `right`; empty where they have no difference in numbers.
std::string difference_text(const Value& left, const Value& right);

// A note for each name in the expression that the script gave a value, where it did so.
std::vector<Note> origins_of(const ast::Expr& expr, const Scope& scope);

// The figures that `c.time` and its like are made of, as expressions: `c.math`, `c.hbm`, `c.comms`.
std::vector<ast::Expr> parts_of(const ast::Expr& expr);

}  // namespace shard
