// Tables of lines from the documents: tab-separated cells below a head.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace shard::testing {

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

inline std::string text_of_file(const std::string& path) {
  std::ifstream file(std::string(SHARD_ROOT) + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

// The rows of tests/notation/NAME, `columns` cells each. `⏎` stands for a line's end.
inline std::vector<std::vector<std::string>> table(const std::string& name, std::size_t columns) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : split(text_of_file("tests/notation/" + name), '\n')) {
    std::vector<std::string> cells = split(line, '\t');
    cells.resize(columns);
    for (std::string& cell : cells) cell = replaced(cell, "⏎", "\n");
    rows.push_back(std::move(cells));
  }
  if (!rows.empty()) rows.erase(rows.begin());
  return rows;
}

}  // namespace shard::testing
