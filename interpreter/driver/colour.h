// Colours of what a terminal shows.
#pragma once

#include <string>

namespace shard {

// A report in which headings are bold, what was inferred is yellow, and verdicts are green or red.
std::string coloured_report(const std::string& report);

}  // namespace shard
