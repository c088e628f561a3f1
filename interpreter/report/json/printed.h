// Printed values as JSON.
#pragma once

#include <cstddef>

#include "interpreter/report/json/writer.h"
#include "interpreter/statements/entries.h"

namespace shard {

// {"value": 23.3e-6, "unit": "s", "text": "23.30 us"}; of words and formulas only the text. What `solve` found has `crossings`, what
// `when` found `size` and `ranges`, as docs/report-schema.md says.
JsonText::Json json_of(const PrintedCell& cell);
JsonText::Json json_of(const PrintedEntry& printed, std::size_t index);
JsonText::Json json_of(const PrintedTable& table, std::size_t index);

}  // namespace shard
