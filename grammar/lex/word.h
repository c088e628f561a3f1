// Words: names with their marks and primes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shard {

// The bytes of the letter at the beginning: ASCII, Latin with marks, Greek, and `∂` of derivatives; 0 if none. What
// looks like a letter of ASCII and is another one is none.
std::size_t letter_length(std::string_view text);
// The bytes of the prime at the beginning: typed, typeset or curled by a word processor; 0 if none.
std::size_t prime_length(std::string_view text);
// The bytes of the word at the beginning: letters and digits, underscores between them, primes and a number behind the
// primes (`Out'1`). `dL/dOut` is one word: the derivative of the loss. Signs of no width may stand inside.
std::size_t word_length(std::string_view text);

// A word with its primes as they are typed, and without signs of no width.
std::string typed(std::string_view word);
// Whether a word is that already.
bool is_typed(std::string_view word);

}  // namespace shard
