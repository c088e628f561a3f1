// Sides of branches that the sizes at hand do not take: their layouts are decided as if they were.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "interpreter/holes/open_block.h"

namespace shard {

// The holes that stand in such sides alone. `ran`: the statements of the block that ran, by OpenBlock::statements.
std::set<std::size_t> untaken_holes(const OpenBlock& block, const std::set<std::size_t>& ran);

// With a condition that holds, or one that does not, for each branch of which one side has a hole: that side is taken. Of a branch
// with holes on both, the first.
std::vector<ast::Statement> with_open_sides(std::vector<ast::Statement> body);

}  // namespace shard
