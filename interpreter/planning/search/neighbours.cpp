#include "interpreter/planning/search/neighbours.h"

namespace shard::planning {

namespace {

using Subscript = Subscripts::Subscript;

constexpr AxisMask bit_of(std::size_t axis) { return AxisMask{1} << axis; }

// Sizes as a product of numbers, and a set of symbols, each of which is equal to itself alone.
struct BlockCount {
  double number = 1;
  AxisMask symbols = 0;

  void add(std::size_t axis, const Ground& ground) {
    if (ground.is_symbolic(axis))
      symbols |= bit_of(axis);
    else
      number *= ground.size(axis);
  }
  friend bool operator==(const BlockCount&, const BlockCount&) = default;
};

BlockCount count_of(const Subscript& subscript, const Ground& ground) {
  BlockCount count;
  for (std::size_t i = 0; i < subscript.count; ++i) count.add(subscript.axes[i], ground);
  return count;
}

}  // namespace

Subscripts::Subscripts(const Places& places, const Ground& ground) {
  for (std::size_t d = 0; d < ground.rank(); ++d) dims[d].count = 0;
  for (std::size_t a = 0; a < ground.axes(); ++a) {
    if (places.is_idle(a)) idle |= bit_of(a);
    if (places.is_unreduced(a)) unreduced |= bit_of(a);
    if (!places.splits(a)) continue;
    Subscript& subscript = dims[places.dimension(a)];
    subscript.axes[places.position[a]] = static_cast<std::uint8_t>(a);
    ++subscript.count;
  }
}

bool Neighbours::add(HopKind kind, AxisMask axes, const Places& to) {
  return sink_.add({.kind = kind, .axes = axes, .to = to});
}

AxisMask Neighbours::reducible() const {
  AxisMask axes = subscripts_.unreduced;
  for (std::size_t a = 0; a < ground_.axes(); ++a) {
    if (ground_.target().is_unreduced(a)) axes &= ~bit_of(a);
  }
  return axes;
}

bool Neighbours::find_others() {
  Places to = from_;
  if (!gathers(0, to, 0, 0) || !sums() || !placements()) return false;
  return slices();
}

// An empty dimension that is like an earlier one, which is still empty.
bool Neighbours::waits_for_alike(std::size_t dimension, const Places& to) const {
  const auto before = ground_.alike_before(dimension);
  if (!before || subscripts_.dims[dimension].count != 0 || subscripts_.dims[*before].count != 0)
    return false;
  for (std::size_t a = 0; a < ground_.axes(); ++a) {
    if (to.splits(a) && to.dimension(a) == *before) return false;
  }
  return true;
}

// An idle axis that is like an earlier one, which is idle and free as well.
bool Neighbours::axis_waits_for_alike(std::size_t axis, AxisMask free) const {
  const auto before = ground_.alike_axis_before(axis);
  return before && (subscripts_.idle >> axis & 1U) != 0 &&
         ((subscripts_.idle & free) >> *before & 1U) != 0;
}

// Every combination of minor axes, dimension by dimension: one AllGather of all of them, or AllToAlls. `sources` are the
// dimensions that axes were taken of.
bool Neighbours::gathers(std::size_t dimension, Places& to, AxisMask taken, AxisMask sources) {
  if (dimension == ground_.rank()) {
    if (taken == 0) return true;
    return add(HopKind::AllGather, taken, to) && exchanges(to, taken, sources);
  }
  const Subscript& subscript = subscripts_.dims[dimension];
  if (!gathers(dimension + 1, to, taken, sources)) return false;
  for (std::size_t left = subscript.count; left-- > 0;) {
    const std::size_t axis = subscript.axes[left];
    to.free(axis);
    taken |= bit_of(axis);
    if (!gathers(dimension + 1, to, taken, sources | bit_of(dimension))) return false;
  }
  for (std::size_t i = 0; i < subscript.count; ++i) to.put(subscript.axes[i], dimension, i);
  return true;
}

bool Neighbours::exchanges(const Places& to, AxisMask taken, AxisMask sources) {
  if (!sink_.wants(HopKind::AllToAll, taken)) return true;
  Places exchanged = to;
  const Arrangement arrangement{HopKind::AllToAll, taken, true, sources};
  return arrange(arrangement, 0, exchanged, subscripts_.dims[0], 0);
}

// Some of the axes, or all, become minor ones of this dimension and of those after it. `now`: its subscript so far.
bool Neighbours::arrange(const Arrangement& what, std::size_t dimension, Places& to,
                         const Subscript& now, AxisMask used) {
  const bool is_last = dimension + 1 == ground_.rank();
  if (what.all && used == what.axes) return add(what.kind, used, to);
  if (!is_last) {
    if (!arrange(what, dimension + 1, to, subscripts_.dims[dimension + 1], used)) return false;
  } else if (used != 0 && !what.all && !add(what.kind, used, to)) {
    return false;
  }
  if ((what.closed >> dimension & 1U) || waits_for_alike(dimension, to)) return true;
  Subscript at = now;
  for (std::size_t a = 0; a < ground_.axes(); ++a) {
    if (!((what.axes & ~used) >> a & 1U)) continue;
    at.push(a);
    if (ground_.divides(dimension, at.axes.data(), at.count)) {
      const std::uint8_t before = to.where[a];
      to.put(a, dimension, at.count - std::size_t{1});
      if (!arrange(what, dimension, to, at, used | bit_of(a))) return false;
      to.where[a] = before;
      to.position[a] = 0;
    }
    --at.count;
  }
  return true;
}

bool Neighbours::sums() {
  const AxisMask all = reducible();
  if (all == 0) return true;
  for (AxisMask some = all; some != 0; some = (some - 1) & all) {
    Places to = from_;
    for (std::size_t a = 0; a < ground_.axes(); ++a) {
      if (some >> a & 1U) to.free(a);
    }
    if (!add(HopKind::AllReduce, some, to)) return false;
  }
  if (ground_.rank() == 0) return true;
  Places to = from_;
  const Arrangement arrangement{HopKind::ReduceScatter, all, false, 0};
  return arrange(arrangement, 0, to, subscripts_.dims[0], 0);
}

bool Neighbours::slices() {
  for (std::size_t d = 0; d < ground_.rank(); ++d) {
    if (waits_for_alike(d, from_)) continue;
    Subscript at = subscripts_.dims[d];
    for (std::size_t a = 0; a < ground_.axes(); ++a) {
      if (!(subscripts_.idle >> a & 1U) || axis_waits_for_alike(a, subscripts_.idle)) continue;
      at.push(a);
      if (ground_.divides(d, at.axes.data(), at.count)) {
        Places to = from_;
        to.put(a, d, at.count - std::size_t{1});
        if (!add(HopKind::Slice, bit_of(a), to)) return false;
      }
      --at.count;
    }
  }
  return true;
}

bool Neighbours::find_longer_slices() {
  Places to = from_;
  return longer_slices(0, to, subscripts_.dims[0], 0);
}

// Dimension by dimension, so that each layout is found once. What fits is not sliced further: from there slices lead on.
bool Neighbours::longer_slices(std::size_t dimension, Places& to, const Subscript& now,
                               AxisMask sliced) {
  if (dimension + 1 < ground_.rank() &&
      !longer_slices(dimension + 1, to, subscripts_.dims[dimension + 1], sliced))
    return false;
  if (waits_for_alike(dimension, to)) return true;
  Subscript at = now;
  for (std::size_t a = 0; a < ground_.axes(); ++a) {
    const AxisMask left = subscripts_.idle & ~sliced;
    if (!(left >> a & 1U) || axis_waits_for_alike(a, left)) continue;
    at.push(a);
    if (ground_.divides(dimension, at.axes.data(), at.count)) {
      to.put(a, dimension, at.count - std::size_t{1});
      const AxisMask all = sliced | bit_of(a);
      const bool goes_on = sink_.can_hold(to) ? sliced == 0 || add(HopKind::Slice, all, to)
                                              : longer_slices(dimension, to, at, all);
      to.free(a);
      if (!goes_on) return false;
    }
    --at.count;
  }
  return true;
}

// A placed array goes to the target's place, or everywhere if the target has none; an array that is everywhere is kept
// only at the target's place.
bool Neighbours::placements() {
  const Places& target = ground_.target();
  Places sent = from_;
  Places spread = from_;
  Places kept = from_;
  AxisMask sending = 0;
  AxisMask spreading = 0;
  AxisMask keeping = 0;
  for (std::size_t a = 0; a < ground_.axes(); ++a) {
    if (from_.is_placed(a) && !target.is_placed(a)) {
      spreading |= bit_of(a);
      spread.free(a);
    } else if (from_.is_placed(a) && from_.where[a] != target.where[a]) {
      sending |= bit_of(a);
      sent.where[a] = target.where[a];
    } else if (from_.is_idle(a) && target.is_placed(a)) {
      keeping |= bit_of(a);
      kept.where[a] = target.where[a];
    }
  }
  if (sending != 0 && !add(HopKind::Send, sending, sent)) return false;
  if (spreading != 0 && !add(HopKind::Broadcast, spreading, spread)) return false;
  return keeping == 0 || add(HopKind::Keep, keeping, kept);
}

bool Neighbours::is_cut_alike(const Subscript& a, const Subscript& b) const {
  return count_of(a, ground_) == count_of(b, ground_);
}

bool Neighbours::find_permutes() {
  Places to = from_;
  AxisMask available = subscripts_.idle;
  for (std::size_t a = 0; a < ground_.axes(); ++a) {
    if (!from_.splits(a)) continue;
    available |= bit_of(a);
    to.free(a);
  }
  if (!sink_.wants(HopKind::Permute, available)) return true;
  return permutes(0, to, available, 0);
}

// Each dimension from this one on is split by other axes, into as many blocks. `changed`: the axes that the blocks move along.
bool Neighbours::permutes(std::size_t dimension, Places& to, AxisMask available, AxisMask changed) {
  while (dimension < ground_.rank() && subscripts_.dims[dimension].count == 0) ++dimension;
  if (dimension == ground_.rank()) return changed == 0 || add(HopKind::Permute, changed, to);
  Subscript at;
  return refill(dimension, to, at, available, changed);
}

bool Neighbours::refill(std::size_t dimension, Places& to, Subscript& at, AxisMask available,
                        AxisMask changed) {
  const Subscript& own = subscripts_.dims[dimension];
  const BlockCount wanted = count_of(own, ground_);
  const BlockCount count = count_of(at, ground_);
  if (count == wanted) {
    if (!ground_.divides(dimension, at.axes.data(), at.count)) return true;
    AxisMask here = 0;
    bool same = at.count == own.count;
    for (std::size_t i = 0; i < at.count; ++i) here |= bit_of(at.axes[i]);
    for (std::size_t i = 0; i < own.count; ++i) {
      here |= bit_of(own.axes[i]);
      same = same && at.axes[i] == own.axes[i];
    }
    return permutes(dimension + 1, to, available, same ? changed : changed | here);
  }
  if (count.number > wanted.number || (count.symbols & ~wanted.symbols) != 0) return true;
  for (std::size_t a = 0; a < ground_.axes(); ++a) {
    if (!(available >> a & 1U) || axis_waits_for_alike(a, available)) continue;
    at.push(a);
    to.put(a, dimension, at.count - std::size_t{1});
    const bool goes_on = refill(dimension, to, at, available & ~bit_of(a), changed);
    to.free(a);
    --at.count;
    if (!goes_on) return false;
  }
  return true;
}

}  // namespace shard::planning
