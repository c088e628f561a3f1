// The interactive session.
//
// In this folder:
//   repl.h                       the interactive session at its terminal
//   editor/line_editor.h, editor/history.h     lines typed there; what was typed, kept between sessions
//   signs.def                    signs that Tab gives for their names
//   shell.h                      the session as it is typed to: inputs, commands, habits of other programs
//   session_command.h            its commands and settings, from session_commands.def and settings.def
//   habit.h                      what other programs call them, from habits.def
//   size_options.h               `--scale`, `--set`: on how large arrays a plan is executed
//   settings.h                   what `:set` changes
//   saved_script.h, script_writer.h   the session as a script
//   listing.h, colour.h          what the session has, as text; colours and lines of what it answers
//   editor/completion.h          what Tab offers
//   help.h                       `shard help` and `:help`
//   arguments.h                  the arguments of the command
//   commands.h, run_command.h    what it does: `check`, `fmt`, `help`; `run`
//   read_command.h               `read`: the notation in articles
//   script_files.h               the scripts that it is given
//   script_outputs.h             what the scripts of an article print
//   console.h                    what it says, and how it ends
//   main.cpp                     the command
#pragma once

#include <string>
#include <vector>

#include "interpreter/session/session.h"

namespace shard {

// Runs the files, and then reads lines until Ctrl-D, `:quit`, or a signal that ends the process. Returns the exit status.
int run_repl(SessionOptions options, const std::vector<std::string>& files);

}  // namespace shard
