// Rows of a chart in the terminal: a text followed by a bar.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace shard {

// A chart shows no more rows than this: a longer one is not read, and the caller names the option that has all.
inline constexpr std::size_t kMostRows = 200;

// The first columns of the text, padded to the width that all rows have.
std::string fitted(const std::string& text);
// A bar from one share of the width to another, at least one column wide.
std::string bar(double from, double to, const char* glyph);
// Bars within one row: `add` what is busy from one share of the width to another. A column is as dark as it is busy.
class DensityBar {
 public:
  void add(double from, double to);
  std::string text() const;
  // In front of another one, which is seen lightly where this one is idle.
  std::string over(const DensityBar& other) const;

 private:
  double at(std::size_t column) const { return column < busy_.size() ? busy_[column] : 0; }

  std::vector<double> busy_;  // by column: its share
};
// "  and 12 more steps, which --trace shows" if there are more than kMostRows rows, else empty.
std::string more_rows(std::size_t rows, const char* option);

}  // namespace shard
