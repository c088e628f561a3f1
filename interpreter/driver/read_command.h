// `shard read`: the notation in articles.
#pragma once

#include "interpreter/driver/arguments.h"

namespace shard {

// The exit status.
int command_read(const Arguments& arguments);

}  // namespace shard
