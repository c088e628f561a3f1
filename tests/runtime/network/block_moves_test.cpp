#include "runtime/network/block_moves.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "tests/property.h"
#include "tests/runtime/support/random_layouts.h"

namespace shard::block_moves_test {
namespace {

std::vector<std::int64_t> lengths_of(const std::vector<AxisId>& axes, const Mesh& mesh) {
  std::vector<std::int64_t> lengths;
  for (const AxisId axis : axes) lengths.push_back(*mesh.axes[axis].length());
  return lengths;
}

// Coordinates on all axes of the mesh of a device that is numbered on some of them. On the others it is where the layout is.
std::vector<std::int64_t> device_at(std::int64_t number, const std::vector<AxisId>& axes,
                                    const Layout& layout, const Mesh& mesh) {
  std::vector<std::int64_t> device(mesh.axes.size(), 0);
  for (const Placement& place : layout.placed)
    device[static_cast<std::size_t>(place.axis.value)] = place.coordinate;
  for (std::size_t i = axes.size(); i-- > 0;) {
    const std::int64_t length = *mesh.axes[axes[i]].length();
    device[static_cast<std::size_t>(axes[i].value)] = number % length;
    number /= length;
  }
  return device;
}

// The block of each dimension that the device holds; nullopt if it holds none.
std::optional<std::vector<std::int64_t>> block_at(const std::vector<std::int64_t>& device,
                                                  const Layout& layout, const Mesh& mesh) {
  for (const Placement& place : layout.placed) {
    if (device[static_cast<std::size_t>(place.axis.value)] != place.coordinate) return std::nullopt;
  }
  std::vector<std::int64_t> block;
  for (const auto& dim : layout.dims) {
    block.push_back(0);
    for (const AxisId axis : dim)
      block.back() =
          block.back() * *mesh.axes[axis].length() + device[static_cast<std::size_t>(axis.value)];
  }
  return block;
}

// A random layout, now and then placed on an axis that it does not use.
Layout some_layout(const Mesh& mesh, std::size_t rank) {
  Layout layout = random_layout(mesh, rank);
  layout.unreduced = {};
  for (std::size_t a = 0; a < mesh.axes.size(); ++a) {
    const AxisId axis{static_cast<std::int32_t>(a)};
    if (uses(layout, axis) || pick(4) != 0) continue;
    const auto length = static_cast<int>(*mesh.axes[axis].length());
    layout.placed.edit().push_back({axis, pick(length)});
  }
  return without_trivial_axes(layout, mesh);
}

// Most axes are equally long, or as long as two of the others.
Mesh mesh_of_like_axes() {
  const std::vector<std::int64_t> lengths = {2, 2, 2, 4, 3, 1};
  std::vector<std::int64_t> sizes;
  const int count = 2 + pick(3);
  for (int a = 0; a < count; ++a)
    sizes.push_back(lengths[static_cast<std::size_t>(pick(static_cast<int>(lengths.size())))]);
  return mesh_of(sizes);
}

int permuted = 0;
int onto_other_axes = 0;

// Everyone gets the block that is wanted, nobody sends or receives two, and who has it keeps it. Where blocks do not move
// whole, some device would have to.
SHARD_PROPERTY(BlockMoves, EveryHolderServesOneDevice, 10000) {
  const Mesh mesh = mesh_of_like_axes();
  const auto rank = static_cast<std::size_t>(1 + pick(3));
  const Layout now = some_layout(mesh, rank);
  const Layout then = some_layout(mesh, rank);
  const std::vector<AxisId> axes = axes_concerned(now, then);
  const auto moves = reordered_blocks(now, then, axes, lengths_of(axes, mesh));
  RC_ASSERT(moves_whole_blocks(now, then, mesh) == moves.has_value());
  if (!moves) return;
  std::set<std::int64_t> senders;
  std::map<std::int64_t, std::int64_t> source;
  for (const BlockMove& move : *moves) {
    RC_ASSERT(senders.insert(move.from).second);
    RC_ASSERT(source.emplace(move.to, move.from).second);
  }
  std::int64_t count = 1;
  for (const std::int64_t length : lengths_of(axes, mesh)) count *= length;
  for (std::int64_t device = 0; device < count; ++device) {
    const auto wanted = block_at(device_at(device, axes, now, mesh), then, mesh);
    const auto found = source.find(device);
    const bool kept = wanted == block_at(device_at(device, axes, now, mesh), now, mesh);
    RC_ASSERT((found == source.end()) == (kept || !wanted));
    if (found == source.end()) continue;
    RC_ASSERT(block_at(device_at(found->second, axes, now, mesh), now, mesh) == wanted);
  }
  if (moves->empty()) return;
  ++permuted;
  if (axes_used(now) != axes_used(then)) ++onto_other_axes;
}

TEST(BlockMoves, RandomLayoutsWerePermuted) {
  SHARD_COUNTS_IN_FULL_RUNS();
  EXPECT_GE(permuted, scaled_cases(100));
  EXPECT_GE(onto_other_axes, scaled_cases(50));
}

TEST(BlockMoves, DependOnSizesThatAreSymbols) {
  Mesh mesh;
  const AxisId x = mesh.axes.add({.name = "X", .size = Amount::symbol("X")});
  const AxisId y = mesh.axes.add({.name = "Y", .size = Amount::symbol("Y")});
  EXPECT_EQ(moves_whole_blocks({{{x, y}}, {}}, {{{y, x}}, {}}, mesh), true);
  EXPECT_EQ(moves_whole_blocks({{{x}, {y}}, {}}, {{{y}, {x}}, {}}, mesh), std::nullopt);
  EXPECT_EQ(moves_whole_blocks({{{x}}, {}}, {{{}}, {x}}, mesh), false);
}

}  // namespace
}  // namespace shard::block_moves_test
