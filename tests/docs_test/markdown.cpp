#include "tests/docs_test/markdown.h"

#include <regex>
#include <sstream>

namespace shard::docs {

Words Part::info() const {
  std::istringstream stream(is_fence ? opening.substr(3) : "");
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

bool Part::is(std::string_view language) const {
  const Words words = info();
  return !words.empty() && words.front() == language;
}

std::vector<Part> parts_of(const std::string& text) {
  std::vector<Part> parts;
  std::istringstream lines(text);
  bool inside = false;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const bool is_fence = line.starts_with("```");
    if (inside && is_fence) {
      inside = false;
    } else if (inside) {
      parts.back().body += line + "\n";
    } else {
      parts.push_back({.opening = line, .body = "", .is_fence = is_fence, .line = number});
      inside = is_fence;
    }
  }
  return parts;
}

std::string to_text(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts) {
    text += part.opening + "\n";
    if (part.is_fence) text += part.body + "```\n";
  }
  return text;
}

std::vector<std::string> all_matches(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) {
    found.push_back((*at)[1]);
  }
  return found;
}

std::string prose_of(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts) text += part.is_fence ? "" : part.opening + "\n";
  return text;
}

}  // namespace shard::docs
