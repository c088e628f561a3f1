// What a run reports, as text and as JSON. Both show the same figures.
//
// In this folder:
//   text_report.h                                          what a run reports, as text; as JSON in json/report.cpp
//   json/machine.h, json/statement.h, json/plot.h, json/printed.h, json/writer.h     parts of a report as JSON; JSON written piece by piece
//   cost_text.h, totals_text.h, run_text.h, memory_text.h  costs, totals, outcomes and memory as text
//   timeline_report.h, bar_chart.h                         the timeline as a picture and as a trace; rows of a chart
//   shown_statements.h, statement_rows.h                   which statements are shown, and their rows
//   table.h, loop_table.h, picture_text.h                  aligned columns; the table of a loop; the picture of `show`
//   plot_scale.h, plot_text.h, plot_svg.h, plot_files.h     pictures of `plot`: axes, in the terminal, as SVG, saved
//   block_text.h, best_text.h, array_text.h                a cost block's figures and steps; what an array holds
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "interpreter/session/session.h"

namespace shard {

struct ReportOptions {
  bool verbose = false;      // error figures of --verify, every input, every step
  bool verify = false;       // a comparison is asked for: what could not be compared is said
  bool incremental = false;  // for a REPL: only the statements of this input, without totals
  bool timeline = false;     // draws the timeline
  bool memory = false;       // what is held, and during which step
  const SourceMap* sources = nullptr;  // for lines of the script that are named; null: none are
};

// Laid out for 100 columns; the same bytes for every thread count. docs/language.md shows how to read it.
std::string text_report(const Outcome& outcome, const RunnerState& state,
                        const ReportOptions& options);

// The outcome of `--trace`.
struct TraceReport {
  std::string path;
  bool written = false;
  bool failed = false;      // there is a trace, but it could not be written
  std::string reason = {};  // why it was not written
};

// One JSON object, documented in docs/report-schema.md. `trace`: nullopt if none was asked for.
std::string json_report(const Outcome& outcome, const RunnerState& state, const SourceMap& sources,
                        const std::optional<TraceReport>& trace = std::nullopt);

// The tables that `print` made inside loops, as CSV, separated by blank lines.
std::string csv_report(const Outcome& outcome);
// Said where that is empty.
inline constexpr std::string_view kNoTables =
    "no table is written, for nothing is printed inside of a loop";

// "TPUv5p 4x4x4, mesh {X: 4x4, Y: 4}: 64 devices".
std::string machine_line(const Program& program);

}  // namespace shard
