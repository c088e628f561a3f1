#include "runtime/plan/places.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

namespace shard {
namespace {

// One coordinate on an axis, or all coordinates at which no array is placed.
struct PlacedAt {
  AxisId axis;
  std::optional<std::int64_t> one;
};

// For each axis that arrays are placed on, the coordinates to be distinguished.
std::vector<std::vector<PlacedAt>> coordinates_of(
    const std::map<AxisId, std::set<std::int64_t>>& placed, const Mesh& mesh) {
  std::vector<std::vector<PlacedAt>> axes;
  for (auto [axis, used] : placed) {
    // An axis of unknown length may be arbitrarily long: assume more places than any arrays use.
    const std::int64_t length = mesh.axes[axis].length().value_or(std::int64_t{1} << 32);
    const std::int64_t others = length - static_cast<std::int64_t>(used.size());
    std::int64_t free = 0;
    while (used.count(free) != 0) ++free;
    if (others == 1) used.insert(free);
    auto& coordinates = axes.emplace_back();
    for (const std::int64_t one : used) coordinates.push_back({axis, one});
    if (others > 1) coordinates.push_back({axis, std::nullopt});
  }
  return axes;
}

// One entry per axis.
using Cell = std::vector<PlacedAt>;

// Steps to the next cell, the last axis running fastest; false after the last one.
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

// The entries that both have.
Cell shared_part(const Cell& a, const Cell& b) {
  Cell both;
  for (std::size_t i = 0, j = 0; i < a.size(); ++i) {
    while (j < b.size() && b[j].axis < a[i].axis) ++j;
    if (j < b.size() && b[j].axis == a[i].axis && b[j].one == a[i].one) both.push_back(a[i]);
  }
  return both;
}

std::string cell_name(const Cell& cell, const Mesh& mesh) {
  std::string name;
  for (const PlacedAt& one : cell) {
    if (!one.one) continue;
    name += (name.empty() ? "" : ", ") + mesh.axes[one.axis].name + "=" + std::to_string(*one.one);
  }
  return name.empty() ? kElsewhere : name;
}

}  // namespace

std::string at_place(const std::string& place) {
  return place == kElsewhere ? place : "at " + place;
}

StepEnds ends_of(const Step& step, const Plan& plan) {
  const auto placed = [&](CopyId copy) { return plan.copies[copy].layout.placed.items(); };
  const auto* collective = std::get_if<CollectiveStep>(&step.action);
  const CopyId result = result_of(step);
  // Elements are changed where those that are put in are held.
  const auto* selection = std::get_if<SelectionStep>(&step.action);
  if (selection != nullptr && selection->kind == SelectionKind::Update) {
    const auto value = placed(selection->operands[1]);
    if (!value.empty()) return {value, value};
  }
  return {placed(result), placed(collective == nullptr ? result : collective->operand)};
}

std::vector<std::size_t> Places::of(const StepEnds& ends) const {
  const auto& to = of(ends.to);
  const auto& from = of(ends.from);
  std::vector<std::size_t> both;
  std::set_union(to.begin(), to.end(), from.begin(), from.end(), std::back_inserter(both));
  return both;
}

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
  // Cells that lie in the same arrays form one place, named by what they share.
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
  for (const Cell& cell : shares) names_.push_back(cell_name(cell, mesh));
  for (const auto& [holds, place] : known) {
    std::size_t which = 0;
    for (auto& [layout, places] : of_) {
      if (holds[which++]) places.push_back(place);
    }
  }
  for (auto& [layout, places] : of_) std::sort(places.begin(), places.end());
}

}  // namespace shard
