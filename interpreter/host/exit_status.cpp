#include "interpreter/host/exit_status.h"

#include <algorithm>

namespace shard {

namespace {

bool fails_while_running(DiagnosticKind kind) {
  const Phase phase = info(kind).phase;
  return phase == Phase::Answering || phase == Phase::Running;
}

}  // namespace

ExitStatus status_of(const std::vector<Diagnostic>& diagnostics) {
  // A file that is not text is not read at all.
  const bool unreadable = std::any_of(
      diagnostics.begin(), diagnostics.end(),
      [](const Diagnostic& diagnostic) { return info(diagnostic.kind).phase == Phase::File; });
  if (unreadable) return ExitStatus::Usage;
  ExitStatus status = ExitStatus::Fine;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (info(diagnostic.kind).severity != Severity::Error) continue;
    if (!fails_while_running(diagnostic.kind)) return ExitStatus::ProgramErrors;
    status = ExitStatus::RunFailed;
  }
  return status;
}

}  // namespace shard
