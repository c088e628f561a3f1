// The timeline of a run as a picture in the terminal and as a trace.
#pragma once

#include <string>

#include "interpreter/session/session.h"

namespace shard {

// A row for each step that takes time, in order of start: when it runs, on which streams, and whether it is critical.
// Empty if times are not numbers.
std::string timeline_text(const Program& program, const Figures& figures);

// Why there is no picture, in a few words; empty if there is one.
std::string why_no_timeline(const Figures& figures);
// Why there is no trace, for all programs together; empty if there is one.
std::string why_no_trace(const Outcome& outcome);

// All programs in the trace event format, which Perfetto opens: a process per place, a thread per stream, in
// microseconds.
std::string trace_json(const Outcome& outcome, const RunnerState& state);

}  // namespace shard
