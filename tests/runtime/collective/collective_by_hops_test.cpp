#include "runtime/collective/collective_by_hops.h"

#include <cstring>

#include "runtime/collective/redistribute.h"
#include "tests/runtime/support/random_layouts.h"

namespace shard::collective_by_hops_test {
namespace {

bool same_blocks(const DeviceArray& a, const DeviceArray& b) {
  for (std::size_t s = 0; s < a.shards.size(); ++s) {
    if (std::memcmp(a.shards[s]->data(), b.shards[s]->data(), shard_bytes(a)) != 0) return false;
  }
  return true;
}

int shifted_blocks_count = 0;
int sent_blocks_count = 0;
int broadcast_blocks_count = 0;

SHARD_PROPERTY(HopExchange, AShiftGoesHopByHop, 300) {
  Case c;
  c.mesh = random_mesh();
  c.from = c.to = random_layout(c.mesh, static_cast<std::size_t>(1 + pick(3)));
  const Extents shape = random_shape(c);
  const Machine machine = machine_with_random_links(c.mesh);
  std::vector<AxisId> axes;
  for (std::size_t a = 0; a < c.mesh.axes.size(); ++a) {
    if (pick(2) == 0) axes.push_back(AxisId{static_cast<std::int32_t>(a)});
  }
  const CollectiveStep step{.kind = CollectiveKind::Shift,
                            .axes = axes,
                            .operand = {},
                            .result = {},
                            .shift = pick(20) - 10};
  if (!has_schedule(step, machine.mesh)) return;
  const DeviceArray operand = numbered_array(shape, DType::Bf16, c.from, machine.mesh);
  DeviceArray direct = outline(shape, DType::Bf16, operand.storage, c.to, machine.mesh,
                               pick(2) == 0 ? Sharing::Replicas : Sharing::None);
  if (direct.shards.size() != operand.shards.size())
    direct = outline(shape, DType::Bf16, operand.storage, c.to, machine.mesh);
  DeviceArray hops = direct;
  move_blocks(step.kind, operand, axes, step.shift, machine.mesh, Executor(1), direct);
  if (element_count(shape) > 0 && direct.shards != operand.shards) ++shifted_blocks_count;
  exchange_by_hops(operand, step, machine, Executor(1), hops);
  RC_ASSERT(same_blocks(direct, hops));
}

// What is held at one place of some axes, sent to another one, and to all of them.
SHARD_PROPERTY(HopExchange, BroadcastsAndSendsGoHopByHop, 300) {
  Case c;
  c.mesh = random_mesh();
  c.from = random_layout(c.mesh, static_cast<std::size_t>(1 + pick(3)));
  std::vector<AxisId> axes;
  for (std::size_t a = 0; a < c.mesh.axes.size(); ++a) {
    const AxisId axis{static_cast<std::int32_t>(a)};
    if (uses(c.from, axis) || *c.mesh.axes[axis].length() == 1) continue;
    axes.push_back(axis);
    c.from.placed.edit().push_back({axis, pick(static_cast<int>(*c.mesh.axes[axis].length()))});
  }
  if (axes.empty()) return;
  const bool sends = pick(2) == 0;
  c.to = c.from;
  if (!sends) c.to.placed = {};
  for (Placement& place : c.to.placed.edit())
    place.coordinate = pick(static_cast<int>(*c.mesh.axes[place.axis].length()));
  const Extents shape = random_shape(c);
  const Machine machine = machine_with_random_links(c.mesh);
  const DeviceArray operand = numbered_array(shape, DType::Bf16, c.from, machine.mesh);
  const bool partial = !without_trivial_axes(c.to, machine.mesh).unreduced.empty();
  DeviceArray direct = outline(shape, DType::Bf16, partial ? operand.storage : DType::Bf16, c.to,
                               machine.mesh, pick(2) == 0 ? Sharing::Replicas : Sharing::None);
  DeviceArray hops = direct;
  redistribute(operand, axes, machine.mesh, Executor(1), direct);
  if (element_count(shape) > 0) ++(sends ? sent_blocks_count : broadcast_blocks_count);
  const auto kind = sends ? CollectiveKind::CollectivePermute : CollectiveKind::Broadcast;
  exchange_by_hops(operand, {.kind = kind, .axes = axes, .operand = {}, .result = {}}, machine,
                   Executor(1), hops);
  RC_ASSERT(same_blocks(direct, hops));
}

TEST(HopExchange, RandomMeshesHitEveryKindOfMove) {
  SHARD_COUNTS_IN_FULL_RUNS();
  EXPECT_GE(shifted_blocks_count, scaled_cases(30));
  EXPECT_GE(sent_blocks_count, scaled_cases(30));
  EXPECT_GE(broadcast_blocks_count, scaled_cases(30));
}

}  // namespace
}  // namespace shard::collective_by_hops_test
