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

// What the first character of the UTF-8 text looks like: Cyrillic and Greek letters that are drawn as Latin ones, the
// Greek question mark, and the full-width forms of ASCII. nullopt if it looks like nothing of ASCII. No name has any of
// these: nobody could see that it is another one.
std::optional<LookAlike> look_alike(std::string_view text);

}  // namespace shard
