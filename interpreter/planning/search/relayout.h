// A re-layout as one problem of the search, and the same in numbers.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "interpreter/planning/search/moves.h"
#include "interpreter/planning/search/places.h"
#include "interpreter/planning/search/weight.h"

namespace shard::planning {

struct Relayout {
  const std::vector<Layout>& sources;
  const Layout& target;
  const Shape& shape;
  const Machine& machine;
  std::optional<Transpose> transpose = {};  // one of the moves is this
  std::vector<AxisId> whole = {};  // a collective over any of these runs over exactly these
  // Only moves that bring the array straight to the target: the way that one would write by hand.
  bool straight = false;
  // The budget of the search: how many moves it weighs at most (docs/language.md, "Re-layouts"). It is one of work, not of time,
  // so that plans do not depend on how fast a computer is.
  static constexpr std::size_t kMostMoves = 3'000'000;
  std::size_t most_moves = kMostMoves;
  // What each source took to make, if that differs.
  std::vector<Weight> begun = {};
  // Ways that take longer are of no use.
  double most_seconds = HUGE_VAL;
  // Under Objective::Bytes all weights and bounds of the problem are `ordered`.
  Aim aim = {};
  // Any layout will do; the target says only where a placed array goes.
  bool everywhere = false;
};

// Axes and dimensions counted, sizes as doubles; symbols have their reference values (weight.h).
class Ground {
 public:
  // nullopt if there are more axes, dimensions or places than a search looks at.
  static std::optional<Ground> of(const Relayout& problem);

  std::size_t axes() const { return axes_.size(); }
  std::size_t rank() const { return lengths_.size(); }
  double size(std::size_t axis) const { return axes_[axis].size; }
  double size_of(AxisMask axes) const;
  // Devices along axes, as far as costs enumerate them one by one: of too many a formula holds, which is 1.
  std::size_t enumerated(AxisMask axes) const;
  bool is_symbolic(std::size_t axis) const { return !axes_[axis].length.has_value(); }
  // The most bytes/s that a device can receive in a collective over these axes. It bounds times from below: those of the
  // torus and of networks add up, but a node of n fully linked chips has n - 1 links, which is more than the axes have one
  // by one (2x4: seven links, and not one and three).
  double bandwidth(AxisMask axes) const;
  double hop(std::size_t axis) const { return axes_[axis].hop; }      // seconds
  double reach(std::size_t axis) const { return axes_[axis].reach; }  // hops to the farthest device
  // By two places along an axis of the torus, hops between them, failed links aside; empty for other axes and for symbols.
  const std::vector<std::uint32_t>& distances(std::size_t axis) const {
    static const std::vector<std::uint32_t> none;
    return axes_[axis].distances == nullptr ? none : *axes_[axis].distances;
  }
  // Links that leave a device along the axis, on average.
  double links_each(std::size_t axis) const { return axes_[axis].links_each; }
  // Axes that are one network, over which everything is one hop away; 0 for an axis of the torus.
  AxisMask network(std::size_t axis) const { return axes_[axis].network; }
  bool is_torus(AxisMask axes) const { return (axes & networks_) == 0; }
  // Whether a collective over these would run over some axes of `whole` and not over exactly those.
  bool breaks_whole(AxisMask axes) const { return (axes & whole_) != 0 && axes != whole_; }

  // Bytes of the array on one device.
  double local_bytes(const Places& places) const;
  // Whether the axes, major first, cut the dimension into equal parts.
  bool divides(std::size_t dimension, const std::uint8_t* axes, std::size_t count) const;
  // Dimensions that no source and not the target splits, and that can be split alike, are interchangeable. The one before
  // this: while it is not split, there is no need to split this.
  std::optional<std::size_t> alike_before(std::size_t dimension) const {
    return alike_before_[dimension];
  }
  // Likewise of axes on which no source and not the target has anything: as long, with the same links.
  std::optional<std::size_t> alike_axis_before(std::size_t axis) const {
    return alike_axes_before_[axis];
  }
  // Whether what differs in the names of these alone costs the same to the last digit.
  bool is_symmetric() const { return is_symmetric_; }

  // Whether every dimension can be cut by all axes together.
  bool is_cut_evenly() const { return is_cut_evenly_; }
  bool has_places() const { return most_where_ > Places::kPlaces || has_places_; }

  const Places& target() const { return target_; }
  struct Source {
    Places places;
    std::size_t number;  // among the problem's
  };
  const std::vector<Source>& sources() const { return sources_; }
  std::vector<AxisId> ids(AxisMask axes) const;
  AxisMask mask(const std::vector<AxisId>& ids) const;
  Layout layout(const Places& places) const;
  // The highest `where` that occurs.
  unsigned most_where() const { return most_where_; }

 private:
  struct Axis {
    AxisId id;
    double size = 1;
    std::optional<std::int64_t> length;
    double bandwidth = 0;  // in a fully linked node, that of one link
    bool is_full = false;
    double hop = 0;
    double reach = 0;
    double links_each = 0;
    AxisMask network = 0;
    std::shared_ptr<const std::vector<std::uint32_t>> distances;
    std::vector<std::int64_t> coordinates;  // of places, by their codes
  };
  struct Length {
    bool known = false;
    std::optional<std::int64_t> whole;
  };
  Ground() = default;
  bool add_axes(const Relayout& problem);
  void find_networks(const Machine& machine);
  void add_dimensions(const Relayout& problem);
  void find_alike_axes(const Relayout& problem);
  // nullopt if the layout has too many places.
  std::optional<Places> places_of(const Layout& layout);

  std::vector<Axis> axes_;
  std::vector<Length> lengths_;
  std::vector<std::optional<std::size_t>> alike_before_;
  std::vector<std::optional<std::size_t>> alike_axes_before_;
  bool is_symmetric_ = false;
  double bytes_ = 0;       // of the whole array
  AxisMask networks_ = 0;  // all axes that are not of the torus
  AxisMask whole_ = 0;
  unsigned most_where_ = Places::kPlaces;
  bool is_cut_evenly_ = true;
  bool has_places_ = false;
  Places target_;
  std::vector<Source> sources_;
  Combination combination_ = Combination::Sum;
};

}  // namespace shard::planning
