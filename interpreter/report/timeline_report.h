// The timeline of a run as a picture in the terminal and as a trace.
#pragma once

#include <string>

#include "interpreter/session/session.h"

namespace shard {

// A row for each step that takes time, in the order in which they start: when it runs, on which streams, and whether the
// whole waits for it. Empty if times are no numbers.
std::string timeline_text(const Program& program, const Figures& figures);

// Why there is no picture, in a few words; empty if there is one.
std::string why_no_timeline(const Figures& figures);
// The same of all programs together, as a trace has them.
std::string why_no_trace(const Outcome& outcome);

// All programs in the trace event format, which Perfetto opens: a process for each place, a thread for each stream,
// microseconds.
std::string trace_json(const Outcome& outcome, const RunnerState& state);

}  // namespace shard
