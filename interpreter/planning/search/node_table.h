// Layouts that a search has reached, found by their keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "interpreter/planning/search/hop.h"
#include "interpreter/planning/search/weight.h"

namespace shard::planning {

// What routes are compared by.
struct RouteWeight {
  Weight weight;
  int unfamiliar = 0;  // permutes count most, then moves behind the transpose

  friend RouteWeight operator+(RouteWeight a, const RouteWeight& b) {
    a.weight += b.weight;
    a.unfamiliar += b.unfamiliar;
    return a;
  }
};

inline bool lighter(const RouteWeight& a, const RouteWeight& b) {
  if (lighter(a.weight, b.weight)) return true;
  return !lighter(b.weight, a.weight) && a.unfamiliar < b.unfamiliar;
}

using NodeId = std::uint32_t;
constexpr NodeId kNone = ~NodeId{0};

// A layout that was reached, before or after the transpose.
template <class Key>
struct Node {
  Key key;
  RouteWeight reached;
  Key came =
      {};  // as the hop from `before` leads here: `key` has other names for what is alike (symmetry.h)
  double bound = 0;  // seconds from here to the target
  NodeId before = kNone;
  HopKind by = HopKind::Start;
  bool is_transposed = false;
  AxisMask axes = 0;
  std::uint32_t source = 0;
  std::uint32_t version = 0;  // of `reached`
};

// Finds nodes by their keys: open addressing in a table of which at most half is used.
template <class Key>
class NodeTable {
 public:
  explicit NodeTable(std::vector<Node<Key>>& nodes) : nodes_(nodes) { slots_.assign(1024, kNone); }

  // kNone if there is none.
  NodeId find(const Key& key, bool is_transposed) const {
    std::size_t at = slot_of(key, is_transposed);
    for (; slots_[at] != kNone; at = (at + 1) & (slots_.size() - 1)) {
      const Node<Key>& node = nodes_[slots_[at]];
      if (node.is_transposed == is_transposed && node.key == key) break;
    }
    return slots_[at];
  }

  // The node of the key, or a new one.
  std::pair<NodeId, bool> find_or_add(const Key& key, bool is_transposed) {
    if (2 * nodes_.size() >= slots_.size()) grow();
    std::size_t at = slot_of(key, is_transposed);
    for (; slots_[at] != kNone; at = (at + 1) & (slots_.size() - 1)) {
      const Node<Key>& node = nodes_[slots_[at]];
      if (node.is_transposed == is_transposed && node.key == key) return {slots_[at], false};
    }
    slots_[at] = static_cast<NodeId>(nodes_.size());
    nodes_.push_back({.key = key, .is_transposed = is_transposed});
    return {slots_[at], true};
  }

 private:
  std::size_t slot_of(const Key& key, bool is_transposed) const {
    return (key.hash() + (is_transposed ? 1U : 0U)) & (slots_.size() - 1);
  }
  void grow() {
    slots_.assign(4 * slots_.size(), kNone);
    for (NodeId id = 0; id < nodes_.size(); ++id) {
      std::size_t at = slot_of(nodes_[id].key, nodes_[id].is_transposed);
      while (slots_[at] != kNone) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = id;
    }
  }

  std::vector<Node<Key>>& nodes_;
  std::vector<NodeId> slots_;
};

}  // namespace shard::planning
