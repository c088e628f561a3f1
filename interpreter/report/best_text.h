// What `best { … }` found as lines of text.
#pragma once

#include <string>
#include <vector>

#include "interpreter/statements/entries.h"

namespace shard {

// At most as wide as the report, but for lines of the script.
std::vector<std::string> text_lines(const BestEntry& entry);

}  // namespace shard
