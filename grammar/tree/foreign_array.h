// Arrays that lines of other languages would have made, as far as those lines tell.
#pragma once

#include <string>
#include <vector>

namespace shard {

// `B_X` of `x[B_X, D]`.
struct ForeignDimension {
  std::string name;
  std::vector<std::string> axes = {};
};

struct ForeignArray {
  std::vector<ForeignDimension> dimensions = {};
  std::vector<std::string> unreduced = {};  // axes of `{U_X}`
  std::string placed = {};                  // `{Z=0}`
};

}  // namespace shard
