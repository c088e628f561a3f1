// Rows of text in aligned columns.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace shard {

// A first column that is as wide as it needs to be up to a limit, and columns aligned to the right behind it; a first
// cell that is wider stands on a line of its own above the others.
class Table {
 public:
  // Cells behind the first one, which many rows may have.
  using Cells = std::shared_ptr<const std::vector<std::string>>;

  void add_row(std::string first, Cells others) {
    rows_.push_back({std::move(first), std::move(others)});
  }
  void add_row(std::vector<std::string> cells);
  // A line across all columns, or several.
  void add_line(std::string text) { rows_.push_back({std::move(text), nullptr}); }
  // Every line ends with a newline; no line ends in blanks.
  std::string to_string() const;

 private:
  struct Row {
    std::string first;
    Cells others;  // null: a line
  };
  // Of the columns behind the first one.
  std::vector<std::size_t> widths() const;

  std::vector<Row> rows_;
};

}  // namespace shard
