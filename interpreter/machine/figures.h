// The figures in the braces of `chip` and `hardware`.
#pragma once

#include <vector>

#include "interpreter/check/brackets.h"
#include "runtime/machine/chip.h"

namespace shard {

// Writes the figures into the chip. Reports BadChip and UnitMismatch, and leaves out what is wrong.
void read_figures(const std::vector<ast::Figure>& figures, Chip& chip, CheckContext& context);

}  // namespace shard
