// Letters and signs of other scripts that look like those of the notation.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace shard {

struct LookAlike {
  char32_t code_point;
  char meant;
};

// The ASCII character that the first character of the UTF-8 text looks like: Cyrillic and Greek letters drawn like
// Latin ones, the Greek question mark, and the full-width forms of ASCII. nullopt if it resembles none. Names contain
// no such characters, because nobody could see the difference.
std::optional<LookAlike> look_alike(std::string_view text);

}  // namespace shard
