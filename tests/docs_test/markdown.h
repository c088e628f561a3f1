// Texts in Markdown: their prose, and what stands in fences.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace shard::docs {

using Words = std::vector<std::string>;

// A line outside of fences, or a fence with what is inside.
struct Part {
  std::string opening;  // the line, or the fence's first one: "```shard run"
  std::string body;     // lines inside a fence, each with its end
  bool is_fence = false;
  std::size_t line = 0;  // of the file, from 1

  Words info() const;
  bool is(std::string_view language) const;
};

std::vector<Part> parts_of(const std::string& text);
std::string to_text(const std::vector<Part>& parts);
// What stands outside of fences.
std::string prose_of(const std::vector<Part>& parts);
// What the pattern's first group matches, everywhere in the text.
std::vector<std::string> all_matches(const std::string& text, const char* pattern);

}  // namespace shard::docs
