#include "runtime/machine/topology.h"

#include "tests/runtime/support/machines.h"

namespace shard::topology_test {
namespace {

using testing::axis;
using testing::dcn;
using testing::h100;
using testing::mi300x;
using testing::ring;
using testing::tpu_v3;
using testing::tpu_v4p;
using testing::tpu_v5e;
using testing::tpu_v5p;

Slice slice(std::vector<std::int64_t> lengths) { return {std::move(lengths), std::nullopt}; }

// "4r 8l": a ring of 4 and a line of 8.
std::string text(const std::vector<TorusAxis>& torus) {
  std::string result;
  for (const TorusAxis& part : torus) {
    result += (result.empty() ? "" : " ") + std::to_string(part.length) + (part.wraps ? "r" : "l");
  }
  return result;
}

// The torus axes of each mesh axis, or what came of it.
std::string text(const Fit& fit) {
  if (std::holds_alternative<NoFit>(fit)) return "none";
  std::string result;
  if (const auto* several = std::get_if<SeveralFits>(&fit)) {
    for (const std::string& mesh : several->meshes) result += (result.empty() ? "" : " or ") + mesh;
    return result;
  }
  for (const MeshAxis& part : std::get<Mesh>(fit).axes) {
    result += (result.empty() ? "" : ", ") + part.name + ": " + text(part.torus);
  }
  return result;
}

TEST(Topology, CubesOfFourWrap) {
  EXPECT_EQ(text(torus_of(tpu_v5p(), slice({4, 4, 4}))), "4r 4r 4r");
  EXPECT_EQ(text(torus_of(tpu_v5p(), slice({4, 8, 12}))), "4r 8r 12r");
  EXPECT_EQ(text(torus_of(tpu_v5p(), slice({2, 2, 4}))), "2l 2l 4l");
  EXPECT_EQ(text(torus_of(tpu_v4p(), slice({2, 2}))), "2l 2l");
}

TEST(Topology, OnlyAxesOfSixteenWrapOnV5e) {
  EXPECT_EQ(text(torus_of(tpu_v5e(), slice({4, 4}))), "4l 4l");
  EXPECT_EQ(text(torus_of(tpu_v5e(), slice({16, 16}))), "16r 16r");
  EXPECT_EQ(text(torus_of(tpu_v5e(), slice({8, 16}))), "8l 16r");
}

TEST(Topology, OnlyTheFullAxisOfThePodWrapsOnV3) {
  EXPECT_EQ(text(torus_of(tpu_v3(), slice({32, 32}))), "32r 32r");
  EXPECT_EQ(text(torus_of(tpu_v3(), slice({32, 16}))), "32r 16l");
}

TEST(Topology, WrapaboutCanBeOrdered) {
  EXPECT_EQ(text(torus_of(tpu_v5e(), {{4, 4}, true})), "4r 4r");
  EXPECT_EQ(text(torus_of(tpu_v5p(), {{4, 4, 1}, true})), "4r 4r 1l");
  EXPECT_EQ(text(torus_of(tpu_v5p(), {{4, 4, 4}, false})), "4l 4l 4l");
}

TEST(Topology, SlicesLargerThanThePod) {
  EXPECT_FALSE(exceeds_pod(tpu_v5p(), slice({28, 16, 20}))) << "the order of axes is free";
  EXPECT_TRUE(exceeds_pod(tpu_v5p(), slice({32, 4, 4})));
  EXPECT_TRUE(exceeds_pod(tpu_v5e(), slice({4, 4, 2})));
  EXPECT_FALSE(exceeds_pod(tpu_v5e(), slice({4, 4, 1})));
  EXPECT_FALSE(exceeds_pod(unknown_chip(), slice({1000})));
}

TEST(Topology, AMeshAxisMayTakeSeveralAxesOfTheSlice) {
  EXPECT_EQ(text(fit_mesh(tpu_v5p(), slice({4, 4, 4}), {axis("X", {16}), axis("Y", {4})})),
            "X: 4r 4r, Y: 4r");
  EXPECT_EQ(text(fit_mesh(tpu_v5p(), slice({4, 4, 4}), {axis("X", {4, 4}), axis("Y", {4})})),
            "X: 4r 4r, Y: 4r");
  EXPECT_EQ(text(fit_mesh(tpu_v5p(), slice({4, 4, 8}), {axis("X", {8}), axis("Y", {16})})),
            "X: 8r, Y: 4r 4r");
}

TEST(Topology, KeepsTheOrderOfTheSliceOrTheWrittenOne) {
  EXPECT_EQ(text(fit_mesh(tpu_v5p(), slice({4, 8, 4}), {axis("X", {128})})), "X: 4r 8r 4r");
  EXPECT_EQ(text(fit_mesh(tpu_v5p(), slice({4, 8}), {axis("X", {8, 4})})), "X: 8r 4r");
}

TEST(Topology, FitsThatDifferInCostAreAmbiguous) {
  EXPECT_EQ(text(fit_mesh(tpu_v5e(), slice({2, 8, 16}), {axis("X", {16}), axis("Y", {16})})),
            "{X: 16, Y: 2x8} or {X: 2x8, Y: 16}");
  EXPECT_EQ(text(fit_mesh(tpu_v5e(), slice({2, 8, 16}), {axis("X", {2, 8}), axis("Y", {16})})),
            "X: 2l 8l, Y: 16r");
}

TEST(Topology, AmbiguousMeshesArePrintedAsTheyAreWritten) {
  EXPECT_EQ(text(fit_mesh(tpu_v5e(), slice({2, 8, 16}),
                          {dcn("P", 2), ring("X", 16), axis("Y", {16}), axis("Z", {1})})),
            "{P: 2 dcn, X: 16 ring, Y: 2x8, Z: 1} or {P: 2 dcn, X: 2x8 ring, Y: 16, Z: 1}");
}

TEST(Topology, EverySliceAxisMustBeUsedOnce) {
  EXPECT_EQ(text(fit_mesh(tpu_v5p(), slice({2, 4, 8}), {axis("X", {8})})), "none");
  EXPECT_EQ(text(fit_mesh(tpu_v5p(), slice({4, 4}), {axis("X", {8}), axis("Y", {2})})), "none");
  EXPECT_EQ(text(fit_mesh(tpu_v5p(), slice({4, 4}), {axis("X", {2, 2}), axis("Y", {4})})), "none");
  EXPECT_EQ(
      text(fit_mesh(tpu_v5p(), slice({4, 4}), {axis("X", {4}), axis("Y", {4}), axis("Z", {4})})),
      "none");
}

TEST(Topology, AxesOfSizeOneTakeNothing) {
  EXPECT_EQ(text(fit_mesh(tpu_v5p(), slice({4, 4, 8}), {axis("X", {4, 4, 8}), axis("Y", {1})})),
            "X: 4r 4r 8r, Y: ");
  EXPECT_EQ(text(fit_mesh(tpu_v5p(), slice({4, 4, 1}), {axis("X", {4}), axis("Y", {4})})),
            "X: 4r, Y: 4r");
}

// 4x4x1 had lines where 4x4 had rings, though it is the same machine.
TEST(Topology, AnAxisOfLengthOneDoesNotDecideWhatWrapsAround) {
  EXPECT_EQ(text(torus_of(tpu_v5p(), slice({4, 4, 1}))), "4r 4r 1l");
  EXPECT_EQ(text(torus_of(tpu_v5p(), slice({4, 1, 6}))), "4l 1l 6l");
  EXPECT_EQ(text(torus_of(tpu_v5p(), slice({1, 1, 1}))), "1l 1l 1l");
  for (const auto& lengths : {std::vector<std::int64_t>{4, 4}, {4, 4, 1}, {1, 4, 4}}) {
    const Fit written = fit_mesh(tpu_v4p(), slice(lengths), {axis("X", {4}), axis("Y", {4})});
    EXPECT_EQ(text(written), "X: 4r, Y: 4r");
    EXPECT_EQ(text(Fit(default_mesh(tpu_v4p(), slice(lengths)))), text(written));
  }
}

TEST(Topology, AxesBetweenSlicesTakeNothing) {
  const Fit fit = fit_mesh(tpu_v5p(), slice({4, 4, 4}), {dcn("P", 2), axis("X", {64})});
  EXPECT_EQ(text(fit), "P: , X: 4r 4r 4r");
  EXPECT_EQ(std::get<Mesh>(fit).axes[AxisId{0}].kind, AxisKind::Dcn);
}

TEST(Topology, AMeshWithoutASliceIsItsOwnSlice) {
  EXPECT_EQ(text(fit_mesh(tpu_v5e(), std::nullopt, {axis("X", {8}), axis("Y", {4})})),
            "X: 8l, Y: 4l");
  EXPECT_EQ(text(fit_mesh(tpu_v5p(), std::nullopt, {axis("X", {4, 8}), axis("Y", {4})})),
            "X: 4r 8r, Y: 4r");
  EXPECT_EQ(text(fit_mesh(tpu_v5p(), std::nullopt, {axis("X", {4}), axis("Y", {2})})),
            "X: 4l, Y: 2l");
  EXPECT_EQ(text(fit_mesh(unknown_chip(), std::nullopt, {axis("X", {3}), axis("Y", {2})})),
            "X: 3r, Y: 2r");
}

TEST(Topology, RingsCanBeWritten) {
  EXPECT_EQ(text(fit_mesh(tpu_v5e(), std::nullopt, {ring("X", 8), axis("Y", {4})})),
            "X: 8r, Y: 4l");
  EXPECT_EQ(text(fit_mesh(tpu_v5p(), slice({4, 4}), {testing::line("X", 4), axis("Y", {4})})),
            "X: 4l, Y: 4r");
}

TEST(Topology, GpuNodesHaveNoTorus) {
  for (const Chip& chip : {h100(), mi300x()}) {
    const Fit fit = fit_mesh(chip, slice({8}), {axis("X", {4}), axis("Y", {2})});
    ASSERT_TRUE(std::holds_alternative<Mesh>(fit));
    for (const MeshAxis& part : std::get<Mesh>(fit).axes) EXPECT_EQ(part.kind, AxisKind::Switch);
    EXPECT_EQ(text(fit_mesh(chip, slice({8}), {axis("X", {4})})), "none");
    EXPECT_EQ(default_mesh(chip, slice({8})).axes[AxisId{0}].kind, AxisKind::Switch);
  }
}

TEST(Topology, ASliceNamesItsAxes) {
  const Mesh mesh = default_mesh(tpu_v5p(), slice({4, 1, 8}));
  EXPECT_EQ(text(Fit(mesh)), "X: 4r, Y: 8r");
  EXPECT_EQ(mesh.device_count(), 32);
  EXPECT_EQ(text(Fit(default_mesh(tpu_v5e(), slice({1, 1})))), "X: ");
}

}  // namespace
}  // namespace shard::topology_test
