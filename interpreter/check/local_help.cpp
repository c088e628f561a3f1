#include "interpreter/check/local_help.h"

#include <algorithm>
#include <utility>

#include "base/contains.h"
#include "interpreter/check/array.h"

namespace shard {

namespace {

using Axes = std::vector<AxisId>;

// One operand, and the place among its dimensions that is split otherwise than in the other one.
struct LocalSide {
  const checked::Operation* operand;
  std::size_t place;
  Layout layout;

  const Axes& axes() const { return layout.dims[place]; }
};

// With that dimension split over `axes`; nothing where one of them has another use.
std::optional<Layout> split_over(const LocalSide& side, const Axes& axes) {
  Layout layout = side.layout;
  for (std::size_t i = 0; i < layout.dims.size(); ++i) {
    const Axes& others = layout.dims[i];
    const bool used = std::any_of(axes.begin(), axes.end(), [&](AxisId axis) {
      return (i != side.place && contains(others, axis)) ||
             std::find(layout.unreduced.begin(), layout.unreduced.end(), axis) !=
                 layout.unreduced.end();
    });
    if (used) return std::nullopt;
  }
  layout.dims.edit()[side.place] = axes;
  return layout;
}

// Whether the target says that it has the partial sums which a sum over the axes leaves.
bool has_sums(const Layout& target, const Axes& axes) {
  return std::all_of(axes.begin(), axes.end(), [&](AxisId axis) {
    return std::find(target.unreduced.begin(), target.unreduced.end(), axis) !=
           target.unreduced.end();
  });
}

// Which operand changes, and how: the one that is whole is cut, which is free, or the other one is brought to it.
// `sums` of a dimension that the product sums over.
std::optional<std::pair<LocalSide, Layout>> change(const LocalSide& left, const LocalSide& right,
                                                   const Layout& target, bool sums) {
  const bool right_first = right.axes().empty() || !left.axes().empty();
  for (const bool of_right : {right_first, !right_first}) {
    const LocalSide& side = of_right ? right : left;
    const LocalSide& other = of_right ? left : right;
    if (sums && !has_sums(target, other.axes())) continue;
    if (auto layout = split_over(side, other.axes())) return std::pair(side, *std::move(layout));
  }
  return std::nullopt;
}

std::optional<LocalSide> side_of(const checked::Operation& operand, std::size_t place,
                                 const Scope& scope) {
  const auto* use = std::get_if<checked::Use>(&operand.node);
  if (use == nullptr || !use->written || !operand.layout || place >= operand.labels.size())
    return std::nullopt;
  return LocalSide{&operand, place, without_trivial_axes(*operand.layout, scope.mesh())};
}

std::size_t place_of_label(const checked::Operation& operand, DimensionId label) {
  const auto found = std::find(operand.labels.begin(), operand.labels.end(), label);
  return static_cast<std::size_t>(found - operand.labels.begin());
}

std::vector<Edit> edits_of(const LocalSide& side, const Layout& to, const Span& begin,
                           const Scope& scope) {
  const auto& use = std::get<checked::Use>(side.operand->node);
  const auto line = relayout_line(use.array, side.layout, to, scope);
  if (!line) return {};
  const std::string array =
      scope.store.arrays[use.array].name + bracket_text(side.operand->labels, to, scope);
  const Span& place = side.operand->span;
  if (place.begin == begin.begin) return {{place, *line + "; " + array}};
  return {{begin, *line + "; "}, {place, array}};
}

// The place of the dimension that the axis splits.
std::size_t split_place(const checked::Operation& operand, AxisId axis) {
  std::size_t place = 0;
  while (place < operand.labels.size() && !contains(operand.layout->dims[place], axis)) ++place;
  return place;
}

}  // namespace

std::vector<Edit> local_edits(const checked::Operation& left, const checked::Operation& right,
                              const planning::Misfit& misfit, const Layout& target,
                              const Span& begin, const Scope& scope) {
  using Reason = planning::Misfit::Reason;
  if (!left.layout || !right.layout || misfit.reason == Reason::PlacesDiffer) return {};
  if (misfit.reason == Reason::AxisTwice) {
    const auto side = side_of(right, split_place(right, *misfit.axis), scope);
    if (!side) return {};
    Axes axes = side->axes();
    std::erase(axes, *misfit.axis);
    const auto to = split_over(*side, axes);
    return to ? edits_of(*side, *to, begin, scope) : std::vector<Edit>();
  }
  const DimensionId label{misfit.label};
  const auto first = side_of(left, place_of_label(left, label), scope);
  const auto second = side_of(right, place_of_label(right, label), scope);
  if (!first || !second) return {};
  const auto found = change(*first, *second, target, misfit.reason == Reason::ContractedDiffer);
  return found ? edits_of(found->first, found->second, begin, scope) : std::vector<Edit>();
}

}  // namespace shard
