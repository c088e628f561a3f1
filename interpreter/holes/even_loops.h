// Loops of a block whose passes differ in nothing but the part of an array that each of them takes: layers, which from the second
// or third on take what the one before took. What the whole loop takes is known from a few of its passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "grammar/tree/ast.h"
#include "interpreter/ir/symbols.h"

namespace shard {

struct EvenLoop {
  std::size_t statement = 0;  // of the block
  std::int64_t begin = 0;     // value of its variable in the first pass
  std::int64_t passes = 0;
  ast::Expr end;  // as it is written
};

// Those over a range between numbers that are known, whose variable is written as an index of dimensions that no axis cuts and
// nowhere else, also not in functions that are called, and which only compute: what they print or bind may differ by pass.
std::vector<EvenLoop> even_loops(const std::vector<ast::Statement>& body, const Scope& scope);

}  // namespace shard
