// Meshes, slices and chips, as scripts name them.
#include <gtest/gtest.h>

#include "tests/interpreter/support/scripts.h"

namespace shard::machine_test {
namespace {

using testing::kinds;
using testing::Kinds;

TEST(Machine, AMeshHasTheSlicesDevices) {
  EXPECT_EQ(kinds("hardware TPUv5p 4x4x4\nmesh {X: 4x4, Y: 4}"), Kinds{});
  EXPECT_EQ(kinds("hardware TPUv5p 4x4x4\nmesh {X: 4, Y: 4}"), Kinds{"MeshMismatch"});
  EXPECT_EQ(kinds("mesh {X: 4, Y: 4}\nhardware TPUv5p 4x4x4"), Kinds{"MeshMismatch"});
}

TEST(Machine, SeveralWaysToLayAMeshAreAnError) {
  EXPECT_EQ(kinds("hardware TPUv5p 2x4x8\nmesh {X: 8, Y: 8}"), Kinds{"AmbiguousMesh"});
  EXPECT_EQ(kinds("hardware TPUv5p 2x4x8\nmesh {X: 2x4, Y: 8}"), Kinds{});
}

TEST(Machine, TheHelpForAnAmbiguousMeshMendsIt) {
  const auto help = testing::helps("hardware TPUv5p 2x4x8\nmesh {X: 8, Y: 8}");
  ASSERT_EQ(help.size(), 2U);
  for (const std::string& line : help)
    EXPECT_EQ(kinds("hardware TPUv5p 2x4x8\n" + line), Kinds{}) << line;
}

TEST(Machine, ASliceHasTheChipsAxes) {
  EXPECT_EQ(kinds("hardware TPUv5e 4x4x4"), Kinds{"BadSlice"});
  EXPECT_EQ(kinds("hardware TPUv5e 4x4"), Kinds{});
  EXPECT_EQ(kinds("hardware TPUv5e 32x32"), Kinds{"SliceLargerThanPod"});
}

TEST(Machine, ChipsHaveTheirFigures) {
  EXPECT_EQ(kinds("chip New {HBM: 16 s}"), Kinds{"UnitMismatch"});
  EXPECT_EQ(kinds("chip New {colour: 3}"), Kinds{"BadChip"});
  EXPECT_EQ(kinds("chip Mine = TPUv5q {HBM: 128 GB}"), Kinds{"UnknownChip"});
  EXPECT_EQ(testing::value_of("chip.HBM", "hardware TPUv5e 2x2 {HBM: 300 MB}"), "300.0 MB");
}

TEST(Machine, AMeshOfTooManyDevicesIsRefused) {
  EXPECT_EQ(kinds("mesh {X: 1024, Y: 1025}"), Kinds{"TooManyDevices"});
  EXPECT_EQ(kinds("mesh {X: 2000000}"), Kinds{"TooManyDevices"});
  EXPECT_EQ(kinds("mesh {X: 9000000000000000000, Y: 9000000000000000000}"),
            Kinds{"TooManyDevices"});
}

TEST(Machine, LimitsAreSaid) {
  std::string dimensions;
  for (int i = 0; i < 17; ++i) dimensions += (i == 0 ? "d" : ", d") + std::to_string(i);
  EXPECT_EQ(kinds("A[" + dimensions + "] → B[d0]"), Kinds{"TooLarge"});
  EXPECT_EQ(kinds(std::string(101, 'n') + " = 3"), Kinds{"TooLarge"});
  EXPECT_EQ(kinds(std::string(100, 'n') + " = 3"), Kinds{});
}

}  // namespace
}  // namespace shard::machine_test
