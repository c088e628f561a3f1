// The session at a terminal.
#pragma once

#include "interpreter/session/session.h"

namespace shard {

// Reads lines (libedit: history kept between sessions, completion of keywords and known names) until Ctrl-D or
// `:quit`. Returns the exit status.
int run_repl(SessionOptions options);

}  // namespace shard
