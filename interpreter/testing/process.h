// Running a command in a process of its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shard::test {

// How a process ended: by itself, as its exit status says; by a signal; or because it was stopped.
enum class Ended { Exited, Signalled, TimedOut, WroteTooMuch, Interrupted, NotStarted };

struct Execution {
  std::string output;
  std::string errors;
  int status = 0;  // exit status; 128 + signal if a signal ended it
  Ended ended = Ended::Exited;
  int signal = 0;
};

// Ample for every script that is not stuck.
inline constexpr double kDefaultTimeout = 300;  // seconds
// Of standard output and standard error each, in bytes: nobody compares more.
inline constexpr std::size_t kMostOutput = std::size_t{256} << 20;

struct Launch {
  std::vector<std::string> command;  // program first, no search in PATH
  std::string input;                 // its standard input
  std::string folder;                // where it is run; empty: here
  double timeout = kDefaultTimeout;
};

// Runs it and waits for it. It is killed at the end of its time, and at an interrupt (interpreter/host/interrupt.h). May be called
// from several threads.
Execution execute(const Launch& launch);
Execution execute(const std::vector<std::string>& command, std::string_view input);

}  // namespace shard::test
