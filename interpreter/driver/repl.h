// The interactive session.
//
// In this folder:
//   repl.h        the interactive session
//   completion.h  what Tab offers
//   help.h        `shard help` and `:help`
//   main.cpp      the command and its arguments
#pragma once

#include "interpreter/session/session.h"

namespace shard {

// Reads lines (with libedit: a history kept between sessions, completion of keywords and known names) until Ctrl-D or
// `:quit`. Returns the exit status.
int run_repl(SessionOptions options);

}  // namespace shard
