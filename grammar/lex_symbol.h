// Signs of the notation in all their spellings. Private to the folder.
#pragma once

#include <string_view>

#include "grammar/token.h"

namespace shard {

struct Symbol {
  std::string_view spelling;
  TokenKind kind;
};

// The longest sign that the text begins with; null if there is none. REQUIRES: a text that is not empty.
const Symbol* find_symbol(std::string_view text);

}  // namespace shard
