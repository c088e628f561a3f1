#include "runtime/network/spanning_trees.h"

#include <utility>

namespace shard {
namespace {

// How a place is reached in a tree: over the link from its neighbour below (`up`) or above it on an axis.
struct Arc {
  std::size_t axis = 0;
  bool up = false;
};

// A growing tree, by place; places not reached yet have no arc.
using Arcs = std::vector<std::optional<Arc>>;

class TreeBuilder {
 public:
  TreeBuilder(const Torus& torus, std::int64_t root) : torus_(torus), root_(root) {
    places_ = {root};
  }

  // All rings at once: each has one tree that begins with it upwards, and one downwards. Let S be the axes on which a
  // place differs from the root. In the tree of ring i the place is reached
  //   along i, if i is not in S (that is, from the place before it on that ring), or if S contains only i;
  //   else along the ring in S that follows i.
  // So each tree uses a different link of the place. The way back to the root ends: i enters S once and leaves it last,
  // and on all other rings the place gets closer to the root.
  void add_rings(const std::vector<std::size_t>& rings) {
    trees_.assign(2 * rings.size(), Arcs(static_cast<std::size_t>(torus_.places())));
    for (const std::size_t ring : rings) places_ = along(places_, ring);
    for (const std::int64_t place : places_) {
      if (place == root_) continue;
      for (std::size_t i = 0; i < rings.size(); ++i) {
        const std::size_t axis = rings[ring_before(place, rings, i)];
        set(2 * i, place, {axis, true});
        set(2 * i + 1, place, {axis, false});
      }
    }
  }

  // A line next to everything added before: one more tree, which begins with the line. All trees have to enter each row
  // other than the root's, though only the new one owns the links along the line:
  //   tree j, other than the first, enters at the places that follow the root in it; the first tree enters everywhere
  //   else, and gives up its arcs there to the new tree, which enters at the root's place.
  // The new tree reaches the root's own row from the row next to it.
  void add_line(std::size_t line) {
    const std::vector<std::int64_t> row = places_;
    const std::int64_t begin = torus_.coordinate(root_, line);
    const std::int64_t length = torus_.axes()[line].length;
    const std::size_t before = trees_.size();
    trees_.emplace_back(static_cast<std::size_t>(torus_.places()));
    const std::vector<std::optional<std::size_t>> entering = followers(before);
    for (std::int64_t at = 0; at < length; ++at) {
      if (at == begin) continue;
      const Arc out{line, at > begin};
      for (const std::int64_t place : row) {
        const std::int64_t there = torus_.at(place, line, at);
        if (place == root_)
          enter_below_root(there, out, before);
        else
          enter(place, there, out, entering[static_cast<std::size_t>(place)].value_or(0), before);
      }
    }
    for (const std::int64_t place : row) {
      if (place != root_) set(before, place, {line, begin + 1 == length});
    }
    places_ = along(places_, line);
  }

  // A ring of two next to everything added before, which is two trees at least: two more. Each begins with one of the
  // links to the root's place on the other row, goes on there as one of the first two trees would, and comes back
  // everywhere by its link. The first two trees give up their arcs there and cross everywhere by a link each; all others
  // cross where they first come to, and whose link that was goes on from the root's place. To that place the trees come
  // back from where they crossed.
  void add_pair(std::size_t pair) {
    const std::vector<std::int64_t> row = places_;
    const std::size_t before = trees_.size();
    const std::int64_t at = 1 - torus_.coordinate(root_, pair);
    const std::vector<std::optional<Arc>> first = first_arcs(before);
    trees_.resize(before + 2, Arcs(static_cast<std::size_t>(torus_.places())));
    for (const std::int64_t place : row) {
      const std::int64_t there = torus_.at(place, pair, at);
      for (const bool up : {true, false}) {
        const std::size_t added = before + (up ? 0 : 1);
        const std::size_t old = up ? 0 : 1;
        if (place == root_) {
          set(added, there, {pair, up});
          continue;
        }
        set(added, place, {pair, up});
        set(added, there, *arc(old, place));
        set(old, there, {pair, up});
      }
      if (place == root_) continue;
      for (std::size_t tree = 2; tree < before; ++tree) set(tree, there, *arc(tree, place));
    }
    for (std::size_t tree = 0; tree < before; ++tree) {
      const Arc& out = *first[tree];
      set(tree, torus_.at(root_, pair, at), {out.axis, !out.up});
      if (tree < 2) continue;
      const std::int64_t there = torus_.at(after(root_, out), pair, at);
      // No more than two trees begin with the same place: by both links of another ring of two.
      const bool taken =
          arc(0, there)->axis != pair || after(root_, *first[0]) == after(root_, out);
      const std::size_t giving = taken ? 1 : 0;
      set(giving, there, out);
      set(tree, there, {pair, giving == 0});
    }
    places_ = along(places_, pair);
  }

  // nullopt if a tree does not reach every place.
  std::optional<std::vector<SpanningTree>> trees() const {
    std::vector<SpanningTree> trees;
    for (const Arcs& arcs : trees_) {
      auto tree = ordered(arcs);
      if (!tree) return std::nullopt;
      trees.push_back(*std::move(tree));
    }
    return trees;
  }

 private:
  void set(std::size_t tree, std::int64_t place, const Arc& arc) {
    trees_[tree][static_cast<std::size_t>(place)] = arc;
  }
  const std::optional<Arc>& arc(std::size_t tree, std::int64_t place) const {
    return trees_[tree][static_cast<std::size_t>(place)];
  }
  std::int64_t before(std::int64_t place, const Arc& arc) const {
    const std::int64_t length = torus_.axes()[arc.axis].length;
    const std::int64_t at = torus_.coordinate(place, arc.axis) + (arc.up ? length - 1 : 1);
    return torus_.at(place, arc.axis, at % length);
  }

