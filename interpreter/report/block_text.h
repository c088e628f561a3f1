// A cost block as lines of text: its figures, or its steps.
#pragma once

#include <string>
#include <vector>

#include "interpreter/statements/entries.h"

namespace shard {

// At most 100 columns wide.
std::vector<std::string> text_lines(const FiguresEntry& entry);
// The rows that fit on a screen; the rest as one.
std::vector<std::string> text_lines(const StepsEntry& entry);

}  // namespace shard
