#include "interpreter/planning/search/moves.h"

#include <algorithm>
#include <iterator>

#include "base/contains.h"
#include "base/words.h"

namespace shard::planning {

namespace {

using Axes = std::vector<AxisId>;

Axes sorted(Axes axes) {
  std::sort(axes.begin(), axes.end());
  return axes;
}

Axes appended(Axes axes, const Axes& more) {
  axes.insert(axes.end(), more.begin(), more.end());
  return axes;
}

// Collects the moves that are possible in one step.
class MoveFinder {
 public:
  MoveFinder(const Layout& from, const Layout& to, const Shape& shape, const Mesh& mesh,
             MoveRule rule)
      : from_(from), to_(to), shape_(shape), mesh_(mesh), rule_(rule) {}

  std::vector<Move> find() {
    if (is_small()) {
      add_gathers();
      add_reductions();
    } else {
      add_gathers_together();
      add_reductions_together();
    }
    add_sends();
    add_keeping();
    for (std::size_t dimension = 0; dimension < from_.rank(); ++dimension) {
      if (rule_ != MoveRule::Cases) add_exchanges(dimension);
      add_slices(dimension);
      add_reorderings(dimension);
    }
    return std::move(moves_);
  }

 private:
  void add(std::optional<CollectiveKind> kind, Axes axes, std::optional<std::size_t> dimension,
           Layout result) {
    if (indivisible_dimension(shape_.lengths, result, mesh_)) return;
    moves_.push_back({.kind = kind,
                      .axes = std::move(axes),
                      .dimension = dimension,
                      .from = from_,
                      .to = std::move(result)});
  }

  // How many minor axes of a dimension may be gathered. `Any`: all; `Cases`: up to the first that splits the same
  // dimension in the target; `Direct`: up to the first that the target uses at all.
  std::size_t removable(std::size_t dimension) const {
    const Axes& axes = from_.dims[dimension];
    if (rule_ == MoveRule::Any) return axes.size();
    std::size_t count = 0;
    while (count < axes.size() && !stays(axes[axes.size() - 1 - count], dimension)) ++count;
    return count;
  }

  // Whether every combination of axes can be tried. Each combination is a neighbour that the route search prices; past
  // 256 only gathering all axes, and summing all of them or one, are tried. 256 covers eight unreduced axes, or four
  // dimensions with three removable axes each. The cap of 16 keeps the shift in range.
  bool is_small() const {
    constexpr std::size_t kMostChoices = 256;
    std::size_t choices = std::size_t{1} << std::min<std::size_t>(from_.unreduced.size(), 16);
    for (std::size_t i = 0; i < from_.rank() && choices <= kMostChoices; ++i)
      choices *= removable(i) + 1;
    return choices <= kMostChoices;
  }

  void add_gathers_together() {
    Layout result = from_;
    Axes axes;
    for (std::size_t i = 0; i < from_.rank(); ++i) {
      Axes& left = result.dims.edit()[i];
      const auto kept = static_cast<std::ptrdiff_t>(left.size() - removable(i));
      axes.insert(axes.end(), left.begin() + kept, left.end());
      left.resize(static_cast<std::size_t>(kept));
    }
    if (!axes.empty()) add(CollectiveKind::AllGather, axes, std::nullopt, result);
  }

  void add_reductions_together() {
    Axes pending = from_.unreduced;
    std::erase_if(pending, [&](AxisId axis) { return contains(to_.unreduced, axis); });
    if (!pending.empty()) add_reduction(pending);
    for (const AxisId axis : pending) add_reduction({axis});
  }

  bool stays(AxisId axis, std::size_t dimension) const {
    return rule_ == MoveRule::Cases ? dimension_split_by(to_, axis) == dimension
                                    : uses(to_, axis) && !place_on(to_, axis);
  }

  // A placed array goes to the target's place, or everywhere if the target has none.
  void add_sends() {
    Layout sent = from_;
    Axes sent_axes;
    Layout spread = from_;
    Axes spread_axes;
    for (Placement& place : sent.placed.edit()) {
      const auto goal = place_on(to_, place.axis);
      if (!goal) spread_axes.push_back(place.axis);
      if (!goal || *goal == place.coordinate) continue;
      sent_axes.push_back(place.axis);
      place.coordinate = *goal;
    }
    std::erase_if(spread.placed.edit(),
                  [&](const Placement& place) { return contains(spread_axes, place.axis); });
    if (!sent_axes.empty()) add(CollectiveKind::CollectivePermute, sent_axes, std::nullopt, sent);
    if (!spread_axes.empty()) add(CollectiveKind::Broadcast, spread_axes, std::nullopt, spread);
  }

