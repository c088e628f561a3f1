// Every primitive that leads from a layout to another one of the same array, wherever that may be good for.
#pragma once

#include <array>
#include <cstdint>

#include "interpreter/planning/search/hop.h"
#include "interpreter/planning/search/relayout.h"

namespace shard::planning {

// The subscripts of a layout.
struct Subscripts {
  struct Subscript {
    std::array<std::uint8_t, kMostAxes> axes;  // major first
    std::uint8_t count = 0;

    void push(std::size_t axis) { axes[count++] = static_cast<std::uint8_t>(axis); }
  };
  std::array<Subscript, kMostAxes> dims;
  AxisMask idle = 0;
  AxisMask unreduced = 0;

  Subscripts(const Places& places, const Ground& ground);
};

// From each layout:
//   AllGather      of minor axes of one or several dimensions
//   AllReduce      over unreduced axes that the target has reduced; ReduceScatter likewise, each of the axes becoming the
//                  minor one of some dimension
//   AllToAll       of minor axes of one or several dimensions, in any order, onto others
//   slice          over an idle axis, which becomes the minor one of a dimension
//   permute        to any other layout that cuts each dimension into as many blocks
//   send, broadcast, keep of what is placed, or is to be
// Layouts that do not divide the shape are left out, and of dimensions and idle axes that are alike (Ground) all but the first.
class Neighbours {
 public:
  Neighbours(const Places& from, const Ground& ground, HopSink& sink)
      : from_(from), ground_(ground), sink_(sink), subscripts_(from, ground) {}

  // Without permutes. False if the sink wanted no more.
  bool find_others();
  bool find_permutes();
  // Slices over several axes at once, for where what is between them is too large to be held: each goes on until the sink `can_hold`
  // where it leads.
  bool find_longer_slices();
  // The few that bring the array nearer to the target, with all axes that can go one way going together. A search over these
  // alone is quick and ends at the target, mostly at a good price.
  bool find_towards_target();

 private:
  bool add(HopKind kind, AxisMask axes, const Places& to);
  bool gathers(std::size_t dimension, Places& to, AxisMask taken, AxisMask sources);
  bool exchanges(const Places& to, AxisMask taken, AxisMask sources);
  // Axes that become minor ones of dimensions: all of them or only some, and not of those that are closed.
  struct Arrangement {
    HopKind kind;
    AxisMask axes;
    bool all;
    AxisMask closed;
  };
  bool arrange(const Arrangement& what, std::size_t dimension, Places& to,
               const Subscripts::Subscript& now, AxisMask used);
  bool sums();
  bool slices();
  bool longer_slices(std::size_t dimension, Places& to, const Subscripts::Subscript& now,
                     AxisMask sliced);
  bool placements();
  bool permutes(std::size_t dimension, Places& to, AxisMask available, AxisMask changed);
  bool refill(std::size_t dimension, Places& to, Subscripts::Subscript& at, AxisMask available,
              AxisMask changed);
  bool waits_for_alike(std::size_t dimension, const Places& to) const;
  // `free`: the axes that can still be taken.
  bool axis_waits_for_alike(std::size_t axis, AxisMask free) const;

  bool sum_homewards();
  bool gather_homeless();
  bool exchange_homewards();
  bool slice_homewards();
  bool permute_homewards();
  bool order_homewards(bool gathered_last);
  bool is_cut_alike(const Subscripts::Subscript& a, const Subscripts::Subscript& b) const;
  AxisMask reducible() const;

  const Places& from_;
  const Ground& ground_;
  HopSink& sink_;
  Subscripts subscripts_;
};

}  // namespace shard::planning
