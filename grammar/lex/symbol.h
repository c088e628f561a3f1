// Signs of the notation in all their spellings. Private to the folder.
#pragma once

#include <string_view>

#include "base/words.h"
#include "grammar/lex/token.h"

namespace shard {

struct Symbol {
  std::string_view spelling;
  TokenKind kind;
};

// Whether only a sign of the notation can begin with this character.
constexpr bool is_only_sign(char c) {
  const bool ascii = static_cast<unsigned char>(c) < 0x80;
  return ascii && !is_letter(c) && !is_digit(c) && c != '.' && c != '/' && c != '\'' && c != '"';
}

// The longest sign with which the text begins; null if there is none. REQUIRES: a non-empty text.
const Symbol* find_symbol(std::string_view text);

}  // namespace shard
