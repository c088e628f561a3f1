// Words, numbers, texts and signs of other languages. Private to the folder.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace shard {

struct ForeignToken {
  enum class Kind { Word, Number, Text, Sign, End };

  Kind kind = Kind::End;
  std::string_view text = {};  // of a Text without its quotes
  std::size_t begin = 0;
  std::size_t end = 0;
  bool glued = false;      // nothing between it and the token before it
  bool formatted = false;  // a Text with an `f` in front
};

// Whether the token is this word or sign, and no text in quotes.
inline bool is(const ForeignToken& token, std::string_view text) {
  return token.text == text && token.kind != ForeignToken::Kind::Text;
}

// Ends with an End token. nullopt where a text is not closed. What stands behind `#` is passed over.
std::optional<std::vector<ForeignToken>> foreign_tokens(std::string_view text);

}  // namespace shard
