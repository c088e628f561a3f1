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

// Coordinates on mesh axes, spread over the axes of the torus that each runs over.
class TorusView {
 public:
  TorusView(const std::vector<AxisId>& axes, const Mesh& mesh) {
    for (const AxisId id : axes) {
      const MeshAxis& axis = mesh.axes[id];
      std::vector<TorusAxis> torus = axis.torus;
      if (axis.kind != AxisKind::Ici || torus.empty()) torus = {{*axis.length(), true}};
      std::vector<std::int64_t> lengths;
      for (const TorusAxis& part : torus) {
        axes_.push_back({part, axis.kind != AxisKind::Ici});
        lengths.push_back(part.length);
      }
      lengths_.push_back(std::move(lengths));
    }
  }

  const std::vector<LinkLoads::Axis>& axes() const { return axes_; }

  Position on_torus(const Position& mesh_position) const {
    Position result;
    for (std::size_t i = 0; i < mesh_position.size(); ++i) {
      const Position part = position_of(mesh_position[i], lengths_[i]);
      result.insert(result.end(), part.begin(), part.end());
    }
    return result;
  }

 private:
  std::vector<LinkLoads::Axis> axes_;
  std::vector<std::vector<std::int64_t>> lengths_;
};

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
  if (TorusView(axes, mesh).axes().size() > kMostTravelledAxes) return std::nullopt;
  return lengths;
}

// The most blocks that one device sends, counting those that `counts` says.
template <class Predicate>
std::int64_t most_sent(const std::vector<Move>& moves, Predicate counts) {
  std::map<Position, std::int64_t> sent;
  std::int64_t most = 0;
  for (const Move& move : moves) {
    if (counts(move)) most = std::max(most, ++sent[move.from]);
  }
  return most;
}

// Transfer and latency add here: the last byte of a block leaves when the links are free, and then
// has its way to go.
void add(Cost& cost, const Formula& transfer, const Formula& latency) {
  cost.comms_transfer = cost.comms_transfer + transfer;
  cost.comms_latency = cost.comms_latency + latency;
  cost.comms = cost.comms + transfer + latency;
}

Formula latency_of(std::int64_t hops, AxisKind kind) { return Rational(hops) * hop_latency(kind); }

void add_torus_cost(Cost& cost, const std::vector<Move>& moves, const TorusView& view,
                    const Amount& block, const Machine& machine) {
  LinkLoads loads(view.axes());
  for (const Move& move : moves) loads.send(view.on_torus(move.from), view.on_torus(move.to));
  if (loads.hops() == 0) return;
  add(cost, Formula(Amount(loads.busiest()) * block) / one_way_bandwidth(machine.chip),
      latency_of(loads.hops(), AxisKind::Ici));
}

// Blocks that change the coordinate of a Dcn or Switch axis leave by the device's port into that
// network.
void add_network_cost(Cost& cost, const std::vector<Move>& moves, const std::vector<AxisId>& axes,
                      const Amount& block, const Machine& machine) {
  for (const AxisGroup& group : groups_of(axes, machine)) {
    if (group.kind == AxisKind::Ici) continue;
    const auto leaves = [&](const Move& move) {
      for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto& members = group.axes;
        const bool in_group = std::find(members.begin(), members.end(), axes[i]) != members.end();
        if (in_group && move.from[i] != move.to[i]) return true;
      }
      return false;
    };
    const std::int64_t blocks = most_sent(moves, leaves);
    if (blocks == 0) continue;
    add(cost, Formula(Amount(blocks) * block) / group.bandwidth, latency_of(1, group.kind));
  }
}

Cost cost_of_moves(const std::vector<Move>& moves, const std::vector<AxisId>& axes,
                   const Amount& block, const Machine& machine) {
  Cost cost;
  cost.comm_bytes = Amount(most_sent(moves, [](const Move&) { return true; })) * block;
  add_torus_cost(cost, moves, TorusView(axes, machine.mesh), block, machine);
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
      add(cost, Formula(block) / group.bandwidth, latency_of(1, group.kind));
      continue;
    }
    Formula hops;
    Formula longest;
    for (const TorusSpan& span : torus_spans(group, machine.mesh)) {
      hops = hops + span.hops();
      longest = max(longest, Formula(span.wraps ? 1 : 2) * span.length);
    }
    add(cost, Formula(block) * longest / (Formula(2) * axis_bandwidth(machine.chip)),
        hops * Formula(hop_latency(AxisKind::Ici)));
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
      latency_of(hops, AxisKind::Ici));
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
  const Position begin = coordinates(machine.mesh, from);
  const Position end = coordinates(machine.mesh, to);
  std::vector<AxisId> axes;
  Move move;
  for (std::size_t i = 0; i < begin.size(); ++i) {
    if (begin[i] == end[i]) continue;
    axes.push_back(AxisId{static_cast<std::int32_t>(i)});
    move.from.push_back(begin[i]);
    move.to.push_back(end[i]);
  }
  if (axes.empty()) return {};
  return cost_of_moves({move}, axes, bytes, machine);
}

}  // namespace shard
