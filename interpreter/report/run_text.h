// The outcome of a run, as the report states it below the costs.
#pragma once

#include <string>

#include "interpreter/report/text_report.h"

namespace shard {

// What was refused, stopped or clamped, and how the arrays compare with the unsharded computation.
std::string execution_text(const Execution& execution, const Outcome& outcome,
                           const RunnerState& state, const ReportOptions& options);

// In place of a comparison where nothing was executed: why, and what would be; empty if something was.
std::string nothing_compared_text(const Execution& execution);

// Appends saved files and expectations to `text`.
void append_expectations(const Outcome& outcome, std::string& text);

// "executed on smaller arrays: B 48,000 → 768" behind the indent; empty if none was smaller.
std::string smaller_arrays_text(const Execution& execution, const std::string& indent);

}  // namespace shard
