// The lines below a program's table: its totals, times and memory.
#pragma once

#include <string>
#include <vector>

#include "interpreter/estimate/figures.h"
#include "interpreter/program/program.h"

namespace shard {

// Indented, below the line of the totals themselves.
std::vector<std::string> total_lines(const Program& program, const Figures& figures);

// "2.282 GB of 96.00 GB at Z=0; in the script's order 2.000 GB": the peak that is judged, the chip's memory, where the
// fullest device is, and the peak in script order if it differs.
std::string peak_text(const Program& program, const Figures& figures);

}  // namespace shard
