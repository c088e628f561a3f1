// `shard run`.
#pragma once

#include "interpreter/driver/arguments.h"

namespace shard {

// The exit status.
int command_run(const Arguments& arguments);

}  // namespace shard
