#include "runtime/network/route_schedule.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/check.h"
#include "base/contains.h"

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

// The numbers of those torus axes that belong to the group.
std::vector<std::size_t> moving_axes(const AxisGroup& group, const std::vector<AxisId>& axes,
                                     const Mesh& mesh) {
  std::vector<std::size_t> moving;
  const std::vector<LinkAxis> links = link_axes(axes, mesh);
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (contains(group.axes, links[i].mesh)) moving.push_back(i);
  }
  return moving;
}

Routes routes_within(const AxisGroup& group, const std::vector<AxisId>& axes, const Mesh& mesh,
                     Routes::Keep keep) {
  std::vector<Routes::Axis> links;
  for (const LinkAxis& axis : link_axes(axes, mesh))
    links.push_back({axis.torus, !contains(group.axes, axis.mesh)});
  return Routes(links, group.fabric, keep);
}

// What deciding how a large block travels takes: the rates of the torus links, and its bytes.
struct TimedLinks {
  LinkRates rates;
  std::int64_t block_bytes;
};

std::optional<TimedLinks> timed_links(const AxisGroup& group, const Machine& machine,
                                      const std::optional<std::int64_t>& block_bytes) {
  const auto rates = rates_on_links(group, machine);
  if (group.kind != AxisKind::Ici || !rates || !block_bytes) return std::nullopt;
  return TimedLinks{*rates, *block_bytes};
}

// Trees by which the block reaches everyone sooner than by the shortest ways, whose links each carry all of it.
std::optional<std::vector<SpanningTree>> sooner_trees(const Torus& torus,
                                                      const std::vector<std::size_t>& moving,
                                                      std::int64_t root, const TimedLinks& links) {
  const auto count = static_cast<double>(2 * moving.size());
  // Beyond this the hops could not be timed.
  if (static_cast<double>(torus.places()) * count > kMostTimedHops) return std::nullopt;
  const double all = static_cast<double>(links.block_bytes) / links.rates.bandwidth;
  std::int64_t shortest = 0;
  for (const std::size_t axis : moving) {
    const std::int64_t at = torus.coordinate(root, axis);
    const std::int64_t last = torus.axes()[axis].length - 1;
    shortest +=
        torus.axes()[axis].is_ring() ? torus.axes()[axis].longest_way() : std::max(at, last - at);
  }
  // A link carries at least all / count in the trees, whose ways are no shorter: without bytes they gain nothing.
  if (all / count >= all) return std::nullopt;
  auto trees = spanning_trees(torus, moving, root);
  if (!trees) return std::nullopt;
  std::size_t rounds = 0;
  for (const SpanningTree& tree : *trees) rounds = std::max(rounds, tree.back().round + 1);
  const double by_trees =
      all / static_cast<double>(trees->size()) + static_cast<double>(rounds) * links.rates.hop;
  if (by_trees >= all + static_cast<double>(shortest) * links.rates.hop) return std::nullopt;
  return trees;
}

