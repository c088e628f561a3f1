// Small text helpers shared by every folder.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shard {

// Of ASCII.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The candidate nearest to `word` if it is near enough to be a slip of the finger (edit distance with
// transpositions at most 1 for up to 4 letters, else 2; letter case counts half); of equally near ones the one that
// begins alike. nullopt otherwise.
std::optional<std::string> nearest_name(std::string_view word,
                                        const std::vector<std::string>& candidates);

// "a", "a and b", "a, b and c".
std::string join_words(const std::vector<std::string>& words, std::string_view last = "and");
// The words of a table, row by row: `words_of(keywords(), &Keyword::word)`.
template <class Rows, class Word>
std::vector<std::string> words_of(const Rows& rows, Word word) {
  std::vector<std::string> words;
  for (const auto& row : rows) words.emplace_back(std::invoke(word, row));
  return words;
}
// Text of several lines as one: blanks at the seams are folded, lines inside braces are parted by `;`.
std::string one_line(std::string_view text);
// The pieces with `separator` between them.
std::string join(const std::vector<std::string>& pieces, std::string_view separator);

}  // namespace shard
