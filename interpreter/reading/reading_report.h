// What was read of a document, as text and as JSON. docs/reading.md shows both.
#pragma once

#include <string>

#include "interpreter/reading/reading.h"

namespace shard {

// A line for each statement, with its place, its verdict and what it costs; below it what is wrong. Laid out for line_width().
std::string text_report(const ReadDocument& document);

// One JSON object, documented in docs/report-schema.md.
std::string json_report(const ReadDocument& document);

}  // namespace shard