// The slowest network first, while only few devices send over it.
RouteSchedule broadcast_routes(std::int64_t root, std::vector<AxisId> axes, const Machine& machine,
                               Routes::Keep keep, const std::optional<std::int64_t>& block_bytes) {
  RouteSchedule schedule{std::move(axes), {{root, kEverywhere}}, {}};
  std::vector<AxisGroup> groups = groups_of(schedule.axes, machine);
  std::reverse(groups.begin(), groups.end());
  std::vector<std::int64_t> held = {root};
  for (AxisGroup& group : groups) {
    Routes routes = routes_within(group, schedule.axes, machine.mesh, keep);
    const auto links = timed_links(group, machine, block_bytes);
    const auto moving = moving_axes(group, schedule.axes, machine.mesh);
    std::vector<std::int64_t> reached;
    for (const std::int64_t device : held) {
      const auto trees =
          links ? sooner_trees(routes.torus(), moving, device, *links) : std::nullopt;
      if (trees)
        routes.broadcast(*trees);
      else
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

// Seconds for this many hops of successive parts, each of which occupies a link for `carried` seconds: either links
// carry one part after the other, or they wait for heads, which take T_min per hop.
double way_seconds(std::int64_t hops, double carried, double hop) {
  const auto h = static_cast<double>(hops);
  return carried >= hop ? h * carried + hop : h * hop + carried;
}

// The share of every block that goes up, in a Shift by `steps` up a ring; the rest goes down, the other way round. The
// more goes up, the later that ends, and the sooner the rest: the best is where both end together, or one way alone.
// Without latency, s·(n − s)/n blocks pass each link, in either direction.
double upward_share(std::int64_t length, std::int64_t steps, double whole, double hop) {
  const auto up = [&](double share) { return way_seconds(steps, share * whole, hop); };
  const auto down = [&](double share) {
    return way_seconds(length - steps, (1 - share) * whole, hop);
  };
  double low = 0;
  double high = 1;
  constexpr int kHalvings = 40;  // shares are counted in 1 / kWholeBlock, which is more than 2^-21
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (up(middle) < down(middle) ? low : high) = middle;
  }
  if (std::min(up(1), down(0)) > up(high)) return high;
  return up(1) <= down(0) ? 1 : 0;
}

// A Shift along a single ring, in both directions.
std::optional<RouteSchedule> round_a_ring(const RoutedCollective& collective,
                                          const std::vector<AxisId>& axes, const Machine& machine,
                                          Routes::Keep keep) {
  const std::vector<AxisGroup> groups = groups_of(axes, machine);
  if (groups.size() != 1) return std::nullopt;
  const auto links = timed_links(groups.front(), machine, collective.block_bytes);
  const std::vector<LinkAxis> ring = link_axes(axes, machine.mesh);
  if (!links || links->block_bytes == 0 || ring.size() != 1 || !ring.front().torus.is_ring() ||
      !ring.front().torus.slow.empty())
    return std::nullopt;
  const std::int64_t length = ring.front().torus.length;
  const std::int64_t steps = ((collective.shift % length) + length) % length;
  const double whole = static_cast<double>(links->block_bytes) / links->rates.bandwidth;
  const double share = upward_share(length, steps, whole, links->rates.hop);
  const auto up = static_cast<std::int64_t>(std::llround(share * static_cast<double>(kWholeBlock)));
  RouteSchedule schedule{axes, moved_blocks(collective.kind, {length}, collective.shift), {}};
  Routes routes = routes_within(groups.front(), axes, machine.mesh, keep);
  for (std::size_t b = 0; b < schedule.blocks.size(); ++b)
    routes.send_round(schedule.blocks[b].from, schedule.blocks[b].to, static_cast<std::int64_t>(b),
                      up);
  schedule.stages.push_back({groups.front(), std::move(routes)});
  return schedule;
}

}  // namespace

std::int64_t RouteSchedule::most_sent() const {
  std::map<std::int64_t, std::int64_t> sent;
  std::int64_t most = 0;
  for (const BlockMove& block : blocks) most = std::max(most, ++sent[block.from]);
  return most;
}

double RouteSchedule::hop_count() const {
  double hops = 0;
  for (const RouteStage& stage : stages) hops += static_cast<double>(stage.routes.hop_count());
  return hops;
}

RouteSchedule routes_of(std::vector<BlockMove> blocks, std::vector<AxisId> axes,
                        const Machine& machine, Routes::Keep keep) {
  RouteSchedule schedule{std::move(axes), std::move(blocks), {}};
  std::vector<std::int64_t> at;
  for (const BlockMove& block : schedule.blocks) at.push_back(block.from);
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
  if (makes_other_array(collective.kind)) {
    const bool shifts = collective.kind == CollectiveKind::Shift;
    if (auto round = shifts ? round_a_ring(collective, axes, machine, keep) : std::nullopt)
      return round;
    return routes_of(moved_blocks(collective.kind, lengths, collective.shift), std::move(axes),
                     machine, keep);
  }
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
  return broadcast_routes(root, std::move(axes), machine, keep, collective.block_bytes);
}

}  // namespace shard
