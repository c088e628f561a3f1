// Where notation is within a text. Private to the folder.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/posted/posted.h"
#include "grammar/posted/remark.h"

namespace shard {

struct PostedRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  PostedKind kind = PostedKind::Unreadable;
};

enum class PostedSource {
  Line,
  Article,  // a word before a type may be the array's name wherever it stands: `with an input In: bf16[B, D]`
};

inline bool is_gap_blank(char c) { return c == ' ' || c == '\t' || c == kDelimiter; }
std::string without_delimiters(std::string_view text);
// Whether the text has axes behind the lengths of a type, or marks that only JAX has.
bool has_printed_type(std::string_view line);

// The arrays, facts and statements of the text, from left to right.
std::vector<PostedRange> search_posted(std::string_view text, const PostedNames& names,
                                       PostedSource source);

}  // namespace shard
