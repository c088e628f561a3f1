// What a run has to say, as text and as JSON. Both show the same figures.
#pragma once

#include <optional>
#include <string>

#include "interpreter/session/session.h"

namespace shard {

struct ReportOptions {
  bool verbose = false;      // error figures of --verify, every input
  bool incremental = false;  // a REPL: this input's statements only, without totals
  bool timeline = false;     // a picture of it
  bool memory = false;       // what is held, and while which step
};

// Aligned for 100 columns; the same bytes for every thread count. docs/language.md shows how to read it.
std::string text_report(const Outcome& outcome, const RunnerState& state,
                        const ReportOptions& options);

// What came of `--trace`.
struct TraceReport {
  std::string path;
  bool written = false;
  bool failed = false;      // it cannot be written, though there is one
  std::string reason = {};  // why it is not written
};

// One JSON object, documented in docs/report-schema.md. `trace`: nullopt if none was asked for.
std::string json_report(const Outcome& outcome, const RunnerState& state, const SourceMap& sources,
                        const std::optional<TraceReport>& trace = std::nullopt);

// The tables that `print` made inside loops, as CSV, with a blank line between two.
std::string csv_report(const Outcome& outcome);

// "TPUv5p 4x4x4, mesh {X: 4x4, Y: 4}: 64 devices".
std::string machine_line(const Program& program);

}  // namespace shard
