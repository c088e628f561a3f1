#include "tests/golden_runner/difference.h"

#include <algorithm>
#include <vector>

namespace shard::golden {
namespace {

constexpr std::size_t kContext = 2;
constexpr std::size_t kLongest = 20;

using Lines = std::vector<std::string_view>;

Lines split(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// Writes lines [begin, end) behind `mark`, at most kLongest.
void append(std::string& excerpt, char mark, const Lines& lines, std::size_t begin,
            std::size_t end) {
  const std::size_t cut = std::min(end, begin + kLongest);
  for (std::size_t at = begin; at < cut; ++at) {
    excerpt += mark;
    excerpt += lines[at];
    if (lines[at].back() != '\n') excerpt += "\n\\ no line end\n";
  }
  if (cut < end) excerpt += std::string("  ... ") + std::to_string(end - cut) + " more\n";
}

}  // namespace

std::string difference(std::string_view expected, std::string_view actual) {
  if (expected == actual) return "";
  const Lines old_lines = split(expected);
  const Lines new_lines = split(actual);
  const std::size_t shorter = std::min(old_lines.size(), new_lines.size());
  std::size_t head = 0;
  while (head < shorter && old_lines[head] == new_lines[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head && old_lines.rbegin()[tail] == new_lines.rbegin()[tail]) ++tail;

  std::string excerpt = "@@ line " + std::to_string(head + 1) + " @@\n";
  append(excerpt, ' ', old_lines, head - std::min(head, kContext), head);
  append(excerpt, '-', old_lines, head, old_lines.size() - tail);
  append(excerpt, '+', new_lines, head, new_lines.size() - tail);
  append(excerpt, ' ', old_lines, old_lines.size() - tail,
         old_lines.size() - tail + std::min(tail, kContext));
  return excerpt;
}

}  // namespace shard::golden
