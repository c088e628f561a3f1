// What Tab offers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/ir/symbols.h"

namespace shard {

struct Completion {
  std::vector<std::string> candidates;  // sorted
  std::string
      insert;  // what all of them go on with behind the word; a blank after a single keyword
};

// The word that `before`, the line up to the cursor, ends in: keywords at the start of a statement; collectives,
// functions, arrays, dimensions, scalars, axes and chips elsewhere; figures behind `c.`, topics behind `:help`.
Completion complete_word(std::string_view before, const Scope& scope);

}  // namespace shard
