// `shard run`.
#pragma once

#include <optional>

#include "interpreter/driver/arguments.h"
#include "interpreter/session/session.h"

namespace shard {

// Those of a session with these options; nullopt after saying what is wrong with one.
std::optional<SessionOptions> session_options(const Arguments& arguments);

// The exit status.
int command_run(const Arguments& arguments);

}  // namespace shard
