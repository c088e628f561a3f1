// The commands: `run`, `check`, `fmt`, `test`, `help`, and none.
#pragma once

#include "interpreter/driver/arguments.h"

namespace shard {

// Does what the arguments say. The exit status.
int carry_out(const Arguments& arguments);

}  // namespace shard
