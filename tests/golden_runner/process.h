// Running the command under test.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shard::golden {

struct Execution {
  std::string output;
  std::string errors;
  int status = 0;  // exit status; 128 + signal if a signal ended it
};

// Runs `command` (program first, no search in PATH) with `input` as its standard input, and waits
// for it. After `kSecondsLimit` seconds it is killed. May be called from several threads.
Execution execute(const std::vector<std::string>& command, std::string_view input);
inline constexpr unsigned kSecondsLimit = 300;

}  // namespace shard::golden
