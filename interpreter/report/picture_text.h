// The picture of `show`, drawn as lines of text.
#pragma once

#include <string>
#include <vector>

#include "interpreter/statements/entries.h"

namespace shard {

// At most 100 columns wide.
std::vector<std::string> text_lines(const Picture& picture);

}  // namespace shard
