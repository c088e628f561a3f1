#include "tests/golden_runner/difference.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
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

// A line of --verify, cut around the exponent of its drift: "within fp32 rounding; drift 2^", -20,
// and what is left.
struct DriftLine {
  std::string_view before;
  int exponent = 0;
  std::string_view after;
};

// Of a line without a drift all is `before`.
DriftLine cut_at_drift(std::string_view line) {
  constexpr std::string_view kDrift = "drift 2^";
  const std::size_t begin = line.find(kDrift);
  if (begin == std::string_view::npos) return {.before = line};
  DriftLine cut{.before = line.substr(0, begin + kDrift.size())};
  line.remove_prefix(cut.before.size());
  const char* end = std::from_chars(line.data(), line.data() + line.size(), cut.exponent).ptr;
  cut.after = line.substr(static_cast<std::size_t>(end - line.data()));
  return cut;
}

bool equal_but_for_last_bits(std::string_view expected, std::string_view actual) {
  const DriftLine one = cut_at_drift(expected);
  const DriftLine other = cut_at_drift(actual);
  return one.before == other.before && one.after == other.after &&
         std::abs(one.exponent - other.exponent) <= 1;
}

}  // namespace

std::string with_drifts_of(std::string_view expected, std::string_view actual) {
  const Lines old_lines = split(expected);
  const Lines new_lines = split(actual);
  if (old_lines.size() != new_lines.size()) return std::string(actual);
  std::string text;
  for (std::size_t at = 0; at < new_lines.size(); ++at)
    text += equal_but_for_last_bits(old_lines[at], new_lines[at]) ? old_lines[at] : new_lines[at];
  return text;
}

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
