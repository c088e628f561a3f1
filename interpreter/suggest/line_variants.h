// A statement with one name exchanged for another, as a slip of the hand would have it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/ir/symbols.h"

namespace shard {

// Where a variant differs from the text, in bytes.
struct LineVariant {
  std::string line;
  std::size_t begin = 0;
  std::size_t end = 0;
  bool shorter = false;  // something is left out
};

// Of a text that is one statement: an axis exchanged for another of the mesh or left out, a dimension for another one of the
// statement or its arrays, a mark `{U_X}` left out. Nothing of any other text.
std::vector<LineVariant> variants_of(const std::string& text, const Scope& scope);

// `S2`, or `S2_2` of `S2`: a name that nothing has so far and that does not stand in the text.
std::string free_name(const std::string& name, const Scope& scope, std::string_view text = {});

// Of a dimension that stands twice in the same brackets, at `place` of the text: the second one gets a name of its own, with the
// size of the first, and so does the array that brings it, the last one of the line first.
std::vector<std::string> with_second_name(const std::string& text, std::size_t place,
                                          const Scope& scope);

}  // namespace shard
