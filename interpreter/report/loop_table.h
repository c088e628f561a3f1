// The table that `print` makes inside a loop.
#pragma once

#include <string>
#include <vector>

#include "interpreter/statements/entries.h"

namespace shard {

// The lines of the table, at most `width` columns wide: numbers aligned right, words left. Columns that do not fit are
// continued below; if not even one fits, each row becomes a list of its values.
std::vector<std::string> text_lines(const PrintedTable& table, std::size_t width);
// RFC 4180. Numbers at full precision, in the unit given in the heading.
std::string csv_text(const PrintedTable& table);

}  // namespace shard
