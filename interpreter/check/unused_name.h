// Names for what a message proposes.
#pragma once

#include <initializer_list>
#include <string>

#include "interpreter/ir/symbols.h"

namespace shard {

// The first of these that means nothing in the script so far; if all do, one made of the first.
std::string unused_name(std::initializer_list<const char*> names, const Scope& scope);
// For an array.
inline std::string unused_array_name(const Scope& scope) {
  return unused_name({"C", "D", "E", "P", "Q", "T"}, scope);
}

}  // namespace shard
