// The signs of the notation for help, from grammar/tree/operators.def.
#pragma once

#include <span>
#include <string_view>

namespace shard {

struct Operator {
  std::string_view spellings;  // with blanks between them
  std::string_view example;
  std::string_view meaning;
};

std::span<const Operator> notation_signs();
// By any of its spellings; of `{max_X}` and `iota_J` with any name in the place of X and J. Null if there is none.
const Operator* find_operator(std::string_view word);

}  // namespace shard
