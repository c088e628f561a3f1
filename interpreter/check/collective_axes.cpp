#include "interpreter/check/collective_axes.h"

#include <algorithm>
#include <iterator>

#include "base/contains.h"
#include "runtime/network/block_moves.h"

namespace shard {

namespace {

using Axes = std::vector<AxisId>;

Axes gathered(const Layout& from, const Layout& to) {
  Axes result;
  for (const Axes& axes : from.dims) {
    std::copy_if(axes.begin(), axes.end(), std::back_inserter(result),
                 [&](AxisId axis) { return !dimension_split_by(to, axis); });
  }
  return result;
}

Axes reduced(const Layout& from, const Layout* to) {
  Axes result;
  for (const AxisId axis : from.unreduced) {
    if (to == nullptr || !contains(to->unreduced, axis)) result.push_back(axis);
  }
  return result;
}

Axes moved(const Layout& from, const Layout& to) {
  Axes result;
  for (std::size_t dimension = 0; dimension < from.rank(); ++dimension) {
    for (const AxisId axis : from.dims[dimension]) {
      const auto place = dimension_split_by(to, axis);
      if (place && *place != dimension) result.push_back(axis);
    }
  }
  return result;
}

Axes broadcast(const Layout& from, const Layout* to) {
  Axes result;
  for (const Placement& place : from.placed) {
    if (to == nullptr || !place_on(*to, place.axis)) result.push_back(place.axis);
  }
  return result;
}

// Several axes that go to one dimension go there in the order in which the target has them.
Axes in_order_of(const Layout* to, Axes axes) {
  if (to == nullptr || axes.size() < 2) return axes;
  for (const Axes& split : to->dims) {
    Axes ordered;
    std::copy_if(split.begin(), split.end(), std::back_inserter(ordered),
                 [&](AxisId axis) { return contains(axes, axis); });
    if (ordered.size() == axes.size()) axes = ordered;
  }
  return axes;
}

}  // namespace

std::vector<AxisId> inferred_axes(CollectiveKind kind, const Layout& from, const Layout* to) {
  switch (kind) {
    case CollectiveKind::AllGather:
      return to == nullptr ? Axes{} : gathered(from, *to);
    case CollectiveKind::AllReduce:
    case CollectiveKind::ReduceScatter:
      return in_order_of(to, reduced(from, to));
    case CollectiveKind::AllToAll:
      return to == nullptr ? Axes{} : in_order_of(to, moved(from, *to));
    case CollectiveKind::CollectivePermute:
      return to == nullptr ? Axes{} : axes_concerned(from, *to);
    case CollectiveKind::Broadcast:
      return broadcast(from, to);
    case CollectiveKind::Shift:
      return {};
  }
  return {};
}

}  // namespace shard
