#include "interpreter/table.h"

#include <algorithm>

#include "base/format.h"

namespace shard {

namespace {

constexpr std::size_t kLineWidth = 100;
constexpr std::size_t kGap = 2;

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string Table::to_string() const {
  std::vector<std::size_t> widths;
  for (const Row& row : rows_) {
    if (row.is_line) continue;
    widths.resize(std::max(widths.size(), row.cells.size()));
    for (std::size_t i = 1; i < row.cells.size(); ++i)
      widths[i] = std::max(widths[i], display_width(row.cells[i]));
  }
  std::size_t others = 0;
  for (std::size_t i = 1; i < widths.size(); ++i) others += widths[i] + kGap;
  const std::size_t room = kLineWidth > others ? kLineWidth - others : 0;
  std::size_t first = 0;
  for (const Row& row : rows_) {
    const std::size_t width = row.is_line ? 0 : display_width(row.cells.front());
    if (width <= room) first = std::max(first, width);
  }
  std::string text;
  for (const Row& row : rows_) {
    std::string line = row.cells.front();
    if (row.is_line) {
      text += without_trailing_blanks(line) + "\n";
      continue;
    }
    if (display_width(line) > first) {
      text += without_trailing_blanks(line) + "\n";
      line.clear();
    }
    line = pad_right(line, first);
    for (std::size_t i = 1; i < row.cells.size(); ++i)
      line += std::string(kGap, ' ') + pad_left(row.cells[i], widths[i]);
    text += without_trailing_blanks(line) + "\n";
  }
  return text;
}

}  // namespace shard
