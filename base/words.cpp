#include "base/words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace shard {
namespace {

// Names longer than this are never considered slips of one another, which bounds the table below.
constexpr std::size_t kLongestName = 64;
// Distances count half edits, so that a wrong letter case weighs half as much as a wrong letter.
constexpr int kEdit = 2;
constexpr int kCase = 1;

int letter_cost(char a, char b) {
  if (a == b) return 0;
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return lower(a) == lower(b) ? kCase : kEdit;
}

// Edit distance with transpositions of neighbours (optimal string alignment).
// REQUIRES: neither is longer than kLongestName.
int distance(std::string_view a, std::string_view b) {
  // Only the last two rows are needed to compute the next.
  std::array<std::array<int, kLongestName + 1>, 3> rows{};
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = static_cast<int>(j) * kEdit;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    const auto& above = rows[(i - 1) % 3];
    const auto& second = rows[(i + 1) % 3];
    auto& row = rows[i % 3];
    row[0] = static_cast<int>(i) * kEdit;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min(
          {above[j] + kEdit, row[j - 1] + kEdit, above[j - 1] + letter_cost(a[i - 1], b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], second[j - 2] + kEdit);
    }
  }
  return rows[a.size() % 3][b.size()];
}

std::size_t common_prefix(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                                  a.begin());
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view word,
                                        const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > kLongestName) return std::nullopt;
  // Any two single letters are one edit apart, so for one letter only its case can be a slip. Two edits out of four
  // letters would match nearly any short name.
  const int allowed = word.size() == 1 ? kCase : word.size() <= 4 ? kEdit : 2 * kEdit;
  std::optional<std::string> nearest;
  int best = allowed + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestName) continue;
    // Each extra letter is an edit.
    const std::size_t longer = std::max(word.size(), candidate.size());
    const std::size_t shorter = std::min(word.size(), candidate.size());
    if (static_cast<int>(longer - shorter) * kEdit > best) continue;
    const int found = distance(word, candidate);
    const bool begins_alike =
        found == best && nearest && common_prefix(word, candidate) > common_prefix(word, *nearest);
    if (found < best || begins_alike) {
      best = found;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string join_words(const std::vector<std::string>& words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " " + std::string(last) + " " : ", ";
    text += words[i];
  }
  return text;
}

std::string join(const std::vector<std::string>& pieces, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0) text += separator;
    text += pieces[i];
  }
  return text;
}

namespace {

// Whether the line ends with an operator or a comma, so that its statement does not end with it.
bool goes_on(std::string_view line) {
  constexpr std::array<std::string_view, 21> kSigns = {"+", "-", "*", "/", "^", "%", "=",
                                                       "<", ">", ",", "·", "→", "×", "−",
                                                       "÷", "≤", "≥", "≈", "≠", "⊙", "⊗"};
  return std::any_of(kSigns.begin(), kSigns.end(),
                     [&](std::string_view sign) { return line.ends_with(sign); });
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line;
  int open = 0;  // parentheses and square brackets
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\n') {
      line += text[i];
      open += static_cast<int>(text[i] == '(' || text[i] == '[');
      open -= static_cast<int>(text[i] == ')' || text[i] == ']');
      continue;
    }
    while (i + 1 < text.size() && (text[i + 1] == ' ' || text[i + 1] == '\n')) ++i;
    line.erase(line.find_last_not_of(' ') + 1);
    const bool opens = !line.empty() && line.back() == '{';
    const bool closes = i + 1 < text.size() && text[i + 1] == '}';
    line += opens || closes || open > 0 || goes_on(line) ? " " : "; ";
  }
  return line;
}

std::set<std::string> letter_runs(std::string_view text) {
  std::set<std::string> runs;
  std::string run;
  for (const char c : text) {
    if (is_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80) {
      run += c;
    } else if (!run.empty()) {
      runs.insert(std::exchange(run, ""));
    }
  }
  if (!run.empty()) runs.insert(run);
  return runs;
}

}  // namespace shard
