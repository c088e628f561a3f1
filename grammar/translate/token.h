// Words, numbers, texts and signs of other languages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
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

// The tokens of a line. The last one is an End token, which stands at every place after it and before the first one, too: who
// looks ahead or back needs no bound.
class ForeignTokens {
 public:
  // REQUIRES: the last one is an End token.
  explicit ForeignTokens(std::vector<ForeignToken> tokens) : tokens_(std::move(tokens)) {}

  const ForeignToken& operator[](std::size_t i) const {
    return tokens_[std::min(i, tokens_.size() - 1)];
  }
  std::size_t size() const { return tokens_.size(); }  // with the End token
  const ForeignToken& front() const { return tokens_.front(); }
  const ForeignToken& back() const { return tokens_.back(); }
  auto begin() const { return tokens_.begin(); }
  auto end() const { return tokens_.end(); }

 private:
  std::vector<ForeignToken> tokens_;
};

// Behind the group that the token opens; the number of the tokens if nothing closes it.
std::size_t behind_group(const ForeignTokens& tokens, std::size_t open);

// nullopt where a text is not closed. What stands after `#` is passed over.
std::optional<ForeignTokens> foreign_tokens(std::string_view text);

}  // namespace shard
