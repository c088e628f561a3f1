#include "tests/interpreter/properties/random_program/placement.h"

#include <algorithm>

namespace shard::random_program {

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool same_set(const Names& a, const Names& b) {
  return std::set<std::string>(a.begin(), a.end()) == std::set<std::string>(b.begin(), b.end());
}

std::size_t place_of(const Names& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

std::optional<std::size_t> split_by(const Placement& placement, const std::string& axis) {
  for (std::size_t i = 0; i < placement.dims.size(); ++i) {
    if (contains(placement.dims[i], axis)) return i;
  }
  return std::nullopt;
}

bool uses(const Placement& placement, const std::string& axis) {
  return split_by(placement, axis) || placement.unreduced.count(axis) != 0;
}

bool has_repetition(const Placement& placement) {
  std::set<std::string> seen = placement.unreduced;
  for (const Names& split : placement.dims) {
    for (const std::string& axis : split) {
      if (!seen.insert(axis).second) return true;
    }
  }
  return false;
}

Placement written(const Brackets& brackets) {
  return {.dims = brackets.axes,
          .unreduced = {brackets.unreduced.begin(), brackets.unreduced.end()}};
}

}  // namespace shard::random_program
