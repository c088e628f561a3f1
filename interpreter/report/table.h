// Rows of text in aligned columns.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace shard {

// A first column as wide as it needs to be up to a limit, followed by right-aligned columns. A wider first cell gets a
// line of its own above the others.
class Table {
 public:
  // The cells after the first one, which many rows may share.
  using Cells = std::shared_ptr<const std::vector<std::string>>;

  void add_row(std::string first, Cells others) {
    rows_.push_back({std::move(first), std::move(others)});
  }
  void add_row(std::vector<std::string> cells);
  // One or several lines across all columns.
  void add_line(std::string text) { rows_.push_back({std::move(text), nullptr}); }
  // Every line ends with a newline and has no trailing blanks.
  std::string to_string() const;

 private:
  struct Row {
    std::string first;
    Cells others;  // null: a line across all columns
  };
  // Of the columns after the first one.
  std::vector<std::size_t> widths() const;

  std::vector<Row> rows_;
};

}  // namespace shard
