#include "runtime/network/block_moves.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace shard {
namespace {

std::int64_t device_count_of(const std::vector<std::int64_t>& lengths) {
  std::int64_t result = 1;
  for (const std::int64_t length : lengths) result *= length;
  return result;
}

using Position = std::vector<std::int64_t>;

// The coordinates of `index` on axes of these lengths, the first being major; and the inverse.
Position position_of(std::int64_t index, const std::vector<std::int64_t>& lengths) {
  Position position(lengths.size());
  for (std::size_t i = lengths.size(); i-- > 0;) {
    position[i] = index % lengths[i];
    index /= lengths[i];
  }
  return position;
}

std::int64_t index_of(const Position& position, const std::vector<std::int64_t>& lengths) {
  std::int64_t index = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) index = index * lengths[i] + position[i];
  return index;
}

// A dimension of a layout in terms of the axes concerned: the positions of its axes among them, and their lengths.
struct DimensionAxes {
  std::vector<std::size_t> places;
  std::vector<std::int64_t> lengths;
};

std::vector<DimensionAxes> dimension_axes(const Layout& layout, const std::vector<AxisId>& axes,
                                          const std::vector<std::int64_t>& lengths) {
  std::vector<DimensionAxes> result;
  for (const auto& dim : layout.dims) {
    DimensionAxes entry;
    for (const AxisId axis : dim) {
      const auto at = std::lower_bound(axes.begin(), axes.end(), axis);
      if (at == axes.end() || *at != axis) continue;
      const auto place = static_cast<std::size_t>(at - axes.begin());
      entry.places.push_back(place);
      entry.lengths.push_back(lengths[place]);
    }
    result.push_back(std::move(entry));
  }
  return result;
}

// The block of the dimension that the device at `position` holds.
std::int64_t block_held(const DimensionAxes& dim, const Position& position) {
  std::int64_t block = 0;
  for (std::size_t i = 0; i < dim.places.size(); ++i)
    block = block * dim.lengths[i] + position[dim.places[i]];
  return block;
}

// The coordinates at which `layout` is placed on the axes concerned, with the positions of these.
std::vector<std::pair<std::size_t, std::int64_t>> places_of(const Layout& layout,
                                                            const std::vector<AxisId>& axes) {
  std::vector<std::pair<std::size_t, std::int64_t>> places;
  for (const Placement& place : layout.placed) {
    const auto at = std::lower_bound(axes.begin(), axes.end(), place.axis);
    if (at != axes.end() && *at == place.axis)
      places.emplace_back(static_cast<std::size_t>(at - axes.begin()), place.coordinate);
  }
  return places;
}

// Where the block is now that `to` needs. Coordinates that do not matter stay those of `to`.
Position source_of(const Position& to, const std::vector<DimensionAxes>& now,
                   const std::vector<DimensionAxes>& then) {
  Position from = to;
  for (std::size_t d = 0; d < now.size(); ++d) {
    const Position parts = position_of(block_held(then[d], to), now[d].lengths);
    for (std::size_t i = 0; i < parts.size(); ++i) from[now[d].places[i]] = parts[i];
  }
  return from;
}

bool same_block_counts(const std::vector<DimensionAxes>& a, const std::vector<DimensionAxes>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const DimensionAxes& x, const DimensionAxes& y) {
                      return device_count_of(x.lengths) == device_count_of(y.lengths);
                    });
}

}  // namespace

std::vector<AxisId> axes_concerned(const Layout& now, const Layout& then) {
  std::vector<AxisId> axes;
  for (std::size_t d = 0; d < now.rank(); ++d) {
    if (now.dims[d] == then.dims[d]) continue;
    axes.insert(axes.end(), now.dims[d].begin(), now.dims[d].end());
    axes.insert(axes.end(), then.dims[d].begin(), then.dims[d].end());
  }
  for (const Placement& place : then.placed) {
    if (place_on(now, place.axis) != place.coordinate) axes.push_back(place.axis);
  }
  std::sort(axes.begin(), axes.end());
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  return axes;
}

std::optional<std::vector<Move>> reordered_blocks(const Layout& now, const Layout& then,
                                                  const std::vector<AxisId>& axes,
                                                  const std::vector<std::int64_t>& lengths) {
  const auto held = dimension_axes(now, axes, lengths);
  const auto wanted = dimension_axes(then, axes, lengths);
  if (!same_block_counts(held, wanted)) return std::nullopt;
  const auto sources = places_of(now, axes);
  const auto targets = places_of(then, axes);
  std::vector<Move> moves;
  for (std::int64_t to = 0; to < device_count_of(lengths); ++to) {
    const Position position = position_of(to, lengths);
    const bool is_target = std::all_of(targets.begin(), targets.end(), [&](const auto& place) {
      return position[place.first] == place.second;
    });
    if (!is_target) continue;
    Position source = source_of(position, held, wanted);
    for (const auto& [axis, coordinate] : sources) source[axis] = coordinate;
    const std::int64_t from = index_of(source, lengths);
    if (from != to) moves.push_back({from, to});
  }
  return moves;
}

std::int64_t place_after(CollectiveKind kind, std::int64_t place, std::int64_t places, int step) {
  SHARD_CHECK(kind == CollectiveKind::Shift);  // every other one makes copies and sums
  return (place + step % places + places) % places;
}

std::vector<Move> moved_blocks(CollectiveKind kind, const std::vector<std::int64_t>& lengths,
                               int step) {
  const std::int64_t places = device_count_of(lengths);
  std::vector<Move> moves;
  for (std::int64_t from = 0; from < places; ++from) {
    const std::int64_t to = place_after(kind, from, places, step);
    if (to != from) moves.push_back({from, to});
  }
  return moves;
}

}  // namespace shard
