#include "interpreter/report/array_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/format.h"
#include "base/line_width.h"
#include "base/words.h"

namespace shard {

namespace {

// With the prompt of a session they stay on a screen of 24 lines.
constexpr std::size_t kMostLines = 20;

class ArrayText {
 public:
  explicit ArrayText(const ArrayEntry& entry) : entry_(entry) {
    for (const double value : entry.values) {
      texts_.push_back(format_number(value));
      width_ = std::max(width_, texts_.back().size());
    }
    const std::size_t rank = entry.shown.size();
    columns_ = rank > 0 ? entry.shown[rank - 1].size() : 1;
    rows_ = rank > 1 ? entry.shown[rank - 2].size() : 1;
    if (columns_ > 0 && rows_ > 0) blocks_ = texts_.size() / (columns_ * rows_);
  }

  std::vector<std::string> lines() {
    for (std::size_t block = 0; block < blocks_; ++block) {
      if (entry_.shown.size() > 2) lines_.push_back("    " + place_of(block));
      for (std::size_t row = 0; row < rows_; ++row) {
        if (row > 0 && is_gap(entry_.shown[entry_.shown.size() - 2], row))
          lines_.push_back("    …");
        add_row((block * rows_ + row) * columns_);
      }
    }
    if (lines_.size() > kMostLines) {
      lines_.resize(kMostLines - 1);
      lines_.push_back("    … `save` writes all of it");
    }
    return std::move(lines_);
  }

 private:
  // Whether the index stands behind others that are not shown.
  static bool is_gap(const std::vector<std::int64_t>& shown, std::size_t i) {
    return i > 0 && shown[i] != shown[i - 1] + 1;
  }

  // "[0, 2, :, :]"
  std::string place_of(std::size_t block) const {
    std::vector<std::string> places(entry_.shown.size(), ":");
    for (std::size_t d = entry_.shown.size() - 2; d-- > 0;) {
      const auto& shown = entry_.shown[d];
      places[d] = std::to_string(shown[block % shown.size()]);
      block /= shown.size();
    }
    return "[" + join(places, ", ") + "]";
  }

  // Numbers in columns; what does not fit is continued below.
  void add_row(std::size_t first) {
    std::string line = "    ";
    for (std::size_t i = 0; i < columns_; ++i) {
      const bool gap = !entry_.shown.empty() && is_gap(entry_.shown.back(), i);
      const std::string cell =
          (gap ? std::string("  …") : "") + "  " + pad_left(texts_[first + i], width_);
      if (display_width(line) + display_width(cell) > line_width()) {
        lines_.push_back(line);
        line = "      ";
      }
      line += cell;
    }
    lines_.push_back(line);
  }

  const ArrayEntry& entry_;
  std::vector<std::string> texts_;
  std::size_t width_ = 0;
  std::size_t columns_ = 1;
  std::size_t rows_ = 1;
  std::size_t blocks_ = 0;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> text_lines(const ArrayEntry& entry) {
  const std::string heading = fmt::format("{}: {}", entry.array, entry.type);
  if (!entry.is_there) return {heading + ", not run"};
  // A single number stands in the line.
  if (entry.shown.empty())
    return {fmt::format("{} = {}", heading, format_number(entry.values.front()))};
  std::vector<std::string> lines = {heading};
  for (std::string& line : ArrayText(entry).lines()) lines.push_back(std::move(line));
  if (entry.values.empty()) lines.front() += ", empty";
  return lines;
}

}  // namespace shard
