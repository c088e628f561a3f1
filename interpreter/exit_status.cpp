#include "interpreter/exit_status.h"

#include <algorithm>

namespace shard {

namespace {

bool fails_while_running(DiagnosticKind kind) {
  return kind == DiagnosticKind::ExpectFailed || kind == DiagnosticKind::ExpectedErrorMissing ||
         kind == DiagnosticKind::Undecidable || kind == DiagnosticKind::OutOfDeviceMemory ||
         kind == DiagnosticKind::OutOfHostMemory || kind == DiagnosticKind::TooMuchWork ||
         kind == DiagnosticKind::ExecutionFailed || kind == DiagnosticKind::LinkFailed ||
         kind == DiagnosticKind::DeviceFailed;
}

}  // namespace

ExitStatus status_of(const std::vector<Diagnostic>& diagnostics) {
  // A file that is no text is not read at all.
  const bool unreadable = std::any_of(
      diagnostics.begin(), diagnostics.end(),
      [](const Diagnostic& diagnostic) { return diagnostic.kind == DiagnosticKind::InvalidText; });
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
