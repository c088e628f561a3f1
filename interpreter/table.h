// Rows of text in aligned columns.
#pragma once

#include <string>
#include <vector>

namespace shard {

// A first column that is as wide as it needs to be up to a limit, and columns aligned to the right behind it; a first
// cell that is wider stands on a line of its own above the others.
class Table {
 public:
  void add_row(std::vector<std::string> cells) { rows_.push_back({std::move(cells), false}); }
  // A line across all columns.
  void add_line(std::string text) { rows_.push_back({{std::move(text)}, true}); }
  // Every line ends with a newline; no line ends in blanks.
  std::string to_string() const;

 private:
  struct Row {
    std::vector<std::string> cells;
    bool is_line;
  };
  std::vector<Row> rows_;
};

}  // namespace shard
