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

// The coordinates of `index` on axes of these lengths, the first being major.
Position position_of(std::int64_t index, const std::vector<std::int64_t>& lengths) {
  Position position(lengths.size());
  for (std::size_t i = lengths.size(); i-- > 0;) {
    position[i] = index % lengths[i];
    index /= lengths[i];
  }
  return position;
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

// Which block of a layout each device holds, in terms of the axes concerned.
struct BlockNumbers {
  std::vector<DimensionAxes> dims;
  std::vector<std::pair<std::size_t, std::int64_t>> places;

  BlockNumbers(const Layout& layout, const std::vector<AxisId>& axes,
               const std::vector<std::int64_t>& lengths)
      : dims(dimension_axes(layout, axes, lengths)), places(places_of(layout, axes)) {}

  std::int64_t count() const {
    std::int64_t count = 1;
    for (const DimensionAxes& dim : dims) count *= device_count_of(dim.lengths);
    return count;
  }
  // The number of the block that the device at `position` holds; nullopt if it holds none.
  std::optional<std::int64_t> at(const Position& position) const {
    const bool holds = std::all_of(places.begin(), places.end(), [&](const auto& place) {
      return position[place.first] == place.second;
    });
    if (!holds) return std::nullopt;
    std::int64_t block = 0;
    for (const DimensionAxes& dim : dims)
      block = block * device_count_of(dim.lengths) + block_held(dim, position);
    return block;
  }
};

bool same_block_counts(const std::vector<DimensionAxes>& a, const std::vector<DimensionAxes>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const DimensionAxes& x, const DimensionAxes& y) {
                      return device_count_of(x.lengths) == device_count_of(y.lengths);
                    });
}

// nullopt if symbols decide.
std::optional<bool> same_size(const Amount& a, const Amount& b) {
  if (a == b) return true;
  if (a.constant() && b.constant()) return false;
  return std::nullopt;
}

std::vector<AxisId> placing_axes(const Layout& layout) {
  std::vector<AxisId> axes;
  for (const Placement& place : layout.placed) axes.push_back(place.axis);
  return axes;
}

}  // namespace

std::vector<AxisId> axes_concerned(const Layout& now, const Layout& then) {
  std::vector<AxisId> axes;
  for (std::size_t d = 0; d < now.rank(); ++d) {
    if (now.dims[d] == then.dims[d]) continue;
    axes.insert(axes.end(), now.dims[d].begin(), now.dims[d].end());
    axes.insert(axes.end(), then.dims[d].begin(), then.dims[d].end());
  }
  for (const auto& [one, other] : {std::pair(&now, &then), std::pair(&then, &now)}) {
    for (const Placement& place : one->placed) {
      if (place_on(*other, place.axis) != place.coordinate) axes.push_back(place.axis);
    }
  }
  std::sort(axes.begin(), axes.end());
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  return axes;
}

std::optional<bool> moves_whole_blocks(const Layout& now, const Layout& then, const Mesh& mesh) {
  if (now.rank() != then.rank() || now.unreduced != then.unreduced) return false;
  if (!now.unreduced.empty() && now.combination != then.combination) return false;
  std::optional<bool> result = true;
  const auto compare = [&](const std::vector<AxisId>& a, const std::vector<AxisId>& b) {
    const auto same = same_size(size_of(a, mesh), size_of(b, mesh));
    if (same == false || result == true) result = same;
    return same != false;
  };
  for (std::size_t d = 0; d < now.rank(); ++d) {
    if (!compare(now.dims[d], then.dims[d])) return false;
  }
  compare(placing_axes(now), placing_axes(then));
  return result;
}

std::optional<std::vector<BlockMove>> reordered_blocks(const Layout& now, const Layout& then,
                                                       const std::vector<AxisId>& axes,
                                                       const std::vector<std::int64_t>& lengths) {
  const BlockNumbers held(now, axes, lengths);
  const BlockNumbers wanted(then, axes, lengths);
  if (!same_block_counts(held.dims, wanted.dims)) return std::nullopt;
  // By block, of the devices that hold it or want it and not both.
  const auto count = static_cast<std::size_t>(held.count());
  std::vector<std::vector<std::int64_t>> senders(count);
  std::vector<std::vector<std::int64_t>> receivers(count);
  for (std::int64_t device = 0; device < device_count_of(lengths); ++device) {
    const Position position = position_of(device, lengths);
    const auto has = held.at(position);
    const auto needs = wanted.at(position);
    if (has == needs) continue;
    if (has) senders[static_cast<std::size_t>(*has)].push_back(device);
    if (needs) receivers[static_cast<std::size_t>(*needs)].push_back(device);
  }
  std::vector<BlockMove> moves;
  for (std::size_t block = 0; block < count; ++block) {
    if (senders[block].size() != receivers[block].size()) return std::nullopt;
    for (std::size_t i = 0; i < senders[block].size(); ++i)
      moves.push_back({senders[block][i], receivers[block][i]});
  }
  std::sort(moves.begin(), moves.end(),
            [](const BlockMove& a, const BlockMove& b) { return a.to < b.to; });
  return moves;
}

std::int64_t place_after(CollectiveKind kind, std::int64_t place, std::int64_t places, int step) {
  SHARD_CHECK(kind == CollectiveKind::Shift);  // every other one makes copies and sums
  return (place + step % places + places) % places;
}

std::vector<BlockMove> moved_blocks(CollectiveKind kind, const std::vector<std::int64_t>& lengths,
                                    int step) {
  const std::int64_t places = device_count_of(lengths);
  std::vector<BlockMove> moves;
  for (std::int64_t from = 0; from < places; ++from) {
    const std::int64_t to = place_after(kind, from, places, step);
    if (to != from) moves.push_back({from, to});
  }
  return moves;
}

}  // namespace shard
