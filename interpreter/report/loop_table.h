// The table that `print` makes inside a loop.
#pragma once

#include <string>
#include <vector>

#include "interpreter/statements/entries.h"

namespace shard {

// The lines of the table, at most `width` columns wide: numbers to the right, words to the left. Columns that do not
// fit go on below; where even one does not, each row is a list of its values.
std::vector<std::string> text_lines(const PrintedTable& table, std::size_t width);
// RFC 4180. Numbers as they are reckoned with, in the unit that the heading says.
std::string csv_text(const PrintedTable& table);

}  // namespace shard
