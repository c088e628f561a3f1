// What a terminal shows: its colours, and lines of its width.
#pragma once

#include <string>
#include <string_view>

namespace shard {

// A report in which headings are bold, what was inferred is yellow, and verdicts are green or red.
std::string coloured_report(const std::string& report);

// Messages and helps that are longer than a line are broken at blanks. A help that is a line to be typed, and the source that a
// message shows, stay as they are.
std::string wrapped_diagnostics(std::string_view rendered);

}  // namespace shard
