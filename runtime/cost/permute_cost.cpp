#include "runtime/cost/permute_cost.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "base/contains.h"
#include "runtime/cost/collective_cost.h"
#include "runtime/network/link_time_cache.h"
#include "runtime/network/route_schedule.h"
#include "runtime/plan/fingerprint.h"

namespace shard {
namespace {

// Whether the devices on the axes are few enough to enumerate.
bool are_enumerable(const std::vector<AxisId>& axes, const Mesh& mesh) {
  std::int64_t devices = 1;
  for (const AxisId axis : axes) {
    const auto length = mesh.axes[axis].length();
    if (!length || *length > kMostEnumeratedDevices / devices) return false;
    devices *= *length;
  }
  return true;
}

// Transfer and latency add up here: the last byte of a block leaves when the links are free, and only then travels its
// way.
void add(Cost& cost, const Formula& transfer, const Formula& latency) {
  cost.comms_transfer = cost.comms_transfer + transfer;
  cost.comms_latency = cost.comms_latency + latency;
  cost.comms = cost.comms + transfer + latency;
}

// A block to be timed on links: its bytes, and the rates of the networks it may travel.
struct TimedBlock {
  std::int64_t bytes = 0;
  std::vector<LinkRates> rates;  // by group
};

// nullopt under the model `book`, and if sizes or bandwidths are symbols.
std::optional<TimedBlock> timed_block(const std::vector<AxisId>& axes, const Amount& block,
                                      const Machine& machine) {
  TimedBlock timed;
  const auto constant = block.constant();
  const auto bytes = constant ? ceil(*constant).to_int64() : std::nullopt;
  if (!bytes) return std::nullopt;
  timed.bytes = *bytes;
  for (const AxisGroup& group : groups_of(axes, machine)) {
    const auto rates = rates_on_links(group, machine);
    if (!rates) return std::nullopt;
    timed.rates.push_back(*rates);
  }
  return timed;
}

RouteWeights weights_of(const RouteSchedule& schedule, const Machine& machine,
                        const std::optional<TimedBlock>& timed) {
  RouteWeights weights{schedule.most_sent(), false, {}};
  for (const RouteStage& stage : schedule.stages) {
    const Routes& routes = stage.routes;
    weights.severed = weights.severed || routes.is_severed();
    RouteWeights::Stage& weight = weights.stages.emplace_back();
    weight.busiest = routes.busiest();
    weight.hops = routes.hops();
    if (timed)
      weight.seconds =
          time_on_links(routes, timed->bytes, 1, *rates_on_links(stage.group, machine)).seconds;
  }
  return weights;
}

// Everything that the weights depend on.
std::string key_of(const RoutedCollective& collective, const std::vector<AxisId>& axes,
                   const Machine& machine, const std::optional<TimedBlock>& timed) {
  const Mesh& mesh = machine.mesh;
  Fingerprint key;
  key.add(static_cast<std::int64_t>(collective.kind));
  key.add(std::int64_t{collective.shift});
  for (const Layout* layout : {&collective.now, &collective.then}) {
    key.add(static_cast<std::int64_t>(layout->dims.size()));
    for (const auto& dim : layout->dims) {
      for (const AxisId axis : dim) {
        const auto place = position_of(axes, axis);
        if (place) key.add(static_cast<std::int64_t>(*place) + 1);
      }
      key.add(std::int64_t{0});
    }
    for (const AxisId axis : axes) key.add(place_on(*layout, axis).value_or(-1));
  }
  for (const LinkAxis& axis : link_axes(axes, mesh)) {
    key.add(static_cast<std::int64_t>(mesh.axes[axis.mesh].kind));
    key.add(static_cast<std::int64_t>(fabric_of(mesh.axes[axis.mesh], machine.chip)));
    key.add(mesh.axes[axis.mesh].bandwidth.value_or(0));
    key.add(std::int64_t{axis.mesh.value});
    key.add(axis.torus.length);
    key.add(std::int64_t{axis.torus.wraps});
    key.add(static_cast<std::int64_t>(axis.torus.cuts.size()));
    for (const std::int64_t cut : axis.torus.cuts) key.add(cut);
    key.add(static_cast<std::int64_t>(axis.torus.slow.size()));
    for (const SlowLink& slow : axis.torus.slow) {
      key.add(slow.position);
      key.add(slow.by);
    }
  }
  if (!timed) return key.bytes();
  key.add(timed->bytes);
  for (const LinkRates& rates : timed->rates) {
    key.add(std::bit_cast<std::int64_t>(rates.bandwidth));
    key.add(std::bit_cast<std::int64_t>(rates.hop));
  }
  return key.bytes();
}

// Not timed if there are too many hops: then only loads are kept, and the formulas hold. `routes` builds the schedule,
// keeping as much of it as it is asked to; nullopt if it builds none.
template <class MakeRoutes>
std::optional<RouteWeights> weights_in_limits(const MakeRoutes& routes, const Machine& machine,
                                              const std::optional<TimedBlock>& timed) {
  const std::optional<RouteSchedule> schedule = routes(Routes::Keep::Loads);
  if (!schedule) return std::nullopt;
  if (!timed || schedule->hop_count() > kMostTimedHops)
    return weights_of(*schedule, machine, std::nullopt);
  return weights_of(*routes(Routes::Keep::Hops), machine, timed);
}

// nullopt if blocks do not move whole, or there are too many devices. Results are cached on the machine.
std::optional<RouteWeights> weights_of(const RoutedCollective& collective,
                                       const std::vector<AxisId>& axes, const Machine& machine,
                                       const std::optional<TimedBlock>& timed) {
  if (!are_enumerable(axes, machine.mesh)) return std::nullopt;
  const auto find = [&] {
    return weights_in_limits(
        [&](Routes::Keep keep) { return routes_of(collective, machine, keep); }, machine, timed);
  };
  if (machine.link_times == nullptr) return find();
  return machine.link_times->weights(key_of(collective, axes, machine, timed), find);
}

Cost cost_of_weights(const RouteWeights& weights, const std::vector<AxisId>& axes,
                     const Amount& block, const Machine& machine) {
  Cost cost;
  cost.comm_bytes = Amount(weights.most_sent) * block;
  cost.severed = weights.severed;
  const std::vector<AxisGroup> groups = groups_of(axes, machine);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const RouteWeights::Stage& stage = weights.stages[g];
    if (stage.hops == 0) continue;
    const Formula before = cost.comms;
    add(cost, Formula(Amount(stage.busiest) * block) / groups[g].link,
        Formula(stage.hops) * groups[g].hop);
    if (stage.seconds) cost.comms = before + to_seconds(*stage.seconds);
  }
  return cost;
}

// Without numbers the ways are unknown. But no permutation needs more bytes on a link than two AllToAlls: the first
// spreads every block evenly over all devices, the second brings the parts to their destination. Hops are at most half
// way around each axis.
Cost permute_bound(const std::vector<AxisId>& axes, const Amount& block, const Machine& machine) {
  Cost cost;
  cost.comm_bytes = block;
  cost.severed = !severed_text(axes, machine.mesh).empty();
  for (const AxisGroup& group : groups_of(axes, machine)) {
    if (group.kind != AxisKind::Ici) {
      add(cost, Formula(block) / group.link, group.hop);
      continue;
    }
    Formula hops;
    Formula longest;
    for (const TorusSpan& span : torus_spans(group, machine.mesh)) {
      hops = hops + span.hops();
      const Formula length = Formula(span.wraps ? 1 : 2) * span.length;
      longest =
          max(longest, span.slowness == Rational(1) ? length : Formula(span.slowness) * length);
    }
    add(cost, Formula(block) * longest / (Formula(2) * axis_bandwidth(machine.chip)),
        hops * group.hop);
  }
  return cost;
}

// Hops to the farthest device of the group, and the slowdown of the slowest link.
std::pair<Formula, Rational> farthest(const AxisGroup& group, const Mesh& mesh) {
  if (group.kind != AxisKind::Ici) return {1, 1};
  Formula hops;
  Rational slowness = 1;
  for (const TorusSpan& span : torus_spans(group, mesh)) {
    hops = hops + span.hops();
    slowness = std::max(slowness, span.slowness);
  }
  return {hops, slowness};
}

Amount block_bytes(const Copy& copy, const Mesh& mesh) {
  return local_bytes(copy.shape, copy.dtype, copy.layout, mesh);
}

// On one ring of unknown length every block goes `shift` hops and every link carries that many blocks; a ring so short
// that the other way is shorter needs no more.
Cost shift_bound(const std::vector<AxisId>& axes, int shift, const Amount& block,
                 const Machine& machine) {
  const auto groups = groups_of(axes, machine);
  const auto& torus = machine.mesh.axes[axes.front()].torus;
  const bool misbehaves = std::any_of(torus.begin(), torus.end(), [](const TorusAxis& axis) {
    return !axis.cuts.empty() || !axis.slow.empty();
  });
  if (groups.size() != 1 || groups[0].kind != AxisKind::Ici || axes.size() != 1 || misbehaves) {
    return permute_bound(axes, block, machine);
  }
  Cost cost;
  cost.comm_bytes = block;
  const std::int64_t hops = std::abs(static_cast<std::int64_t>(shift));
  add(cost, Formula(Amount(hops) * block) / one_way_bandwidth(machine.chip),
      Formula(hops) * hop_latency(AxisKind::Ici, machine.chip));
  return cost;
}

}  // namespace