  std::int64_t after(std::int64_t place, const Arc& arc) const {
    return before(place, {arc.axis, !arc.up});
  }

  std::vector<std::int64_t> along(const std::vector<std::int64_t>& places, std::size_t axis) const {
    std::vector<std::int64_t> all;
    for (const std::int64_t place : places) {
      for (std::int64_t at = 0; at < torus_.axes()[axis].length; ++at)
        all.push_back(torus_.at(place, axis, at));
    }
    return all;
  }

  bool differs(std::int64_t place, std::size_t axis) const {
    return torus_.coordinate(place, axis) != torus_.coordinate(root_, axis);
  }

  // The ring that leads to the place in the trees of ring i.
  std::size_t ring_before(std::int64_t place, const std::vector<std::size_t>& rings,
                          std::size_t i) const {
    if (!differs(place, rings[i])) return i;
    for (std::size_t next = 1; next < rings.size(); ++next) {
      const std::size_t other = (i + next) % rings.size();
      if (differs(place, rings[other])) return other;
    }
    return i;
  }

  // By place, the tree in which it follows the root; nullopt for the first tree.
  std::vector<std::optional<std::size_t>> followers(std::size_t count) const {
    std::vector<std::optional<std::size_t>> trees(static_cast<std::size_t>(torus_.places()));
    for (std::size_t tree = 1; tree < count; ++tree) {
      for (const std::int64_t place : places_) {
        if (place != root_ && before(place, *arc(tree, place)) == root_)
          trees[static_cast<std::size_t>(place)] = tree;
      }
    }
    return trees;
  }

  // By tree, one arc with which it begins.
  std::vector<std::optional<Arc>> first_arcs(std::size_t count) const {
    std::vector<std::optional<Arc>> first(count);
    for (std::size_t tree = 0; tree < count; ++tree) {
      for (const std::int64_t place : places_) {
        if (!first[tree] && place != root_ && before(place, *arc(tree, place)) == root_)
          first[tree] = arc(tree, place);
      }
    }
    return first;
  }

  void enter(std::int64_t place, std::int64_t there, const Arc& out, std::size_t entering,
             std::size_t count) {
    for (std::size_t tree = 0; tree < count; ++tree) set(tree, there, *arc(tree, place));
    if (count > 0) set(count, there, *arc(0, place));
    if (entering > 0) set(0, there, *arc(entering, place));
    set(entering, there, out);
  }

  // The root's place on another row: the new tree enters here, and all others come back from what follows it.
  void enter_below_root(std::int64_t there, const Arc& out, std::size_t count) {
    for (std::size_t tree = 0; tree < count; ++tree) {
      for (const std::int64_t place : places_) {
        if (place == root_ || before(place, *arc(tree, place)) != root_) continue;
        set(tree, there, {arc(tree, place)->axis, !arc(tree, place)->up});
        break;
      }
    }
    set(count, there, out);
  }

  std::optional<SpanningTree> ordered(const Arcs& arcs) const {
    std::vector<std::vector<TreeHop>> following(arcs.size());
    for (const std::int64_t place : places_) {
      if (place == root_) continue;
      const auto& by = arcs[static_cast<std::size_t>(place)];
      if (!by) return std::nullopt;
      const std::int64_t from = before(place, *by);
      following[static_cast<std::size_t>(from)].push_back({from, place, by->axis, by->up, 0});
    }
    SpanningTree tree;
    const auto add = [&](std::int64_t from, std::size_t round) {
      for (TreeHop hop : following[static_cast<std::size_t>(from)]) {
        hop.round = round;
        tree.push_back(hop);
      }
    };
    add(root_, 0);
    for (std::size_t i = 0; i < tree.size(); ++i) add(tree[i].to, tree[i].round + 1);
    if (tree.size() + 1 != places_.size()) return std::nullopt;
    return tree;
  }

  const Torus& torus_;
  std::int64_t root_;
  std::vector<std::int64_t> places_;  // reached by the trees so far
  std::vector<Arcs> trees_;
};

}  // namespace

std::optional<std::vector<SpanningTree>> spanning_trees(const Torus& torus,
                                                        const std::vector<std::size_t>& axes,
                                                        std::int64_t root) {
  std::vector<std::size_t> rings;
  std::vector<std::size_t> pairs;  // rings of two, whose links both lead to the same place
  std::vector<std::size_t> lines;
  for (const std::size_t axis : axes) {
    const TorusAxis& links = torus.axes()[axis];
    if (!links.cuts.empty() || !links.slow.empty()) return std::nullopt;
    if (links.length == 1) continue;
    (!links.wraps ? lines : links.length == 2 ? pairs : rings).push_back(axis);
  }
  if (lines.empty()) {
    rings.insert(rings.end(), pairs.begin(), pairs.end());
    pairs.clear();
  }
  if (rings.empty() && lines.empty()) return std::nullopt;
  // Next to a single line only as many trees can leave a pair, or two, as there are places at its end: those of a line.
  if (rings.empty() && lines.size() == 1 && !pairs.empty()) {
    lines.push_back(pairs.back());
    pairs.pop_back();
  }
  TreeBuilder builder(torus, root);
  if (!rings.empty()) builder.add_rings(rings);
  for (const std::size_t line : lines) builder.add_line(line);
  for (const std::size_t pair : pairs) builder.add_pair(pair);
  return builder.trees();
}

}  // namespace shard
