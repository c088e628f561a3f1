#include "interpreter/planning/search/distance_bound.h"

#include <algorithm>
#include <cmath>

namespace shard::planning {

DistanceBound::DistanceBound(const Ground& ground)
    : ground_(ground), bytes_(ground.local_bytes(ground.target())), least_hop_(HUGE_VAL) {
  bandwidth_ = ground.bandwidth((AxisMask{1} << ground.axes()) - 1);
  for (std::size_t a = 0; a < ground.axes(); ++a) {
    least_hop_ = std::min(least_hop_, ground.hop(a));
    if (ground.target().splits(a)) ++counts_[ground.target().dimension(a)];
  }
}

// Up to where a subscript is the target's, both cut alike. If the target's ends there, a device of the target holds parts of
// all places along the other axes. If it goes on with other axes, there is a device whose two parts do not overlap.
void DistanceBound::add_subscripts(const Places& from, Needs& needs) const {
  const Places& target = ground_.target();
  std::array<std::uint8_t, kMostAxes> common;
  common.fill(kMostAxes);
  for (std::size_t a = 0; a < ground_.axes(); ++a) {
    if (!from.splits(a)) continue;
    if (from.where[a] == target.where[a] && from.position[a] == target.position[a]) continue;
    std::uint8_t& own = common[from.dimension(a)];
    own = std::min(own, from.position[a]);
  }
  double held = 1;
  for (std::size_t a = 0; a < ground_.axes(); ++a) {
    if (!from.splits(a)) continue;
    const std::size_t d = from.dimension(a);
    if (from.position[a] < common[d]) continue;
    needs.communicates = true;
    if (common[d] < counts_[d]) {
      held = 0;
    } else {
      held /= ground_.size(a);
      add_way(a, ground_.reach(a), needs);
    }
  }
  needs.lacking = 1 - held;
}

// One hop leads along all axes of a network.
void DistanceBound::add_way(std::size_t axis, double hops, Needs& needs) const {
  const AxisMask bit = AxisMask{1} << axis;
  if (((needs.counted & ground_.network(axis)) != 0) || hops <= 0) return;
  needs.counted |= bit;
  needs.latency += hops * ground_.hop(axis);
}

double DistanceBound::seconds(const Places& from) const {
  const Places& target = ground_.target();
  Needs needs;
  add_subscripts(from, needs);
  for (std::size_t a = 0; a < ground_.axes(); ++a) {
    const bool is_reduced = from.is_unreduced(a) && !target.is_unreduced(a);
    const bool is_moved = from.is_placed(a) && from.where[a] != target.where[a];
    if (!is_reduced && !is_moved) continue;
    needs.communicates = true;
    needs.lacking = 1;
    // From the middle of a line it is half as far.
    if (is_reduced) add_way(a, ground_.reach(a), needs);
    if (is_moved && !target.is_placed(a)) add_way(a, std::floor(ground_.reach(a) / 2), needs);
  }
  if (!needs.communicates) return 0;
  return std::max({bytes_ * needs.lacking / bandwidth_, needs.latency, least_hop_});
}

}  // namespace shard::planning
