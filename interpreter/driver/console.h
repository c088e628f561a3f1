// What the command says, and how it ends.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grammar/diagnostics/diagnostic.h"
#include "grammar/source/source.h"

namespace shard {

// A line on standard error. It may quote arguments and file names, which can contain anything.
void say(const std::string& message);
// Says what is wrong; the exit status of wrong usage.
int fail(const std::string& message);
// Whether what is written there is read at a terminal that has colours, by somebody who wants them (NO_COLOR).
bool shows_colour(int descriptor);
// The columns that what is written there is laid out for: those of the terminal that it is, else of a line in a file. COLUMNS says
// how many a terminal has where it is set.
std::size_t columns_of(int descriptor);
void show(const std::vector<Diagnostic>& diagnostics, const SourceMap& sources);

// An opened file gets the lowest free descriptor. If a standard stream is closed, the file would take its place and
// receive its output.
void hold_standard_numbers();
// `status`, unless the output could not be written completely, which is said: a partial output is not a report.
int finish(int status);
// The command itself, to be run in a process of its own.
std::string own_path();
// Ends the process. The system reclaims its memory at once, which for long scripts is much faster than freeing it piece
// by piece.
[[noreturn]] void leave(int status);
// What `run` returns; the message if memory runs out where nobody can say for what.
int within_memory(const std::function<int()>& run);

}  // namespace shard
