// The interactive session.
//
// In this folder:
//   repl.h                       the interactive session
//   completion.h                 what Tab offers
//   help.h                       `shard help` and `:help`
//   arguments.h                  the arguments of the command
//   commands.h, run_command.h    what it does: `check`, `fmt`, `help`; `run`
//   script_files.h               the scripts that it is given
//   console.h                    what it says, and how it ends
//   main.cpp                     the command
#pragma once

#include "interpreter/session/session.h"

namespace shard {

// Reads lines (with libedit: a history kept between sessions, completion of keywords and known names) until Ctrl-D or
// `:quit`. Returns the exit status.
int run_repl(SessionOptions options);

}  // namespace shard
