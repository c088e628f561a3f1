#include "tests/docs_test/markdown.h"

#include <algorithm>
#include <regex>

namespace shard::docs {

std::vector<Line> prose_lines(const std::string& text) {
  const std::vector<Fence> fences = fences_of(text);
  std::vector<Line> lines;
  std::size_t number = 0;
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    ++number;
    const bool is_in_fence = std::any_of(fences.begin(), fences.end(), [&](const Fence& fence) {
      return fence.begin <= begin && begin < fence.end;
    });
    if (!is_in_fence) lines.push_back({.text = text.substr(begin, end - begin), .number = number});
  }
  return lines;
}

std::string prose_of(const std::string& text) {
  std::string prose;
  for (const Line& line : prose_lines(text)) prose += line.text + "\n";
  return prose;
}

std::vector<std::string> all_matches(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) {
    found.push_back((*at)[1]);
  }
  return found;
}

}  // namespace shard::docs
