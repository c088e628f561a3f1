// Words: names with their marks and primes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shard {

// The number of bytes of the letter at the beginning: ASCII, Latin with diacritics, Greek, and `∂` of derivatives; 0 if
// there is none. A character that only looks like an ASCII letter does not count.
std::size_t letter_length(std::string_view text);
// The number of bytes of the prime at the beginning: typed, typeset or curled by a word processor; 0 if there is none.
std::size_t prime_length(std::string_view text);
// The number of bytes of the word at the beginning: letters and digits, underscores between them, primes and a number
// after the primes (`Out'1`). `dL/dOut` is one word: the derivative of the loss. Zero-width characters may occur
// inside.
std::size_t word_length(std::string_view text);

// A word with its primes as typed and without zero-width characters.
std::string typed(std::string_view word);
// Whether a word already has that form.
bool is_typed(std::string_view word);

}  // namespace shard
