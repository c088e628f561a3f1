// What an array holds, as lines of text.
#pragma once

#include <string>
#include <vector>

#include "interpreter/statements/entries.h"

namespace shard {

// At most 100 columns wide, and no more lines than a screen has: "loss: fp32[B_X]", then a row per index of the last dimension
// but one, for each place in the dimensions before it.
std::vector<std::string> text_lines(const ArrayEntry& entry);

}  // namespace shard
