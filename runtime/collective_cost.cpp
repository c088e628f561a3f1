#include "runtime/collective_cost.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/check.h"
#include "runtime/permute_cost.h"

namespace shard {
namespace {

// Seconds of one primitive: waiting for hops, waiting for bytes, and both as they overlap.
struct Span {
  Formula latency;
  Formula transfer;
  Formula total;
};

Span overlapped(Formula latency, Formula transfer) {
  Formula total = max(latency, transfer);
  return {std::move(latency), std::move(transfer), std::move(total)};
}

Formula bandwidth_of(const MeshAxis& axis, const Chip& chip) {
  if (axis.kind == AxisKind::Ici) return one_way_bandwidth(chip);
  if (axis.bandwidth) return *axis.bandwidth;
  return axis.kind == AxisKind::Dcn ? dcn_bandwidth(chip) : one_way_bandwidth(chip);
}

// One axis without wraparound: each of the |X| - 1 steps passes a block on, by one link, in one
// direction.
Span line_gather(const TorusSpan& line, const Amount& volume, const AxisGroup& group) {
  const Formula steps = line.length - Formula(1);
  const Formula hop = group.hop;
  const Formula block = Formula(volume) / (line.length * group.bandwidth);
  return {steps * hop, steps * block, steps * max(hop, block)};
}

// Over several axes every one carries its share at the same time; a ring by both directions, a line
// by one.
Span torus_gather(const AxisGroup& group, const Amount& volume, const Mesh& mesh) {
  const std::vector<TorusSpan> spans = torus_spans(group, mesh);
  if (spans.size() == 1 && !spans[0].wraps) return line_gather(spans[0], volume, group);
  Formula hops;
  Formula bandwidth;
  for (const TorusSpan& span : spans) {
    hops = hops + span.hops();
    bandwidth = bandwidth + Formula(span.wraps ? 2 : 1) * group.bandwidth;
  }
  return overlapped(hops * group.hop, Formula(volume) / bandwidth);
}

// Everything but its own part passes each device's port once.
Span network_gather(const AxisGroup& group, const Amount& volume) {
  const Amount foreign = volume - volume / group.size;
  return overlapped(group.hop, Formula(foreign) / group.bandwidth);
}

Span gather(const AxisGroup& group, const Amount& volume, const Mesh& mesh) {
  return group.kind == AxisKind::Ici ? torus_gather(group, volume, mesh)
                                     : network_gather(group, volume);
}

// c · |Xi| of the longest axis: bytes pass the middle of a line twice as densely as that of a ring.
Span torus_all_to_all(const AxisGroup& group, const Amount& volume, const Mesh& mesh) {
  Formula hops;
  Formula longest;
  for (const TorusSpan& span : torus_spans(group, mesh)) {
    hops = hops + span.hops();
    longest = max(longest, Formula(span.wraps ? 1 : 2) * span.length);
  }
  const Formula share = Formula(volume / group.size);
  return overlapped(hops * group.hop, share * longest / (Formula(8) * group.bandwidth));
}

Span all_to_all(const AxisGroup& group, const Amount& volume, const Mesh& mesh) {
  if (group.kind == AxisKind::Ici) return torus_all_to_all(group, volume, mesh);
  return network_gather(group, volume / group.size);
}

void add(Cost& cost, const Span& span, std::int64_t times) {
  cost.comms_latency = cost.comms_latency + Formula(times) * span.latency;
  cost.comms_transfer = cost.comms_transfer + Formula(times) * span.transfer;
  cost.comms = cost.comms + Formula(times) * span.total;
}

// AllGather, ReduceScatter and both of them. Networks are never merged with the torus: a slow one
// moves what the faster ones have reduced or are going to gather, so each sees the volume over the
// sizes of those before it.
Cost gathering_cost(const std::vector<AxisGroup>& groups, Amount volume, std::int64_t times,
                    const Mesh& mesh) {
  Cost cost;
  if (groups.empty()) return cost;
  cost.comm_bytes = Amount(times) * volume;
  for (const AxisGroup& group : groups) {
    add(cost, gather(group, volume, mesh), times);
    volume = volume / group.size;
  }
  return cost;
}

// What one device holds passes each link of the shortest ways to all others once. Transfer and latency add, as for any
// block that travels.
Cost broadcast_cost(const std::vector<AxisGroup>& groups, const Amount& volume, const Mesh& mesh) {
  Cost cost;
  if (groups.empty()) return cost;
  cost.comm_bytes = volume;
  for (const AxisGroup& group : groups) {
    Formula hops = 1;
    if (group.kind == AxisKind::Ici) {
      hops = Formula();
      for (const TorusSpan& span : torus_spans(group, mesh)) hops = hops + span.hops();
    }
    const Formula latency = hops * group.hop;
    const Formula transfer = Formula(volume) / group.bandwidth;
    add(cost, {latency, transfer, latency + transfer}, 1);
  }
  return cost;
}

// Every group in turn exchanges all that a device holds, among the devices of that group.
Cost all_to_all_cost(const std::vector<AxisGroup>& groups, const Amount& volume, const Mesh& mesh) {
  Cost cost;
  if (groups.empty()) return cost;
  Amount held = volume;
  for (const AxisGroup& group : groups) held = held / group.size;
  cost.comm_bytes = held;
  for (const AxisGroup& group : groups) add(cost, all_to_all(group, held * group.size, mesh), 1);
  return cost;
}

void add_axis(std::vector<AxisGroup>& groups, AxisId id, const Machine& machine) {
  const MeshAxis& axis = machine.mesh.axes[id];
  const Formula bandwidth = bandwidth_of(axis, machine.chip);
  for (AxisGroup& group : groups) {
    if (group.kind != axis.kind || !(group.bandwidth == bandwidth)) continue;
    group.axes.push_back(id);
    group.size = group.size * axis.size;
    return;
  }
  groups.push_back({axis.kind, {id}, axis.size, bandwidth, hop_latency(axis.kind, machine.chip)});
}

}  // namespace

Formula hop_latency(AxisKind kind, const Chip& chip) {
  const Formula hops(kind == AxisKind::Dcn ? 10 : 1);
  if (!chip.ici_one_way) return hops * Formula::symbol("T_min");
  return hops * Formula(Rational::fraction(1, 1'000'000));
}

Formula TorusSpan::hops() const { return wraps ? ceil(length / Formula(2)) : length - Formula(1); }

std::vector<AxisGroup> groups_of(const std::vector<AxisId>& axes, const Machine& machine) {
  std::vector<AxisGroup> groups;
  for (const AxisKind kind : {AxisKind::Ici, AxisKind::Switch, AxisKind::Dcn}) {
    for (const AxisId id : axes) {
      const MeshAxis& axis = machine.mesh.axes[id];
      if (axis.kind == kind && axis.length() != 1) add_axis(groups, id, machine);
    }
  }
  return groups;
}

std::vector<TorusSpan> torus_spans(const AxisGroup& group, const Mesh& mesh) {
  std::vector<TorusSpan> spans;
  for (const AxisId id : group.axes) {
    const MeshAxis& axis = mesh.axes[id];
    if (axis.torus.empty()) spans.push_back({Formula(axis.size), true});
    for (const TorusAxis& part : axis.torus) spans.push_back({Formula(part.length), part.wraps});
  }
  return spans;
}

Amount collective_volume(CollectiveKind, const std::vector<AxisId>& axes, const Copy& operand,
                         const Mesh& mesh) {
  Layout apart = operand.layout;
  for (auto& dim : apart.dims) {
    const auto takes_part = [&](AxisId axis) {
      return std::find(axes.begin(), axes.end(), axis) != axes.end();
    };
    dim.erase(std::remove_if(dim.begin(), dim.end(), takes_part), dim.end());
  }
  return local_bytes(operand.shape, operand.dtype, apart, mesh);
}

Cost cost_of_collective(CollectiveKind kind, const std::vector<AxisId>& axes, int shift,
                        const Copy& operand, const Copy& result, const Machine& machine) {
  const std::vector<AxisGroup> groups = groups_of(axes, machine);
  const Amount volume = collective_volume(kind, axes, operand, machine.mesh);
  switch (kind) {
    case CollectiveKind::AllGather:
    case CollectiveKind::ReduceScatter:
      return gathering_cost(groups, volume, 1, machine.mesh);
    case CollectiveKind::AllReduce:
      return gathering_cost(groups, volume, 2, machine.mesh);
    case CollectiveKind::AllToAll:
      return all_to_all_cost(groups, volume, machine.mesh);
    case CollectiveKind::CollectivePermute:
      return cost_of_reordering(operand, result.layout, machine);
    case CollectiveKind::Shift:
      return cost_of_shift(axes, shift, operand, machine);
    case CollectiveKind::Broadcast:
      return broadcast_cost(groups, volume, machine.mesh);
  }
  SHARD_CHECK(!"a collective has a cost");
}

}  // namespace shard