  // An array that is everywhere is kept only at the target's place.
  void add_keeping() {
    Layout kept = from_;
    Axes axes;
    for (const Placement& place : to_.placed) {
      if (uses(from_, place.axis)) continue;
      kept.placed.edit().push_back(place);
      axes.push_back(place.axis);
    }
    kept.placed.sort();
    if (!axes.empty()) add(std::nullopt, axes, std::nullopt, kept);
  }

  // Every combination of removable minor axes, dimension by dimension: one AllGather over all of them.
  void add_gathers(std::size_t dimension = 0, Layout result = {}, const Axes& axes = {}) {
    if (dimension == 0) result = from_;
    if (dimension == from_.rank()) {
      if (!axes.empty()) add(CollectiveKind::AllGather, axes, std::nullopt, result);
      return;
    }
    const std::size_t most = removable(dimension);
    for (std::size_t count = 0; count <= most; ++count) {
      Layout gathered = result;
      Axes& left = gathered.dims.edit()[dimension];
      const Axes removed(left.end() - static_cast<std::ptrdiff_t>(count), left.end());
      left.resize(left.size() - count);
      add_gathers(dimension + 1, std::move(gathered), appended(axes, removed));
    }
  }

  // Every non-empty subset of the unreduced axes that are reduced in the target.
  void add_reductions() {
    Axes pending;
    for (const AxisId axis : from_.unreduced) {
      if (!contains(to_.unreduced, axis)) pending.push_back(axis);
    }
    for (std::size_t mask = 1; mask < (std::size_t{1} << pending.size()); ++mask) {
      Axes chosen;
      for (std::size_t i = 0; i < pending.size(); ++i) {
        if (mask >> i & 1U) chosen.push_back(pending[i]);
      }
      add_reduction(chosen);
    }
  }

  void add_reduction(const Axes& chosen) {
    Layout reduced = from_;
    std::erase_if(reduced.unreduced.edit(), [&](AxisId axis) { return contains(chosen, axis); });
    const auto home = dimension_split_by(to_, chosen.front());
    const bool homeless = std::none_of(chosen.begin(), chosen.end(),
                                       [&](AxisId axis) { return dimension_split_by(to_, axis); });
    if (homeless || rule_ == MoveRule::Any)
      add(CollectiveKind::AllReduce, chosen, std::nullopt, reduced);
    if (!home) return;
    // In the target's order, as the new minor axes of the dimension.
    Axes ordered;
    for (const AxisId axis : to_.dims[*home]) {
      if (contains(chosen, axis)) ordered.push_back(axis);
    }
    if (ordered.size() != chosen.size()) return;
    reduced.dims.edit()[*home] = appended(reduced.dims[*home], ordered);
    add(CollectiveKind::ReduceScatter, ordered, home, reduced);
  }

  // Minor axes that split another dimension in the target move there.
  void add_exchanges(std::size_t dimension) {
    const Axes& axes = from_.dims[dimension];
    Axes moved;
    std::optional<std::size_t> home;
    for (std::size_t back = axes.size(); back-- > 0;) {
      const auto place = dimension_split_by(to_, axes[back]);
      if (!place || *place == dimension || (home && *place != *home)) return;
      home = place;
      moved.insert(moved.begin(), axes[back]);
      Layout exchanged = from_;
      exchanged.dims.edit()[dimension].resize(back);
      exchanged.dims.edit()[*home] = appended(exchanged.dims[*home], moved);
      add(CollectiveKind::AllToAll, moved, home, exchanged);
    }
  }

  // Unused axes that split this dimension in the target become its new minor axes.
  void add_slices(std::size_t dimension) {
    Axes added;
    for (const AxisId axis : to_.dims[dimension]) {
      if (contains(from_.dims[dimension], axis)) continue;
      if (uses(from_, axis)) break;
      added.push_back(axis);
      Layout sliced = from_;
      sliced.dims.edit()[dimension] = appended(from_.dims[dimension], added);
      add(std::nullopt, added, dimension, sliced);
    }
  }

