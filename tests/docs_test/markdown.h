// Texts in Markdown: their prose, and what stands in fences.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grammar/document/fences.h"

namespace shard::docs {

struct Line {
  std::string text;
  std::size_t number = 0;  // of the file, from 1
};

// The lines outside of fences.
std::vector<Line> prose_lines(const std::string& text);
// What stands outside of fences.
std::string prose_of(const std::string& text);
// What the pattern's first group matches, everywhere in the text.
std::vector<std::string> all_matches(const std::string& text, const char* pattern);

}  // namespace shard::docs
