// The words of collectives in chains of arrays without brackets. Private to the folder.
#pragma once

#include <string>

namespace shard {

// `AG`, `all-gather` and so on, as a regular expression.
std::string pattern_of_collective_words();

}  // namespace shard
