// Values for symbols that elements are computed with: `x / D`, where nothing says how long D is.
#pragma once

#include "interpreter/program/program.h"

namespace shard {

// In the steps of the plan and in the statements that they come from.
void put_values(const Values& values, Program& program);

}  // namespace shard
