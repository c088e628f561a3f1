// Small text helpers that every folder shares.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace shard {

// ASCII only.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
// A character of an ASCII name: a letter, a digit or `_`.
constexpr bool is_name_character(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

// The candidate nearest to `word`, if close enough to be a typo: an edit distance, with transpositions, of at most 1
// for up to 4 letters (for a single letter, only its case), else 2; letter case counts half. Ties go to the candidate
// with the longest common prefix. nullopt if none is close enough.
std::optional<std::string> nearest_name(std::string_view word,
                                        const std::vector<std::string>& candidates);

// "a", "a and b", "a, b and c".
std::string join_words(const std::vector<std::string>& words, std::string_view last = "and");
// A column of a table, one word per row: `words_of(keywords(), &Keyword::word)`.
template <class Rows, class Word>
std::vector<std::string> words_of(const Rows& rows, Word word) {
  std::vector<std::string> words;
  for (const auto& row : rows) words.emplace_back(std::invoke(word, row));
  return words;
}
// Runs of letters, digits and what is not ASCII: of statements as they are printed more than the names, and each of them.
std::set<std::string> letter_runs(std::string_view text);
// Multi-line text as a single line: whitespace at line breaks is folded, lines inside braces are separated by `;`.
std::string one_line(std::string_view text);
// The pieces, separated by `separator`.
std::string join(const std::vector<std::string>& pieces, std::string_view separator);

}  // namespace shard
