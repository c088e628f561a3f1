#include "grammar/lex/word.h"

#include <algorithm>

#include "base/words.h"
#include "grammar/source/code_point.h"
#include "grammar/source/look_alike.h"

namespace shard {
namespace {

bool is_plain(char c) { return is_letter(c) || is_digit(c); }

// The length of a word of ASCII letters and digits with underscores between them, if nothing follows that could belong
// to it; else 0. Nearly all words are such.
std::size_t plain_word_length(std::string_view word) {
  std::size_t end = 0;
  while (end < word.size() && is_plain(word[end])) {
    ++end;
    if (end + 1 < word.size() && word[end] == '_' && is_plain(word[end + 1])) ++end;
  }
  if (end == word.size()) return end;
  const char next = word[end];
  const bool may_go_on =
      next == '_' || next == '\'' || next == '/' || static_cast<unsigned char>(next) >= 0x80;
  return may_go_on ? 0 : end;
}

}  // namespace

std::size_t letter_length(std::string_view text) {
  if (text.empty()) return 0;
  if (is_letter(text.front())) return 1;
  const auto lead = static_cast<unsigned char>(text.front());
  const std::string_view two = text.substr(0, 2);
  const bool sign = two == "×" || two == "÷" || two == "\u0387";
  // Latin up to U+027F, Greek from U+0370; combining marks are not letters.
  const bool letter = (lead >= 0xC3 && lead <= 0xC9) || (two >= "\u0370" && lead <= 0xCF);
  if (letter && !sign && code_point_length(text) == 2 && !look_alike(text)) return 2;
  return text.substr(0, 3) == "∂" ? 3 : 0;
}

std::size_t prime_length(std::string_view text) {
  if (text.empty()) return 0;
  if (static_cast<unsigned char>(text.front()) < 0x80) return text.front() == '\'' ? 1 : 0;
  for (const std::string_view prime : {"′", "’"}) {
    if (text.substr(0, prime.size()) == prime) return prime.size();
  }
  return 0;
}

std::size_t word_length(std::string_view word) {
  if (const std::size_t plain = plain_word_length(word)) return plain;
  std::size_t end = word.substr(0, 4) == "dL/d" && letter_length(word.substr(4)) > 0 ? 4 : 0;
  for (;;) {
    while (end < word.size() && (is_letter(word[end]) || is_digit(word[end]))) ++end;
    std::size_t place = end + no_width_length(word.substr(end));
    if (place < word.size() && word[place] == '_') {
      ++place;
      place += no_width_length(word.substr(place));
    }
    const std::string_view next = word.substr(place);
    const std::size_t letter = letter_length(next);
    const bool digit = !next.empty() && is_digit(next.front());
    if (letter == 0 && !digit) break;
    end = place + (digit ? 1 : letter);
  }
  const std::size_t primes = end;
  while (const std::size_t prime = prime_length(word.substr(end))) end += prime;
  while (end > primes && end < word.size() && is_digit(word[end])) ++end;
  return end;
}

bool is_typed(std::string_view word) {
  const bool ascii = std::all_of(word.begin(), word.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return ascii || typed(word) == word;
}

std::string typed(std::string_view word) {
  std::string result;
  while (!word.empty()) {
    const std::size_t unseen = no_width_length(word);
    const std::size_t prime = prime_length(word);
    if (unseen == 0) result += prime > 0 ? '\'' : word.front();
    word.remove_prefix(std::max({unseen, prime, std::size_t{1}}));
  }
  return result;
}

}  // namespace shard
