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
  ASSERT_EQ(help.size(), 3U);  // both ways, and the question which is better
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

TEST(Machine, AChipStatesWhatItTakesBesides) {
  using testing::value_of;
  EXPECT_EQ(value_of("chip.T_launch", "hardware TPUv5e 4x4"), "0 s");
  EXPECT_EQ(value_of("chip.T_launch", "hardware TPUv5e 4x4 {T_launch: 14 us}"), "14.00 us");
  EXPECT_EQ(value_of("chip.T_min", "hardware TPUv5e 4x4 {T_min: 2 us}"), "2.000 us");
  EXPECT_EQ(value_of("chip.efficiency", "hardware TPUv5e 4x4"), "1");
  EXPECT_EQ(value_of("chip.efficiency", "hardware TPUv5e 4x4 {efficiency: {64: 0.1, 128: 0.5}}"),
            "0.5");
  EXPECT_EQ(kinds("hardware TPUv5e 4x4 {T_launch: 0 s}"), Kinds{});
  EXPECT_EQ(kinds("hardware TPUv5e 4x4 {T_min: 0 s}"), Kinds{"BadChip"});
  EXPECT_EQ(kinds("hardware TPUv5e 4x4 {efficiency: 1.5}"), Kinds{"BadChip"});
  EXPECT_EQ(kinds("hardware TPUv5e 4x4 {efficiency: {128: 0.5, 64: 0.1}}"), Kinds{"BadChip"});
  EXPECT_EQ(kinds("hardware TPUv5e 4x4 {efficiency: {128: 0.001, 129: 1}}"), Kinds{"BadChip"});
}

TEST(Machine, CoresAreDevices) {
  using testing::value_of;
  EXPECT_EQ(value_of("devices", "hardware TPU7x 2x2x1"), "8");
  EXPECT_EQ(value_of("chip.HBM", "hardware TPU7x 2x2x1"), "96.00 GB");
  EXPECT_EQ(value_of("chip.HBM", "hardware TPU7x 2x2x1\nmesh {X: 2x2}"), "192.0 GB");
  EXPECT_EQ(value_of("chip.HBM", "mesh {X: 2x2, C: 2 core}\nhardware TPU7x 2x2x1"), "96.00 GB");
  EXPECT_EQ(kinds("hardware TPU7x 2x2x1\nmesh {X: 4, C: 4 core}"), Kinds{"MeshMismatch"});
  EXPECT_EQ(kinds("hardware TPUv5e 4x4\nmesh {X: 4, Y: 4, C: 2 core}"), Kinds{"MeshMismatch"});
}

TEST(Machine, PlaceBestTakesTheLeast) {
  using testing::value_of;
  const std::string slice =
      "hardware TPUv5p 2x4x8\nD = 8192\n"
      "c = cost { AllGather_X W[D_X] → W[D] }\nd = cost { AllGather_Y W[D_Y] → W[D] }\n";
  EXPECT_EQ(value_of("mesh", slice + "mesh {X: 8, Y: 8} place best c.comms"), "{X: 2x4, Y: 8}");
  EXPECT_EQ(value_of("mesh", slice + "mesh {X: 8, Y: 8} place best d.comms"), "{X: 8, Y: 2x4}");
  EXPECT_EQ(kinds("hardware TPUv5p 2x4x8\nmesh {X: 8, Y: 8} place best"), Kinds{"SyntaxError"});
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
