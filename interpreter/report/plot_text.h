// The picture of `plot`, drawn as lines of text.
#pragma once

#include <string>
#include <vector>

#include "interpreter/statements/entries.h"

namespace shard {

// As wide as a line is. Curves are told apart by their signs, of ASCII, and not by colour.
std::vector<std::string> text_lines(const PlotEntry& plot);

}  // namespace shard
