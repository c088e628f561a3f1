// Layouts that differ in the names of dimensions and axes alone, which a search reaches once.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "interpreter/planning/search/node_table.h"
#include "interpreter/planning/search/relayout.h"

namespace shard::planning {

// Other names for dimensions and axes.
struct Relabelling {
  std::array<std::uint8_t, kMostAxes> dimensions = {};
  std::array<std::uint8_t, kMostAxes> axes = {};

  static Relabelling none() {
    Relabelling same;
    for (std::size_t i = 0; i < kMostAxes; ++i)
      same.dimensions[i] = same.axes[i] = static_cast<std::uint8_t>(i);
    return same;
  }
  Places of(const Places& places) const {
    Places result;
    for (std::size_t a = 0; a < kMostAxes; ++a) {
      result.where[axes[a]] = places.where[a];
      result.position[axes[a]] = places.position[a];
      if (places.splits(a))
        result.put(axes[a], dimensions[places.dimension(a)], places.position[a]);
    }
    return result;
  }
  AxisMask of(AxisMask mask) const {
    AxisMask result = 0;
    for (std::size_t a = 0; a < kMostAxes; ++a) {
      if (mask >> a & 1U) result |= AxisMask{1} << axes[a];
    }
    return result;
  }
};

// Dimensions that are alike (Ground), and axes that are: whatever way there is with one name in a layout, there is one that takes as
// long with the other. Of all names a layout may have, one is taken.
class Symmetry {
 public:
  explicit Symmetry(const Ground& ground) : axes_(ground.axes()) {
    if (!ground.is_symmetric()) return;
    for (std::size_t d = 0; d < ground.rank(); ++d) {
      const auto before = ground.alike_before(d);
      firsts_[d] = static_cast<std::uint8_t>(before ? firsts_[*before] : d);
      if (before) add(d, firsts_[d], dimensions_);
    }
    for (std::size_t a = 0; a < axes_; ++a) {
      const auto before = ground.alike_axis_before(a);
      first_axes_[a] = static_cast<std::uint8_t>(before ? first_axes_[*before] : a);
      if (before) add(a, first_axes_[a], alike_axes_);
    }
  }
  bool is_trivial() const { return dimensions_.empty() && alike_axes_.empty(); }

  // What leads to the names that are taken.
  Relabelling relabelling(const Places& places) const {
    Relabelling names = Relabelling::none();
    if (!dimensions_.empty()) name_dimensions(places, names);
    if (!alike_axes_.empty()) name_axes(places, names);
    return names;
  }
  // The layout with these names.
  template <class Key>
  Key canonical(const Key& key) const {
    if (is_trivial()) return key;
    const Places places = key.places(axes_);
    return Key::of(relabelling(places).of(places), axes_);
  }

 private:
  using Members = std::vector<std::uint8_t>;

  // Members are ascending, the first of all at the front.
  static void add(std::size_t member, std::uint8_t first, std::vector<Members>& groups) {
    const auto group = std::find_if(groups.begin(), groups.end(),
                                    [&](const Members& one) { return one.front() == first; });
    if (group != groups.end())
      group->push_back(static_cast<std::uint8_t>(member));
    else
      groups.push_back({first, static_cast<std::uint8_t>(member)});
  }

  // Those that are split come first, in the order of what splits them.
  void name_dimensions(const Places& places, Relabelling& names) const {
    std::array<std::uint64_t, kMostAxes> split =
        {};  // by four bits for each axis, alike ones as the first of them
    std::array<std::uint8_t, kMostAxes> count = {};
    for (std::size_t a = 0; a < axes_; ++a) {
      if (!places.splits(a)) continue;
      const std::size_t d = places.dimension(a);
      split[d] |= std::uint64_t{first_axes_[a]} << 4U * places.position[a];
      ++count[d];
    }
    for (const Members& group : dimensions_) {
      Members order = group;
      std::stable_sort(order.begin(), order.end(), [&](std::uint8_t one, std::uint8_t other) {
        return std::pair(count[one], split[one]) > std::pair(count[other], split[other]);
      });
      for (std::size_t i = 0; i < group.size(); ++i) names.dimensions[order[i]] = group[i];
    }
  }

  // Those that are not idle come first, in the order of where they are.
  void name_axes(const Places& places, Relabelling& names) const {
    const auto where = [&](std::uint8_t a) {
      const std::uint8_t dimension =
          places.splits(a) ? names.dimensions[places.dimension(a)] : std::uint8_t{0};
      return std::pair(places.splits(a) ? Places::kDimensions + dimension : int{places.where[a]},
                       int{places.position[a]});
    };
    for (const Members& group : alike_axes_) {
      Members order = group;
      std::stable_sort(order.begin(), order.end(), [&](std::uint8_t one, std::uint8_t other) {
        return where(one) > where(other);
      });
      for (std::size_t i = 0; i < group.size(); ++i) names.axes[order[i]] = group[i];
    }
  }

  std::size_t axes_;
  std::array<std::uint8_t, kMostAxes> firsts_ = {};
  std::array<std::uint8_t, kMostAxes> first_axes_ = {};
  std::vector<Members> dimensions_;
  std::vector<Members> alike_axes_;
};

// The hops to a node with the names that they have from the source on, the first one first.
struct NamedHop {
  Places from;
  Hop hop;
};
template <class Key>
std::vector<NamedHop> hops_to(NodeId node, const std::vector<Node<Key>>& nodes,
                              const Symmetry& symmetry, std::size_t axes) {
  std::vector<NodeId> ids;
  for (NodeId id = node; nodes[id].before != kNone; id = nodes[id].before) ids.push_back(id);
  std::vector<NamedHop> hops;
  Relabelling names = Relabelling::none();  // from those of the node to the source's
  for (auto id = ids.rbegin(); id != ids.rend(); ++id) {
    const Node<Key>& to = nodes[*id];
    const Places came = to.came.places(axes);
    hops.push_back({.from = names.of(nodes[to.before].key.places(axes)),
                    .hop = {.kind = to.by, .axes = names.of(to.axes), .to = names.of(came)}});
    if (symmetry.is_trivial()) continue;
    const Relabelling taken = symmetry.relabelling(came);
    Relabelling next = names;
    for (std::size_t i = 0; i < kMostAxes; ++i) {
      next.dimensions[taken.dimensions[i]] = names.dimensions[i];
      next.axes[taken.axes[i]] = names.axes[i];
    }
    names = next;
  }
  return hops;
}

}  // namespace shard::planning
