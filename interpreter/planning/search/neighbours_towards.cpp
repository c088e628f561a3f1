// Of the neighbours, those that lead straight to the target.
#include <algorithm>
#include <tuple>

#include "interpreter/planning/search/neighbours.h"

namespace shard::planning {

namespace {

using Subscript = Subscripts::Subscript;

constexpr AxisMask mask_of(std::size_t axis) { return AxisMask{1} << axis; }

// Appends those of the axes that the target has in the dimension, in its order. False if they do not divide it.
bool append_homing(std::size_t dimension, AxisMask axes, const Subscript& target,
                   const Subscript& now, const Ground& ground, Places& to) {
  Subscript at = now;
  for (std::size_t i = 0; i < target.count; ++i) {
    const std::size_t axis = target.axes[i];
    if (!(axes >> axis & 1U)) continue;
    to.put(axis, dimension, at.count);
    at.push(axis);
  }
  return ground.divides(dimension, at.axes.data(), at.count);
}

}  // namespace

bool Neighbours::find_towards_target() {
  return sum_homewards() && gather_homeless() && exchange_homewards() && placements() &&
         slice_homewards() && permute_homewards() && order_homewards(true) &&
         order_homewards(false);
}

bool Neighbours::sum_homewards() {
  const AxisMask all = reducible();
  if (all == 0) return true;
  const Places& target = ground_.target();
  const Subscripts wanted(target, ground_);
  const auto reduce = [&](AxisMask axes, bool scatters) {
    if (axes == 0) return true;
    Places to = from_;
    for (std::size_t a = 0; a < ground_.axes(); ++a) {
      if (axes >> a & 1U) to.free(a);
    }
    if (!scatters) return add(HopKind::AllReduce, axes, to);
    for (std::size_t d = 0; d < ground_.rank(); ++d) {
      if (!append_homing(d, axes, wanted.dims[d], subscripts_.dims[d], ground_, to)) return true;
    }
    return add(HopKind::ReduceScatter, axes, to);
  };
  AxisMask homing = 0;
  for (std::size_t a = 0; a < ground_.axes(); ++a) {
    if (!(all >> a & 1U)) continue;
    if (target.splits(a)) homing |= mask_of(a);
    if (!reduce(mask_of(a), target.splits(a)) || !reduce(mask_of(a), false)) return false;
  }
  return reduce(homing, true) && reduce(all & ~homing, false) && reduce(all, false);
}

// Minor axes that the target splits nothing by; and all axes, as gathering everything always leads on.
bool Neighbours::gather_homeless() {
  const auto gather = [&](bool everything) {
    Places to = from_;
    AxisMask taken = 0;
    for (std::size_t d = 0; d < ground_.rank(); ++d) {
      const Subscript& subscript = subscripts_.dims[d];
      for (std::size_t i = subscript.count; i-- > 0;) {
        const std::size_t axis = subscript.axes[i];
        if (!everything && ground_.target().splits(axis)) break;
        taken |= mask_of(axis);
        to.free(axis);
      }
    }
    return taken == 0 || add(HopKind::AllGather, taken, to);
  };
  return gather(false) && gather(true);
}

// Minor axes of all dimensions that split one other dimension in the target.
bool Neighbours::exchange_homewards() {
  const Places& target = ground_.target();
  const Subscripts wanted(target, ground_);
  for (std::size_t home = 0; home < ground_.rank(); ++home) {
    AxisMask moved = 0;
    Places to = from_;
    for (std::size_t d = 0; d < ground_.rank(); ++d) {
      const Subscript& subscript = subscripts_.dims[d];
      for (std::size_t i = subscript.count; i-- > 0 && d != home;) {
        const std::size_t axis = subscript.axes[i];
        const bool goes_home = target.splits(axis) && target.dimension(axis) == home;
        if (!goes_home) break;
        moved |= mask_of(axis);
        to.free(axis);
      }
    }
    if (moved == 0) continue;
    if (append_homing(home, moved, wanted.dims[home], subscripts_.dims[home], ground_, to) &&
        !add(HopKind::AllToAll, moved, to))
      return false;
  }
  return true;
}

bool Neighbours::slice_homewards() {
  const Subscripts wanted(ground_.target(), ground_);
  for (std::size_t d = 0; d < ground_.rank(); ++d) {
    Subscript at = subscripts_.dims[d];
    for (std::size_t i = 0; i < wanted.dims[d].count; ++i) {
      const std::size_t axis = wanted.dims[d].axes[i];
      if (from_.splits(axis) && from_.dimension(axis) == d) continue;
      at.push(axis);
      if (!from_.is_idle(axis) || !ground_.divides(d, at.axes.data(), at.count)) break;
      Places to = from_;
      to.put(axis, d, at.count - std::size_t{1});
      if (!add(HopKind::Slice, mask_of(axis), to)) return false;
      break;
    }
  }
  return true;
}

// Straight to the subscripts of the target.
bool Neighbours::permute_homewards() {
  Places to = from_;
  AxisMask changed = 0;
  for (std::size_t a = 0; a < ground_.axes(); ++a) {
    if (from_.splits(a)) to.free(a);
  }
  const Subscripts wanted(ground_.target(), ground_);
  for (std::size_t d = 0; d < ground_.rank(); ++d) {
    const Subscript& own = subscripts_.dims[d];
    const Subscript& goal = wanted.dims[d];
    if (!is_cut_alike(own, goal)) return true;
    AxisMask here = 0;
    for (std::size_t i = 0; i < own.count; ++i) here |= mask_of(own.axes[i]);
    for (std::size_t i = 0; i < goal.count; ++i) {
      if (!to.is_idle(goal.axes[i])) return true;
      to.put(goal.axes[i], d, i);
      here |= mask_of(goal.axes[i]);
    }
    const bool same = own.count == goal.count &&
                      std::equal(own.axes.begin(), own.axes.begin() + own.count, goal.axes.begin());
    if (!same) changed |= here;
  }
  return changed == 0 || add(HopKind::Permute, changed, to);
}

// In each subscript, axes that stay come first, in the target's order; then those that move to other dimensions and those
// that are to be gathered, either way round.
bool Neighbours::order_homewards(bool gathered_last) {
  const Places& target = ground_.target();
  Places to = from_;
  AxisMask changed = 0;
  for (std::size_t d = 0; d < ground_.rank(); ++d) {
    Subscript order = subscripts_.dims[d];
    const auto rank = [&](std::uint8_t axis) {
      const bool stays = target.splits(axis) && target.dimension(axis) == d;
      const int group = stays ? 0 : target.splits(axis) == gathered_last ? 1 : 2;
      return std::tuple(group, target.where[axis], target.position[axis], axis);
    };
    std::sort(order.axes.begin(), order.axes.begin() + order.count,
              [&](std::uint8_t a, std::uint8_t b) { return rank(a) < rank(b); });
    const auto& own = subscripts_.dims[d].axes;
    if (std::equal(own.begin(), own.begin() + order.count, order.axes.begin())) continue;
    for (std::size_t i = 0; i < order.count; ++i) {
      to.put(order.axes[i], d, i);
      changed |= mask_of(order.axes[i]);
    }
  }
  return changed == 0 || add(HopKind::Permute, changed, to);
}

}  // namespace shard::planning
