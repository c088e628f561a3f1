// All hops from a layout, kept for the next search: among meshes and ranks alike they are the same whatever the array.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "interpreter/planning/search/hop.h"
#include "interpreter/planning/search/relayout.h"

namespace shard::planning {

struct KeyedHop {
  std::uint64_t to;  // a NarrowKey
  AxisMask axes;
  HopKind kind;
};

class HopLists {
 public:
  static constexpr std::size_t kAxes = 3;  // at most
  // Those that hold for the problem; null where hops depend on more than lists tell apart: lengths that not all axes cut, arrays at
  // places, collectives over a whole set of axes, or so many layouts that each is met once at most. They are forgotten once they
  // take some 16 MB, by the next call.
  static HopLists* of(const Relayout& problem, const Ground& ground);

  // In the order of Neighbours::find_others and find_permutes.
  const std::vector<KeyedHop>& from(const NarrowKey& key, const Ground& ground);

 private:
  std::unordered_map<std::uint64_t, std::vector<KeyedHop>> lists_;
};

}  // namespace shard::planning
