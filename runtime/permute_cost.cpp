#include "runtime/permute_cost.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

#include "runtime/block_moves.h"
#include "runtime/collective_cost.h"
#include "runtime/routes.h"

namespace shard {
namespace {

// The axes of the torus under mesh axes. Both number the same devices alike, because a mesh axis
// takes its torus axes major first.
std::vector<LinkLoads::Axis> torus_under(const std::vector<AxisId>& axes, const Mesh& mesh) {
  std::vector<LinkLoads::Axis> torus;
  for (const AxisId id : axes) {
    const MeshAxis& axis = mesh.axes[id];
    if (axis.kind != AxisKind::Ici || axis.torus.empty()) {
      torus.push_back({{*axis.length(), true}, axis.kind != AxisKind::Ici});
      continue;
    }
    for (const TorusAxis& part : axis.torus) torus.push_back({part, false});
  }
  return torus;
}

// The lengths of the axes, if they are numbers and there are few enough devices to go through.
std::optional<std::vector<std::int64_t>> enumerable_lengths(const std::vector<AxisId>& axes,
                                                            const Mesh& mesh) {
  std::vector<std::int64_t> lengths;
  std::int64_t devices = 1;
  for (const AxisId axis : axes) {
    const auto length = mesh.axes[axis].length();
    if (!length || *length > kMostEnumeratedDevices / devices) return std::nullopt;
    devices *= *length;
    lengths.push_back(*length);
  }
  if (torus_under(axes, mesh).size() > kMostTravelledAxes) return std::nullopt;
  return lengths;
}

// The most moves that begin at one device.
std::int64_t most_sent(const std::vector<Move>& moves) {
  std::map<std::int64_t, std::int64_t> sent;
  std::int64_t most = 0;
  for (const Move& move : moves) most = std::max(most, ++sent[move.from]);
  return most;
}

// Transfer and latency add here: the last byte of a block leaves when the links are free, and then
// has its way to go.
void add(Cost& cost, const Formula& transfer, const Formula& latency) {
  cost.comms_transfer = cost.comms_transfer + transfer;
  cost.comms_latency = cost.comms_latency + latency;
  cost.comms = cost.comms + transfer + latency;
}

void add_torus_cost(Cost& cost, const std::vector<Move>& moves, const std::vector<AxisId>& axes,
                    const Amount& block, const Machine& machine) {
  LinkLoads loads(torus_under(axes, machine.mesh));
  for (const Move& move : moves) loads.send(move.from, move.to);
  if (loads.hops() == 0) return;
  add(cost, Formula(Amount(loads.busiest()) * block) / one_way_bandwidth(machine.chip),
      Formula(loads.hops()) * hop_latency(AxisKind::Ici, machine.chip));
}

// The moves on which a block changes its coordinate on one of the group's axes.
std::vector<Move> moves_within(const AxisGroup& group, const std::vector<Move>& moves,
                               const std::vector<AxisId>& axes, const Mesh& mesh) {
  std::vector<Move> result;
  for (const Move& move : moves) {
    std::int64_t stride = 1;
    bool changes = false;
    for (std::size_t i = axes.size(); i-- > 0;) {
      const std::int64_t length = *mesh.axes[axes[i]].length();
      const bool in_group =
          std::find(group.axes.begin(), group.axes.end(), axes[i]) != group.axes.end();
      changes = changes || (in_group && move.from / stride % length != move.to / stride % length);
      stride *= length;
    }
    if (changes) result.push_back(move);
  }
  return result;
}

// Blocks that change their place on a Dcn or Switch axis leave by the device's port into that network.
void add_network_cost(Cost& cost, const std::vector<Move>& moves, const std::vector<AxisId>& axes,
                      const Amount& block, const Machine& machine) {
  for (const AxisGroup& group : groups_of(axes, machine)) {
    if (group.kind == AxisKind::Ici) continue;
    const std::int64_t blocks = most_sent(moves_within(group, moves, axes, machine.mesh));
    if (blocks == 0) continue;
    add(cost, Formula(Amount(blocks) * block) / group.bandwidth, group.hop);
  }
}

Cost cost_of_moves(const std::vector<Move>& moves, const std::vector<AxisId>& axes,
                   const Amount& block, const Machine& machine) {
  Cost cost;
  cost.comm_bytes = Amount(most_sent(moves)) * block;
  add_torus_cost(cost, moves, axes, block, machine);
  add_network_cost(cost, moves, axes, block, machine);
  return cost;
}

// Without numbers the ways are unknown. But no permutation needs more bytes on a link than two
// AllToAlls: the first spreads every block evenly over all devices, the second brings the parts to
// where the block belongs. Hops are at most half way around each axis.
Cost permute_bound(const std::vector<AxisId>& axes, const Amount& block, const Machine& machine) {
  Cost cost;
  cost.comm_bytes = block;
  for (const AxisGroup& group : groups_of(axes, machine)) {
    if (group.kind != AxisKind::Ici) {
      add(cost, Formula(block) / group.bandwidth, group.hop);
      continue;
    }
    Formula hops;
    Formula longest;
    for (const TorusSpan& span : torus_spans(group, machine.mesh)) {
      hops = hops + span.hops();
      longest = max(longest, Formula(span.wraps ? 1 : 2) * span.length);
    }
    add(cost, Formula(block) * longest / (Formula(2) * axis_bandwidth(machine.chip)),
        hops * group.hop);
  }
  return cost;
}

std::vector<AxisId> without_size_one(const std::vector<AxisId>& axes, const Mesh& mesh) {
  std::vector<AxisId> result;
  for (const AxisId axis : axes) {
    if (mesh.axes[axis].length() != 1) result.push_back(axis);
  }
  return result;
}

Amount block_bytes(const Copy& copy, const Mesh& mesh) {
  return local_bytes(copy.shape, copy.dtype, copy.layout, mesh);
}

// On one ring of unknown length every block goes `shift` hops and every link carries that many; no
// more than that on a ring so short that the other way is shorter.
Cost shift_bound(const std::vector<AxisId>& axes, int shift, const Amount& block,
                 const Machine& machine) {
  const auto groups = groups_of(axes, machine);
  if (groups.size() != 1 || groups[0].kind != AxisKind::Ici || axes.size() != 1) {
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
  const Layout now = without_trivial_axes(operand.layout, machine.mesh);
  const Layout then = without_trivial_axes(result, machine.mesh);
  const std::vector<AxisId> axes = axes_concerned(now, then);
  const Amount block = block_bytes(operand, machine.mesh);
  const auto lengths = enumerable_lengths(axes, machine.mesh);
  if (!lengths) return permute_bound(axes, block, machine);
  const auto moves = reordered_blocks(now, then, axes, *lengths);
  return moves ? cost_of_moves(*moves, axes, block, machine) : permute_bound(axes, block, machine);
}

Cost cost_of_shift(const std::vector<AxisId>& axes, int shift, const Copy& operand,
                   const Machine& machine) {
  const std::vector<AxisId> moving = without_size_one(axes, machine.mesh);
  const Amount block = block_bytes(operand, machine.mesh);
  if (shift == 0 || moving.empty()) return {};
  const auto lengths = enumerable_lengths(moving, machine.mesh);
  if (!lengths) return shift_bound(moving, shift, block, machine);
  return cost_of_moves(shifted_blocks(*lengths, shift), moving, block, machine);
}

Cost cost_of_send(const Amount& bytes, std::int64_t from, std::int64_t to, const Machine& machine) {
  const std::vector<std::int64_t> begin = coordinates(machine.mesh, from);
  const std::vector<std::int64_t> end = coordinates(machine.mesh, to);
  std::vector<AxisId> axes;
  Move move{0, 0};
  // Among the devices of the axes on which the two differ: no others are on the way.
  for (std::size_t i = 0; i < begin.size(); ++i) {
    if (begin[i] == end[i]) continue;
    axes.push_back(AxisId{static_cast<std::int32_t>(i)});
    const std::int64_t length = *machine.mesh.axes[axes.back()].length();
    move = {move.from * length + begin[i], move.to * length + end[i]};
  }
  return axes.empty() ? Cost{} : cost_of_moves({move}, axes, bytes, machine);
}

}  // namespace shard
