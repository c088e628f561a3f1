#include <algorithm>

#include "runtime/collective/redistribute.h"
#include "tests/property.h"
#include "tests/runtime/support/random_layouts.h"

namespace shard::shift_test {
namespace {

Numbers shifted(const Layout& layout, const std::vector<AxisId>& axes, int shift,
                const Mesh& mesh) {
  const DeviceArray operand = numbered_array({12}, DType::Fp32, layout, mesh);
  DeviceArray result = outline({12}, DType::Fp32, DType::Fp32, layout, mesh);
  move_blocks(CollectiveKind::Shift, operand, axes, shift, mesh, Executor(2), result);
  return assemble(result, mesh).values;
}

TEST(Shift, MovesBlocksUpTheAxisAndAround) {
  const Mesh mesh = mesh_of({4});
  Numbers expected = assemble(numbered_array({12}, DType::Fp32, {{{kX}}, {}}, mesh), mesh).values;
  std::rotate(expected.begin(), expected.end() - 3, expected.end());
  EXPECT_EQ(shifted({{{kX}}, {}}, {kX}, 1, mesh), expected);
  EXPECT_EQ(shifted({{{kX}}, {}}, {kX}, -3, mesh), expected);
  EXPECT_EQ(shifted({{{kX}}, {}}, {kX}, 9, mesh), expected);
}

TEST(Shift, AlongOneOfTwoAxesMovesWithinEachGroup) {
  const Mesh mesh = mesh_of({2, 3});
  const Layout layout{{{kX, kY}}, {}};
  Numbers expected = assemble(numbered_array({12}, DType::Fp32, layout, mesh), mesh).values;
  std::rotate(expected.begin(), expected.begin() + 4, expected.begin() + 6);
  std::rotate(expected.begin() + 6, expected.begin() + 10, expected.end());
  EXPECT_EQ(shifted(layout, {kY}, 1, mesh), expected);
}

TEST(Shift, OfReplicasChangesNothing) {
  const Mesh mesh = mesh_of({2, 3});
  const DeviceArray operand = numbered_array({12}, DType::Fp32, {{{kX}}, {}}, mesh);
  DeviceArray result = outline({12}, DType::Fp32, DType::Fp32, {{{kX}}, {}}, mesh);
  move_blocks(CollectiveKind::Shift, operand, {kY}, 1, mesh, Executor(1), result);
  EXPECT_EQ(result.shards, operand.shards);
}

}  // namespace
}  // namespace shard::shift_test
