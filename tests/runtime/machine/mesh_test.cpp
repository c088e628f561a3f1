#include "runtime/machine/mesh.h"

#include "tests/runtime/support/machines.h"

namespace shard::mesh_test {
namespace {

using testing::axis;
using testing::machine;
using testing::symbolic;

Mesh four_by_two() { return machine(unknown_chip(), {axis("X", {4}), axis("Y", {2})}).mesh; }

TEST(Mesh, FindsAxesByName) {
  EXPECT_EQ(four_by_two().find("Y"), AxisId{1});
  EXPECT_EQ(four_by_two().find("Z"), std::nullopt);
}

TEST(Mesh, CountsDevicesIfAllSizesAreNumbers) {
  EXPECT_EQ(four_by_two().device_count(), 8);
  EXPECT_EQ(symbolic({"X"}).mesh.device_count(), std::nullopt);
  EXPECT_EQ(Mesh{}.device_count(), 1);
}

TEST(Mesh, CountThatDoesNotFitIsNone) {
  constexpr std::int64_t kLarge = 1LL << 40;
  EXPECT_EQ(machine(unknown_chip(), {axis("X", {kLarge}), axis("Y", {kLarge})}).mesh.device_count(),
            std::nullopt);
}

TEST(Mesh, FirstAxisIsTheMajorOne) {
  EXPECT_EQ(coordinates(four_by_two(), 5), (std::vector<std::int64_t>{2, 1}));
  EXPECT_EQ(device_at(four_by_two(), {2, 1}), 5);
}

TEST(Mesh, CoordinatesAndDevicesAreInverse) {
  const Mesh mesh =
      machine(unknown_chip(), {axis("X", {3}), axis("Y", {1}), axis("Z", {2, 5})}).mesh;
  for (std::int64_t device = 0; device < *mesh.device_count(); ++device) {
    EXPECT_EQ(device_at(mesh, coordinates(mesh, device)), device);
  }
}

}  // namespace
}  // namespace shard::mesh_test
