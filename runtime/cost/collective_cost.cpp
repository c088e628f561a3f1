#include "runtime/cost/collective_cost.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/check.h"
#include "runtime/cost/permute_cost.h"
#include "runtime/network/link_plan.h"
#include "runtime/network/link_time_cache.h"

namespace shard {
namespace {

// Seconds of one primitive: for hops, for bytes, and for both as they overlap.
struct PrimitiveTime {
  Formula latency;
  Formula transfer;
  Formula total;
};

PrimitiveTime overlapped(Formula latency, Formula transfer) {
  Formula total = max(latency, transfer);
  return {std::move(latency), std::move(transfer), std::move(total)};
}

// The seconds that a link of the axis takes for what a normal link carries in `seconds`.
Formula slowed(const Formula& seconds, const Rational& slowness) {
  return slowness == Rational(1) ? seconds : Formula(slowness) * seconds;
}

// One axis without wraparound: each of its |X| - 1 steps passes a block on over one link, in one direction (S, "Pop
// Quiz 2").
PrimitiveTime line_gather(const TorusSpan& line, const Amount& volume, const AxisGroup& group) {
  const Formula steps = line.length - Formula(1);
  const Formula hop = group.hop;
  const Formula block = slowed(Formula(volume) / (line.length * group.bandwidth), line.slowness);
  return {steps * hop, steps * block, steps * max(hop, block)};
}

// Each of several axes carries its share at the same time, a ring in both directions, a line in one.
PrimitiveTime torus_gather(const AxisGroup& group, const Amount& volume, const Mesh& mesh) {
  const std::vector<TorusSpan> spans = torus_spans(group, mesh);
  if (spans.size() == 1 && !spans[0].wraps) return line_gather(spans[0], volume, group);
  Formula hops;
  Formula bandwidth;
  for (const TorusSpan& span : spans) {
    hops = hops + span.hops();
    const Formula own = Formula(span.wraps ? 2 : 1) * group.bandwidth;
    bandwidth = bandwidth + (span.slowness == Rational(1) ? own : own / Formula(span.slowness));
  }
  return overlapped(hops * group.hop, Formula(volume) / bandwidth);
}

// Everything but the device's own part passes through its port once.
PrimitiveTime network_gather(const AxisGroup& group, const Amount& volume) {
  const Amount foreign = volume - volume / group.size;
  return overlapped(group.hop, Formula(foreign) / group.bandwidth);
}

PrimitiveTime gather(const AxisGroup& group, const Amount& volume, const Mesh& mesh) {
  return group.kind == AxisKind::Ici ? torus_gather(group, volume, mesh)
                                     : network_gather(group, volume);
}

// c · |Xi| of the longest axis: the middle of a line carries twice as many bytes per link as a ring.
PrimitiveTime torus_all_to_all(const AxisGroup& group, const Amount& volume, const Mesh& mesh) {
  Formula hops;
  Formula longest;
  for (const TorusSpan& span : torus_spans(group, mesh)) {
    hops = hops + span.hops();
    longest = max(longest, slowed(Formula(span.wraps ? 1 : 2) * span.length, span.slowness));
  }
  const Formula share = Formula(volume / group.size);
  // 8·W1 is the model's 4·W.
  return overlapped(hops * group.hop, share * longest / (Formula(8) * group.bandwidth));
}

PrimitiveTime all_to_all(const AxisGroup& group, const Amount& volume, const Mesh& mesh) {
  if (group.kind == AxisKind::Ici) return torus_all_to_all(group, volume, mesh);
  return network_gather(group, volume / group.size);
}

void add(Cost& cost, const PrimitiveTime& span, std::int64_t times,
         const std::optional<Formula>& on_links = std::nullopt) {
  cost.comms_latency = cost.comms_latency + Formula(times) * span.latency;
  cost.comms_transfer = cost.comms_transfer + Formula(times) * span.transfer;
  cost.comms = cost.comms + on_links.value_or(Formula(times) * span.total);
}

// Whether places and hops are few enough to simulate. Beyond the limits the formulas hold.
bool are_enumerable(CollectiveKind kind, const Torus& torus) {
  const Movement movement = forward_movement(kind);
  return torus.places() <= kMostEnumeratedDevices &&
         std::all_of(torus.axes().begin(), torus.axes().end(), [&](const TorusAxis& axis) {
           return number_of_hops(movement, axis, torus.is_network()) <= kMostTimedHops;
         });
}

// The seconds that the hops of a primitive take, with blocks of `block` bytes; nullopt under the model `book`, if sizes
// or bandwidths are symbols, and if there are too many hops.
std::optional<Formula> seconds_on_links(CollectiveKind kind, const AxisGroup& group,
                                        const Amount& block, const Machine& machine) {
  const auto rates = rates_on_links(group, machine);
  const auto bytes = block.constant();
  const bool timed = rates && bytes && severed_text(group.axes, machine.mesh).empty();
  const auto torus = timed ? torus_of(group, machine.mesh) : std::nullopt;
  const auto whole = torus ? ceil(*bytes).to_int64() : std::nullopt;
  if (!whole || !are_enumerable(kind, *torus)) return std::nullopt;
  LinkTimes own;
  LinkTimes& times = machine.link_times ? *machine.link_times : own;
  return to_seconds(times.seconds(kind, *torus, *whole, *rates));
}

// AllGather, ReduceScatter, or both. Networks are never merged with the torus: groups come fastest first, so that a
// slow network moves only what the faster ones have reduced or will gather, that is, the volume over the sizes of all
// groups before it.
Cost gathering_cost(CollectiveKind kind, const std::vector<AxisGroup>& groups, Amount volume,
                    const Machine& machine) {
  Cost cost;
  if (groups.empty()) return cost;
  const std::int64_t times = times_of(kind);
  cost.comm_bytes = Amount(times) * volume;
  for (const AxisGroup& group : groups) {
    const Amount block = volume / group.size;
    add(cost, gather(group, volume, machine.mesh), times,
        seconds_on_links(kind, group, block, machine));
    volume = block;
  }
  return cost;
}

// Each group in turn exchanges everything that a device holds among the devices of that group.
Cost all_to_all_cost(const std::vector<AxisGroup>& groups, const Amount& volume,
                     const Machine& machine) {
  Cost cost;
  if (groups.empty()) return cost;
  Amount held = volume;
  for (const AxisGroup& group : groups) held = held / group.size;
  cost.comm_bytes = held;
  for (const AxisGroup& group : groups) {
    add(cost, all_to_all(group, held * group.size, machine.mesh), 1,
        seconds_on_links(CollectiveKind::AllToAll, group, held / group.size, machine));
  }
  return cost;
}

}  // namespace

Formula to_seconds(double seconds) {
  constexpr std::int64_t kFemtoseconds = 1'000'000'000'000'000;
  // Seconds: 9e18 fs still fit 64 bits; beyond, a rational near the double will do.
  constexpr double kMostExact = 9'000;
  if (!(seconds < kMostExact)) return Rational::approximate(seconds);
  return Rational::fraction(std::llround(seconds * static_cast<double>(kFemtoseconds)),
                            kFemtoseconds);
}

Formula TorusSpan::hops() const { return wraps ? ceil(length / Formula(2)) : length - Formula(1); }

std::vector<TorusSpan> torus_spans(const AxisGroup& group, const Mesh& mesh) {
  std::vector<TorusSpan> spans;
  for (const AxisId id : group.axes) {
    const MeshAxis& axis = mesh.axes[id];
    if (axis.torus.empty()) spans.push_back({Formula(axis.size), true});
    for (const TorusAxis& part : axis.torus)
      spans.push_back({Formula(part.length), part.is_ring(), part.slowness()});
  }
  return spans;
}

Amount collective_volume(const std::vector<AxisId>& axes, const Copy& operand, const Mesh& mesh) {
  Layout apart = operand.layout;
  for (auto& dim : apart.dims.edit()) {
    const auto takes_part = [&](AxisId axis) {
      return std::find(axes.begin(), axes.end(), axis) != axes.end();
    };
    dim.erase(std::remove_if(dim.begin(), dim.end(), takes_part), dim.end());
  }
  return local_bytes(operand.shape, operand.dtype, apart, mesh);
}

namespace {

Cost cost_of_whole_axes(CollectiveKind kind, const std::vector<AxisId>& axes, const Copy& operand,
                        const Machine& machine) {
  const std::vector<AxisGroup> groups = groups_of(axes, machine);
  const Amount volume = collective_volume(axes, operand, machine.mesh);
  switch (kind) {
    case CollectiveKind::AllGather:
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::AllReduce:
      return gathering_cost(kind, groups, volume, machine);
    case CollectiveKind::AllToAll:
      return all_to_all_cost(groups, volume, machine);
    default:
      SHARD_CHECK(!"blocks that travel by routes have a cost of their own");
  }
}

}  // namespace

namespace {

Cost cost_without_launch(CollectiveKind kind, const std::vector<AxisId>& axes, int shift,
                         const Copy& operand, const Copy& result, const Machine& machine) {
  // These move blocks between devices rather than over whole axes.
  if (kind == CollectiveKind::CollectivePermute)
    return cost_of_reordering(operand, result.layout, machine);
  if (makes_other_array(kind)) return cost_of_moved_blocks(kind, axes, shift, operand, machine);
  Cost cost = kind == CollectiveKind::Broadcast ? cost_of_broadcast(axes, operand, machine)
                                                : cost_of_whole_axes(kind, axes, operand, machine);
  cost.severed = !severed_text(axes, machine.mesh).empty();
  return cost;
}

}  // namespace

Cost with_launch(Cost cost, const Chip& chip) {
  if (!chip.launch || cost.comms.is_zero()) return cost;
  cost.comms = cost.comms + launch_time(chip);
  cost.comms_latency = cost.comms_latency + launch_time(chip);
  return cost;
}

Cost cost_of_collective(CollectiveKind kind, const std::vector<AxisId>& axes, int shift,
                        const Copy& operand, const Copy& result, const Machine& machine) {
  return with_launch(cost_without_launch(kind, axes, shift, operand, result, machine),
                     machine.chip);
}

}  // namespace shard
