// What the chip lacks for the times of a statement.
#pragma once

#include "interpreter/program/program.h"
#include "interpreter/statements/statement.h"

namespace shard {

// Notes of the last statement, each once for a chip: an element type whose rate is borrowed (RateMissing), a figure without which
// times are formulas (FigureMissing).
void note_missing_figures(const Program& program, RunContext& context);

}  // namespace shard
