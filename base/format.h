// Numbers for people to read: the one place that decides how many digits are shown, and in which unit.
#pragma once

#include <string>
#include <string_view>

#include "base/rational.h"

namespace shard {

// 4 significant digits with a decimal prefix: "33.55 MB"; whole bytes below 1 kB exactly: "512 B".
std::string format_bytes(double bytes);
// "23.30 us", "5.965 ms", "2.395 s", "0 s"; 4 significant digits.
std::string format_seconds(double seconds);
// "137.4 GFLOPs", "2.199 TFLOPs", "512 FLOPs"; never "1.374e+11".
std::string format_flops(double flops);
// "459 TFLOP/s"
std::string format_flops_per_second(double rate);
// A plain number: integers below 1e15 whole, with thousands separators, anything else to 4 significant digits:
// "1,048,576", "13.69", "2.5e-07".
std::string format_number(double value);
// An integer with thousands separators: "268,435,456".
std::string format_integer(Rational::Integer value);
// 4 significant digits: "23.30", "559.2", "0.001234".
std::string format_significant(double value);

// The width, in columns, at which report lines are wrapped.
inline constexpr std::size_t kLineWidth = 100;

// The number of terminal columns that UTF-8 text takes: its code points, as our output has no combining marks.
std::size_t display_width(std::string_view text);
// The same of text with colours, `ESC [ … m`, which take no column.
std::size_t coloured_width(std::string_view text);
// The longest prefix of UTF-8 text, in whole code points, of at most that many bytes or columns.
std::string_view first_bytes(std::string_view text, std::size_t most);
std::string_view first_columns(std::string_view text, std::size_t most);
// `text` padded with blanks to `width` columns, on the right or on the left.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

}  // namespace shard
