// Where a random program's array lies: which axes split which dimension, by name.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/interpreter/properties/random_program/text.h"

namespace shard::random_program {

struct Placement {
  std::vector<Names> dims;
  std::set<std::string> unreduced;
  friend bool operator==(const Placement&, const Placement&) = default;
};

bool contains(const Names& names, const std::string& name);
bool same_set(const Names& a, const Names& b);
// The position of a name; the number of names if it is not there.
std::size_t place_of(const Names& names, const std::string& name);

// What brackets say, axes of length 1 and all.
Placement written(const Brackets& brackets);
// The dimension that an axis splits.
std::optional<std::size_t> split_by(const Placement& placement, const std::string& axis);
bool uses(const Placement& placement, const std::string& axis);
bool has_repetition(const Placement& placement);

}  // namespace shard::random_program