Cost cost_of_reordering(const Copy& operand, const Layout& result, const Machine& machine) {
  const RoutedCollective collective{
      CollectiveKind::CollectivePermute, {}, 0, operand.layout, result};
  const std::vector<AxisId> axes = axes_of(collective, machine.mesh);
  const Amount block = block_bytes(operand, machine.mesh);
  const auto weights = weights_of(collective, axes, machine, timed_block(axes, block, machine));
  return weights ? cost_of_weights(*weights, axes, block, machine)
                 : permute_bound(axes, block, machine);
}

Cost cost_of_moved_blocks(CollectiveKind kind, const std::vector<AxisId>& axes, int step,
                          const Copy& operand, const Machine& machine) {
  RoutedCollective collective{kind, axes, step, {}, {}};
  const std::vector<AxisId> moving = axes_of(collective, machine.mesh);
  const Amount block = block_bytes(operand, machine.mesh);
  const bool shifts = kind == CollectiveKind::Shift;
  if (moving.empty() || (shifts && step == 0)) return {};
  const auto timed = timed_block(moving, block, machine);
  if (timed) collective.block_bytes = timed->bytes;
  const auto weights = weights_of(collective, moving, machine, timed);
  if (weights) return cost_of_weights(*weights, moving, block, machine);
  return shifts ? shift_bound(moving, step, block, machine) : permute_bound(moving, block, machine);
}

