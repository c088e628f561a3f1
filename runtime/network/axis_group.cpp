#include "runtime/network/axis_group.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace shard {
namespace {

Formula link_of(const MeshAxis& axis, const Chip& chip) {
  if (axis.kind == AxisKind::Ici) return one_way_bandwidth(chip);
  if (axis.kind == AxisKind::Core) return core_bandwidth(chip);
  if (axis.bandwidth) return *axis.bandwidth;
  return axis.kind == AxisKind::Dcn ? dcn_bandwidth(chip) : one_way_bandwidth(chip);
}

void add_axis(std::vector<AxisGroup>& groups, AxisId id, const Machine& machine) {
  const MeshAxis& axis = machine.mesh.axes[id];
  const Formula link = link_of(axis, machine.chip);
  const Fabric fabric = fabric_of(axis, machine.chip);
  for (AxisGroup& group : groups) {
    if (group.kind != axis.kind || group.fabric != fabric || !(group.link == link)) continue;
    group.axes.push_back(id);
    group.size = group.size * axis.size;
    return;
  }
  groups.push_back(
      {axis.kind, {id}, axis.size, link, link, hop_latency(axis.kind, machine.chip), fabric});
}

}  // namespace

Fabric fabric_of(const MeshAxis& axis, const Chip& chip) {
  if (axis.kind == AxisKind::Ici) return Fabric::Torus;
  const bool is_full =
      axis.kind == AxisKind::Switch && !axis.bandwidth && chip.wrap == WrapRule::Full;
  return is_full ? Fabric::Full : Fabric::Network;
}

std::vector<AxisGroup> groups_of(const std::vector<AxisId>& axes, const Machine& machine) {
  std::vector<AxisGroup> groups;
  for (const AxisKind kind : {AxisKind::Core, AxisKind::Ici, AxisKind::Switch, AxisKind::Dcn}) {
    for (const AxisId id : axes) {
      const MeshAxis& axis = machine.mesh.axes[id];
      if (axis.kind == kind && axis.length() != 1) add_axis(groups, id, machine);
    }
  }
  for (AxisGroup& group : groups) {
    if (group.fabric == Fabric::Full)
      group.bandwidth = Formula(group.size - Amount(1)) * group.link;
  }
  // By one link: what all links of a node carry hangs on which of its axes take part, and with it the order would, also
  // of a permute that moves nothing along some of them.
  const auto is_faster = [](const AxisGroup& a, const AxisGroup& b) {
    const auto own = a.link.constant();
    const auto other = b.link.constant();
    return own && other && a.kind == b.kind && *own > *other;
  };
  // An insertion sort, as not all groups compare: each moves ahead of the slower ones before it. There are few.
  for (auto group = groups.begin(); group != groups.end(); ++group) {
    auto place = group;
    while (place != groups.begin() && is_faster(*group, *std::prev(place))) --place;
    std::rotate(place, group, std::next(group));
  }
  return groups;
}

std::vector<LinkAxis> link_axes(const std::vector<AxisId>& axes, const Mesh& mesh) {
  std::vector<LinkAxis> links;
  for (const AxisId id : axes) {
    const MeshAxis& axis = mesh.axes[id];
    if (axis.torus.empty()) links.push_back({{*axis.length(), axis.kind == AxisKind::Ici}, id});
    for (const TorusAxis& part : axis.torus) links.push_back({part, id});
  }
  return links;
}

std::optional<Torus> torus_of(const AxisGroup& group, const Mesh& mesh) {
  const auto places = group.size.constant();
  if (!places) return std::nullopt;
  if (group.fabric != Fabric::Torus) return Torus({{*places->to_int64(), false}}, group.fabric);
  std::vector<TorusAxis> axes;
  for (LinkAxis& axis : link_axes(group.axes, mesh)) axes.push_back(std::move(axis.torus));
  return Torus(std::move(axes));
}

std::optional<LinkRates> rates_of(const AxisGroup& group) {
  const auto bandwidth = group.link.constant();
  const auto hop = group.hop.constant();
  if (!bandwidth || !hop) return std::nullopt;
  return LinkRates{bandwidth->to_double(), hop->to_double()};
}

std::optional<LinkRates> rates_on_links(const AxisGroup& group, const Machine& machine) {
  return machine.model == CostModel::Links ? rates_of(group) : std::nullopt;
}

}  // namespace shard
