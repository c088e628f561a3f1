// Axes of the mesh that differ in nothing but their names.
#pragma once

#include <cstddef>
#include <vector>

#include "interpreter/holes/open_block.h"

namespace shard {

// For each way but the one that changes nothing in which such axes may change places: by row of `OpenBlock::rows` the row with these
// axes changed. What the block takes is the same. Axes are alike if they are as long, over equal links, and nothing names them: no
// statement of the block, and no array of the scope. Without the formulas of the cost model, where messages on the links may meet in
// one order or in another, and with faults, none are. REQUIRES: the block is as it was written.
std::vector<std::vector<std::size_t>> mirrored_rows(const OpenBlock& block, const Scope& scope);

}  // namespace shard
