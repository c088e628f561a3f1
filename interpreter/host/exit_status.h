// How a run of the command ends.
#pragma once

#include <vector>

#include "grammar/diagnostics/diagnostic.h"

namespace shard {

enum class ExitStatus { Fine = 0, ProgramErrors = 1, Usage = 2, RunFailed = 3 };

// Usage if the text cannot be read at all.
ExitStatus status_of(const std::vector<Diagnostic>& diagnostics);
// Whether the program can run and has something to report.
inline bool is_sound(ExitStatus status) {
  return status == ExitStatus::Fine || status == ExitStatus::RunFailed;
}

}  // namespace shard
