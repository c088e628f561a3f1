// What a program holds in the memory of each device, as tables.
#pragma once

#include <string>

#include "interpreter/estimate/figures.h"
#include "interpreter/program/program.h"

namespace shard {

// The largest copies at the peak, and a bar for each step; empty if sizes are missing.
std::string memory_text(const Program& program, const Figures& figures);

}  // namespace shard