  // Puts the dimension's axes in the target's order, followed by those that are still to be gathered or moved away.
  void add_reorderings(std::size_t dimension) {
    const Axes& axes = from_.dims[dimension];
    if (axes.size() < 2) return;
    Axes ordered;
    for (const AxisId axis : to_.dims[dimension]) {
      if (contains(axes, axis)) ordered.push_back(axis);
    }
    for (const AxisId axis : axes) {
      if (!contains(ordered, axis)) ordered.push_back(axis);
    }
    if (ordered == axes) return;
    Layout reordered = from_;
    reordered.dims.edit()[dimension] = ordered;
    add(CollectiveKind::CollectivePermute, sorted(axes), std::nullopt, reordered);
  }

  const Layout& from_;
  const Layout& to_;
  const Shape& shape_;
  const Mesh& mesh_;
  MoveRule rule_;
  std::vector<Move> moves_;
};

}  // namespace

bool reorders(const Transpose& transpose) {
  return !std::is_sorted(transpose.order.begin(), transpose.order.end());
}

Layout reordered(const Layout& layout, const Transpose& transpose) {
  Layout result = unsplit(layout, 0);
  for (const std::size_t dimension : transpose.order)
    result.dims.edit().push_back(layout.dims[dimension]);
  return result;
}

Cost cost_of(const Move& move, const Shape& shape, const Machine& machine) {
  const Copy operand{.shape = shape.lengths, .dtype = shape.dtype, .layout = move.from};
  if (move.transpose) {
    Copy result = operand;
    result.dtype = move.transpose->dtype;
    return cost_of_transpose(operand, result, machine);
  }
  if (!move.kind) return {};
  const Copy result{.shape = shape.lengths, .dtype = shape.dtype, .layout = move.to};
  return cost_of_collective(*move.kind, move.axes, 0, operand, result, machine);
}

std::string subscript_to_string(const std::vector<AxisId>& axes, std::string_view behind,
                                const Mesh& mesh) {
  return "{" + axis_names(axes, mesh) + "," + std::string(behind) + "}";
}

std::string name_of(const Move& move, const std::vector<std::string>& dimension_names,
                    const Mesh& mesh) {
  if (!move.kind) return "slice";
  const std::string name = std::string(shard::name_of(*move.kind)) + "_";
  if (!names_dimension(*move.kind)) return name + axes_to_string(move.axes, mesh);
  std::vector<std::string> parts;
  for (std::size_t d = 0; d < move.to.rank(); ++d) {
    Axes gone;
    std::copy_if(move.to.dims[d].begin(), move.to.dims[d].end(), std::back_inserter(gone),
                 [&](AxisId axis) { return contains(move.axes, axis); });
    if (gone.size() == move.axes.size())
      return name + subscript_to_string(gone, dimension_names[d], mesh);
    if (!gone.empty()) parts.push_back(axis_names(gone, mesh) + "→" + dimension_names[d]);
  }
  return name + "{" + shard::join(parts, ",") + "}";
}

std::vector<Move> moves_towards(const Layout& from, const Layout& to, const Shape& shape,
                                const Mesh& mesh, MoveRule rule) {
  return MoveFinder(from, to, shape, mesh, rule).find();
}

std::vector<Move> joined_slices(std::vector<Move> moves) {
  const auto slices = [](const Move& move) {
    return !move.kind && !move.transpose && move.dimension.has_value();
  };
  std::vector<Move> joined;
  for (auto begin = moves.begin(); begin != moves.end();) {
    if (!slices(*begin)) {
      joined.push_back(std::move(*begin++));
      continue;
    }
    const auto end = std::find_if_not(begin, moves.end(), slices);
    Move slice{.kind = {}, .axes = {}, .from = begin->from, .to = std::prev(end)->to};
    std::size_t sliced = 0;
    for (std::size_t d = 0; d < slice.from.rank(); ++d) {
      const Axes& now = slice.to.dims[d];
      const auto had = static_cast<std::ptrdiff_t>(slice.from.dims[d].size());
      if (static_cast<std::ptrdiff_t>(now.size()) == had) continue;
      slice.axes.insert(slice.axes.end(), now.begin() + had, now.end());
      slice.dimension = d;
      ++sliced;
    }
    if (sliced > 1) slice.dimension.reset();
    joined.push_back(std::move(slice));
    begin = end;
  }
  return joined;
}

}  // namespace shard::planning