Cost cost_of_broadcast(const std::vector<AxisId>& axes, const Copy& operand,
                       const Machine& machine) {
  RoutedCollective collective{CollectiveKind::Broadcast, axes, 0, operand.layout, {}};
  const std::vector<AxisId> moving = axes_of(collective, machine.mesh);
  const std::vector<AxisGroup> groups = groups_of(moving, machine);
  Cost cost;
  if (groups.empty()) return cost;
  const Amount block = block_bytes(operand, machine.mesh);
  cost.comm_bytes = block;
  const auto timed = timed_block(moving, block, machine);
  if (timed) collective.block_bytes = timed->bytes;
  const auto weights =
      timed ? weights_of(collective, moving, machine, timed) : std::optional<RouteWeights>();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Formula before = cost.comms;
    const auto [hops, slowness] = farthest(groups[g], machine.mesh);
    const Formula transfer = Formula(block) / groups[g].link;
    add(cost, slowness == Rational(1) ? transfer : Formula(slowness) * transfer,
        hops * groups[g].hop);
    // The weights have their stages from the slowest network on, in reverse order of the groups.
    if (!weights) continue;
    const auto seconds = weights->stages[groups.size() - 1 - g].seconds;
    if (seconds) cost.comms = before + to_seconds(*seconds);
  }
  return cost;
}

Cost cost_of_send(const Amount& bytes, std::int64_t from, std::int64_t to, const Machine& machine) {
  const std::vector<std::int64_t> begin = coordinates(machine.mesh, from);
  const std::vector<std::int64_t> end = coordinates(machine.mesh, to);
  std::vector<AxisId> axes;
  BlockMove move{0, 0};
  // Only devices on the axes on which the two differ can be on the way.
  for (std::size_t i = 0; i < begin.size(); ++i) {
    if (begin[i] == end[i]) continue;
    axes.push_back(AxisId{static_cast<std::int32_t>(i)});
    const std::int64_t length = *machine.mesh.axes[axes.back()].length();
    move = {move.from * length + begin[i], move.to * length + end[i]};
  }
  if (axes.empty()) return {};
  if (!are_enumerable(axes, machine.mesh))
    return with_launch(permute_bound(axes, bytes, machine), machine.chip);
  const auto routes = [&](Routes::Keep keep) {
    return std::optional(routes_of({move}, axes, machine, keep));
  };
  const auto weights = weights_in_limits(routes, machine, timed_block(axes, bytes, machine));
  return with_launch(cost_of_weights(*weights, axes, bytes, machine), machine.chip);
}

}  // namespace shard
