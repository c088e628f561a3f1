// Numbers as a person reads them. One place decides how many digits are shown and which unit.
#pragma once

#include <string>
#include <string_view>

#include "base/rational.h"

namespace shard {

// 4 significant digits with a decimal unit: "33.55 MB", "512 B" (whole bytes below 1 kB exactly).
std::string format_bytes(double bytes);
// "23.30 us", "5.965 ms", "2.395 s", "0 s"; 4 significant digits.
std::string format_seconds(double seconds);
// "1.374e+11" style is never used: "137.4 GFLOPs", "2.199 TFLOPs", "512 FLOPs".
std::string format_flops(double flops);
// A plain number, 4 significant digits unless it is an integer below 1e15, which prints whole with
// thousands commas: "1,048,576", "13.69", "2.5e-07".
std::string format_number(double value);
// An integer with thousands commas: "268,435,456".
std::string format_integer(Rational::Integer value);
// 4 significant digits: "23.30", "559.2", "0.001234".
std::string format_significant(double value);

// Of lines of a report that can be wrapped, in columns.
inline constexpr std::size_t kLineWidth = 100;

// Number of terminal columns of UTF-8 text (code points; combining marks do not occur in our
// output).
std::size_t display_width(std::string_view text);
// The beginning of UTF-8 text: whole letters in at most so many bytes, or columns.
std::string_view first_bytes(std::string_view text, std::size_t most);
std::string_view first_columns(std::string_view text, std::size_t most);
// `text` followed by blanks up to `width` columns, or preceded by them.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

}  // namespace shard
