// The layouts of strategies that have a name.
#pragma once

#include <string>
#include <vector>

#include "interpreter/holes/open_block.h"
#include "interpreter/statements/entries.h"

namespace shard {

struct NamedStrategy {
  std::string name;               // empty: a mixture without one, which is a place to search from
  std::vector<HoleRows> layouts;  // ways to write it; none: these holes cannot say it
};
// FSDP, tensor parallelism and both (the documents' strategies for training): what has the first dimension of the last result is
// data, what has it not are weights; the last dimension of that result is the model's, others of weights are hidden. FSDP splits
// data by the first dimension and weights by the model's; tensor parallelism splits hidden dimensions, and the model's in data
// that have no hidden one. Besides, mixtures that keep weights whole along the axes of the data, or that data whole which have no
// hidden dimension.
std::vector<NamedStrategy> named_strategies(const OpenBlock& block,
                                            const std::vector<OpenAxis>& axes);
// Of each name the one that takes the least, of those that fit if there are any; of equal ones that which was known.
void keep_better(const std::vector<BestEntry::Strategy>& more,
                 std::vector<BestEntry::Strategy>& known);

}  // namespace shard
