#include "runtime/route_schedule.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/check.h"
#include "base/find.h"

namespace shard {
namespace {

constexpr std::int64_t kEverywhere = -1;

std::vector<std::int64_t> lengths_of(const std::vector<AxisId>& axes, const Mesh& mesh) {
  std::vector<std::int64_t> lengths;
  for (const AxisId axis : axes) lengths.push_back(*mesh.axes[axis].length());
  return lengths;
}

// The device that agrees with `to` on the axes of the group, and with `from` on all others.
std::int64_t moved_within(const AxisGroup& group, std::int64_t from, std::int64_t to,
                          const std::vector<AxisId>& axes, const Mesh& mesh) {
  std::int64_t device = from;
  std::int64_t stride = 1;
  for (std::size_t i = axes.size(); i-- > 0;) {
    const std::int64_t length = *mesh.axes[axes[i]].length();
    if (contains(group.axes, axes[i]))
      device += (to / stride % length - from / stride % length) * stride;
    stride *= length;
  }
  return device;
}

Routes routes_within(const AxisGroup& group, const std::vector<AxisId>& axes, const Mesh& mesh,
                     Routes::Keep keep) {
  std::vector<Routes::Axis> links;
  for (const LinkAxis& axis : link_axes(axes, mesh))
    links.push_back({axis.torus, !contains(group.axes, axis.mesh)});
  return Routes(links, group.kind != AxisKind::Ici, keep);
}

// The slowest network first: few devices send over it.
RouteSchedule broadcast_routes(std::int64_t root, std::vector<AxisId> axes, const Machine& machine,
                               Routes::Keep keep) {
  RouteSchedule schedule{std::move(axes), {{root, kEverywhere}}, {}};
  std::vector<AxisGroup> groups = groups_of(schedule.axes, machine);
  std::reverse(groups.begin(), groups.end());
  std::vector<std::int64_t> held = {root};
  for (AxisGroup& group : groups) {
    Routes routes = routes_within(group, schedule.axes, machine.mesh, keep);
    std::vector<std::int64_t> reached;
    for (const std::int64_t device : held) {
      routes.broadcast(device);
      for (std::int64_t to = 0; to < routes.torus().places(); ++to) {
        if (moved_within(group, device, to, schedule.axes, machine.mesh) == to)
          reached.push_back(to);
      }
    }
    held = std::move(reached);
    schedule.stages.push_back({std::move(group), std::move(routes)});
  }
  return schedule;
}

}  // namespace

std::int64_t RouteSchedule::most_sent() const {
  std::map<std::int64_t, std::int64_t> sent;
  std::int64_t most = 0;
  for (const Move& block : blocks) most = std::max(most, ++sent[block.from]);
  return most;
}

double RouteSchedule::hop_count() const {
  double hops = 0;
  for (const RouteStage& stage : stages) hops += static_cast<double>(stage.routes.hop_count());
  return hops;
}

RouteSchedule routes_of(std::vector<Move> blocks, std::vector<AxisId> axes, const Machine& machine,
                        Routes::Keep keep) {
  RouteSchedule schedule{std::move(axes), std::move(blocks), {}};
  std::vector<std::int64_t> at;
  for (const Move& block : schedule.blocks) at.push_back(block.from);
  for (AxisGroup& group : groups_of(schedule.axes, machine)) {
    Routes routes = routes_within(group, schedule.axes, machine.mesh, keep);
    for (std::size_t b = 0; b < at.size(); ++b) {
      const std::int64_t to =
          moved_within(group, at[b], schedule.blocks[b].to, schedule.axes, machine.mesh);
      if (to != at[b]) routes.send(at[b], to, static_cast<std::int64_t>(b));
      at[b] = to;
    }
    schedule.stages.push_back({std::move(group), std::move(routes)});
  }
  return schedule;
}

bool is_routed(CollectiveKind kind) {
  return kind == CollectiveKind::CollectivePermute || kind == CollectiveKind::Shift ||
         kind == CollectiveKind::Broadcast;
}

std::vector<AxisId> axes_of(const RoutedCollective& collective, const Mesh& mesh) {
  if (collective.kind == CollectiveKind::CollectivePermute)
    return axes_concerned(without_trivial_axes(collective.now, mesh),
                          without_trivial_axes(collective.then, mesh));
  std::vector<AxisId> axes;
  for (const AxisId axis : collective.axes) {
    if (mesh.axes[axis].length() != 1) axes.push_back(axis);
  }
  return axes;
}

std::optional<RouteSchedule> routes_of(const RoutedCollective& collective, const Machine& machine,
                                       Routes::Keep keep) {
  const Mesh& mesh = machine.mesh;
  std::vector<AxisId> axes = axes_of(collective, mesh);
  const bool has_sizes = std::all_of(
      axes.begin(), axes.end(), [&](AxisId axis) { return mesh.axes[axis].length().has_value(); });
  if (!has_sizes) return std::nullopt;
  const std::vector<std::int64_t> lengths = lengths_of(axes, mesh);
  if (collective.kind == CollectiveKind::Shift)
    return routes_of(shifted_blocks(lengths, collective.shift), std::move(axes), machine, keep);
  if (collective.kind == CollectiveKind::CollectivePermute) {
    auto blocks = reordered_blocks(without_trivial_axes(collective.now, mesh),
                                   without_trivial_axes(collective.then, mesh), axes, lengths);
    if (!blocks) return std::nullopt;
    return routes_of(*std::move(blocks), std::move(axes), machine, keep);
  }
  std::int64_t root = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto place = place_on(collective.now, axes[i]);
    SHARD_CHECK(place.has_value());
    root = root * lengths[i] + *place;
  }
  return broadcast_routes(root, std::move(axes), machine, keep);
}

}  // namespace shard
