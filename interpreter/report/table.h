// Rows of text in aligned columns.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace shard {

// A first column as wide as it needs to be up to a limit, followed by right-aligned columns. A first cell reaches over the
// columns that its row leaves blank; a wider one gets a line of its own above the others, broken at blanks.
class Table {
 public:
  // The cells after the first one, which many rows may share.
  using Cells = std::shared_ptr<const std::vector<std::string>>;

  // `below`: stands before the others where they are on a line below the first cell, if there is room for it.
  void add_row(std::string first, Cells others, std::string below = "") {
    rows_.push_back({std::move(first), std::move(others), std::move(below)});
  }
  void add_row(std::vector<std::string> cells);
  // One or several lines across all columns.
  void add_line(std::string text) { rows_.push_back({std::move(text), nullptr, {}}); }
  // Every line ends with a newline and has no trailing blanks.
  std::string to_string() const;

 private:
  struct Row {
    std::string first;
    Cells others;  // null: a line across all columns
    std::string below;
  };
  // `tail`: what stands behind the first column, which begins with that many blank columns.
  static void write(const Row& row, std::size_t width, std::size_t first, const std::string& tail,
                    std::size_t blank, std::string& text);
  // Of the columns after the first one.
  std::vector<std::size_t> widths() const;
  // What a line has beside columns that are so wide.
  static std::size_t room_beside(const std::vector<std::size_t>& columns, std::size_t gap);
  // `all_fit`: left true where no first cell needs a line of its own.
  std::string to_string(std::size_t gap, bool& all_fit) const;

  std::vector<Row> rows_;
};

}  // namespace shard
