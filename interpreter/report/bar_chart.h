// Rows of a chart in the terminal: a text, and a bar behind it.
#pragma once

#include <cstddef>
#include <string>

namespace shard {

// Beyond so many rows a chart shows nothing.
inline constexpr std::size_t kMostRows = 200;

// The first columns of the text, filled up with blanks to the width that all rows have.
std::string fitted(const std::string& text);
// A bar from one share of the width to another, of at least one column.
std::string bar(double from, double to, const char* glyph);
// "  and 12 more steps, which --trace shows", if there are more than kMostRows.
std::string more_rows(std::size_t rows, const char* option);

}  // namespace shard
