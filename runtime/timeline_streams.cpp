#include "runtime/timeline_streams.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

namespace shard {
namespace {

std::size_t index_of(AxisId axis) { return static_cast<std::size_t>(axis.value); }

// A coordinate on one axis, or all those that no array is placed at.
struct PlacedAt {
  AxisId axis;
  std::optional<std::int64_t> one;
};

// By axis that arrays are placed on: what is told apart there.
std::vector<std::vector<PlacedAt>> coordinates_of(
    const std::map<AxisId, std::set<std::int64_t>>& placed, const Mesh& mesh) {
  std::vector<std::vector<PlacedAt>> axes;
  for (auto [axis, used] : placed) {
    const std::int64_t others = *mesh.axes[axis].length() - static_cast<std::int64_t>(used.size());
    std::int64_t free = 0;
    while (used.count(free) != 0) ++free;
    if (others == 1) used.insert(free);
    auto& coordinates = axes.emplace_back();
    for (const std::int64_t one : used) coordinates.push_back({axis, one});
    if (others > 1) coordinates.push_back({axis, std::nullopt});
  }
  return axes;
}

// One of each axis.
using Cell = std::vector<PlacedAt>;

// The cells in turn, the last axis running fastest; false behind the last one.
bool advance(std::vector<std::size_t>& cell, const std::vector<std::vector<PlacedAt>>& axes) {
  for (std::size_t i = cell.size(); i-- > 0;) {
    if (++cell[i] < axes[i].size()) return true;
    cell[i] = 0;
  }
  return false;
}

bool lies_in(const Cell& cell, const std::vector<Placement>& placed) {
  return std::all_of(placed.begin(), placed.end(), [&](const Placement& held) {
    return std::any_of(cell.begin(), cell.end(), [&](const PlacedAt& one) {
      return one.axis == held.axis && one.one == held.coordinate;
    });
  });
}

// What both have.
Cell shared_part(const Cell& a, const Cell& b) {
  Cell both;
  for (std::size_t i = 0, j = 0; i < a.size(); ++i) {
    while (j < b.size() && b[j].axis < a[i].axis) ++j;
    if (j < b.size() && b[j].axis == a[i].axis && b[j].one == a[i].one) both.push_back(a[i]);
  }
  return both;
}

std::string name_of(const Cell& cell, const Mesh& mesh) {
  std::string name;
  for (const PlacedAt& one : cell) {
    if (!one.one) continue;
    name += (name.empty() ? "" : ", ") + mesh.axes[one.axis].name + "=" + std::to_string(*one.one);
  }
  return name.empty() ? kElsewhere : name;
}

}  // namespace

Places::Places(const Plan& plan, const Mesh& mesh) {
  std::map<AxisId, std::set<std::int64_t>> placed;
  of_[{}];
  for (const Copy& copy : plan.copies) {
    if (copy.layout.placed.empty()) continue;
    of_[copy.layout.placed];
    for (const Placement& place : copy.layout.placed) placed[place.axis].insert(place.coordinate);
  }
  if (placed.empty()) {
    names_ = {""};
    for (auto& [layout, places] : of_) places = {0};
    return;
  }
  // Cells that the same arrays lie in are one place, named by what they share.
  const auto axes = coordinates_of(placed, mesh);
  std::map<std::vector<bool>, std::size_t> known;
  std::vector<Cell> shares;
  std::vector<std::size_t> chosen(axes.size(), 0);
  do {
    Cell cell;
    for (std::size_t i = 0; i < axes.size(); ++i) cell.push_back(axes[i][chosen[i]]);
    std::vector<bool> holds;
    for (const auto& [layout, places] : of_) holds.push_back(lies_in(cell, layout));
    const auto [place, is_new] = known.try_emplace(std::move(holds), shares.size());
    if (is_new)
      shares.push_back(std::move(cell));
    else
      shares[place->second] = shared_part(shares[place->second], cell);
  } while (advance(chosen, axes));
  for (const Cell& cell : shares) names_.push_back(name_of(cell, mesh));
  for (const auto& [holds, place] : known) {
    std::size_t which = 0;
    for (auto& [layout, places] : of_) {
      if (holds[which++]) places.push_back(place);
    }
  }
  for (auto& [layout, places] : of_) std::sort(places.begin(), places.end());
}

Streams::Streams(const Plan& plan, const Mesh& mesh) : plan_(plan), places_(plan, mesh) {
  device_.push_back({"compute", true});
  for (const MeshAxis& axis : mesh.axes) {
    auto& own = moving_.emplace_back();
    const std::size_t links = axis.length() == 1 ? 0 : std::max<std::size_t>(axis.torus.size(), 1);
    for (std::size_t link = 0; link < links; ++link) {
      own.push_back(device_.size());
      device_.push_back({axis.torus_name(link), false});
    }
  }
}

std::vector<Stream> Streams::all() const {
  std::vector<Stream> streams;
  for (std::size_t place = 0; place < places().size(); ++place) {
    for (const Stream& stream : device_) streams.push_back({stream.name, stream.computes, place});
  }
  return streams;
}

const std::vector<std::size_t>& Streams::of(const Step& step) {
  const auto* collective = std::get_if<CollectiveStep>(&step.action);
  Kind kind;
  auto& [axes, to, from] = kind;
  to = plan_.copies[result_of(step)].layout.placed;
  if (collective != nullptr) {
    axes = collective->axes;
    from = plan_.copies[collective->operand].layout.placed;
  }
  const auto known = known_.find(kind);
  return known != known_.end() ? known->second : known_.emplace(kind, at(kind)).first->second;
}

std::vector<std::size_t> Streams::at(const Kind& kind) const {
  const auto& [axes, to, moved_from] = kind;
  std::vector<std::size_t> own = {0};
  std::vector<std::size_t> at = places_.of(to);
  if (!axes.empty()) {
    own.clear();
    for (const AxisId axis : axes)
      own.insert(own.end(), moving_[index_of(axis)].begin(), moving_[index_of(axis)].end());
    const auto& from = places_.of(moved_from);
    std::vector<std::size_t> both;
    std::set_union(at.begin(), at.end(), from.begin(), from.end(), std::back_inserter(both));
    at = std::move(both);
  }
  std::vector<std::size_t> streams;
  for (const std::size_t place : at) {
    for (const std::size_t stream : own) streams.push_back(place * device_.size() + stream);
  }
  return streams;
}

}  // namespace shard
