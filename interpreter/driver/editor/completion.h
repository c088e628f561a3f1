// What Tab offers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/ir/symbols.h"

namespace shard {

struct Completion {
  std::vector<std::string> candidates;  // sorted
  std::string insert;        // common continuation after the word; a blank after a single keyword
  std::size_t replaced = 0;  // characters before the cursor that it takes the place of
};

// Completes the word at the end of `before`, the line up to the cursor: keywords at the start of a statement;
// collectives, functions, arrays, dimensions, scalars, axes and chips elsewhere; figures after `c.`, commands of the session after
// `:` and what they take after these. `\to` and other names of signs (interpreter/driver/signs.def) become the sign.
Completion complete_word(std::string_view before, const Scope& scope);

// The path with the home folder for `~` at its beginning.
std::string with_home(const std::string& path);

}  // namespace shard
