#include "runtime/plan/layout.h"

#include "tests/runtime/support/machines.h"

namespace shard::layout_test {
namespace {

using testing::axes;
using testing::axis;
using testing::layout;
using testing::machine;
using testing::symbolic;

Machine mesh_2x8x2() {
  return machine(unknown_chip(), {axis("X", {2}), axis("Y", {8}), axis("Z", {2})});
}

TEST(Layout, FindsAnAxisThatIsUsedTwice) {
  const Machine m = mesh_2x8x2();
  EXPECT_EQ(reused_axis(layout(m, {"X", "X"})), axes(m, "X").front());
  EXPECT_EQ(reused_axis(layout(m, {"X", ""}, "X")), axes(m, "X").front());
  EXPECT_EQ(reused_axis(layout(m, {"XY", "Z"})), std::nullopt);
}

TEST(Layout, KnowsWhichDimensionAnAxisSplits) {
  const Machine m = mesh_2x8x2();
  const Layout l = layout(m, {"", "ZX"}, "Y");
  EXPECT_EQ(dimension_split_by(l, axes(m, "X")[0]), 1U);
  EXPECT_EQ(dimension_split_by(l, axes(m, "Y")[0]), std::nullopt);
  EXPECT_TRUE(uses(l, axes(m, "Y")[0]));
  EXPECT_EQ(axes_used(l), axes(m, "XYZ"));
  EXPECT_FALSE(uses(replicated(2), axes(m, "Y")[0]));
}

TEST(Layout, LocalShapeDividesByTheAxes) {
  const Machine m = mesh_2x8x2();
  EXPECT_EQ(local_shape({128, 2048}, layout(m, {"XY", ""}), m.mesh),
            (std::vector<Amount>{8, 2048}));
}

TEST(Layout, LocalBytesOfQuizArrays) {
  const Machine quiz = machine(unknown_chip(), {axis("X", {8}), axis("Y", {2})});
  EXPECT_EQ(local_bytes({1024, 4096}, DType::Fp32, layout(quiz, {"XY", ""}), quiz.mesh),
            Amount(1'048'576));
  const Machine m = mesh_2x8x2();
  EXPECT_EQ(local_bytes({128, 2048}, DType::Int8, layout(m, {"XY", ""}), m.mesh), Amount(16'384));
}

TEST(Layout, UnreducedAxesDivideNothing) {
  const Machine m = mesh_2x8x2();
  EXPECT_EQ(local_bytes({8, 8}, DType::Int8, layout(m, {"X", ""}, "Y"), m.mesh), Amount(32));
}

TEST(Layout, LocalBytesInSymbols) {
  const Machine m = symbolic({"X", "Y"});
  const Amount bytes = local_bytes({Amount::symbol("B"), Amount::symbol("D")}, DType::Bf16,
                                   layout(m, {"X", "Y"}), m.mesh);
  EXPECT_EQ(bytes.to_string(), "2·B·D / (X·Y)");
}

TEST(Layout, FindsADimensionThatDoesNotDivide) {
  const Machine m = mesh_2x8x2();
  EXPECT_EQ(indivisible_dimension({4, 24}, layout(m, {"X", "YZ"}), m.mesh), 1U);
  EXPECT_EQ(indivisible_dimension({4, 32}, layout(m, {"X", "YZ"}), m.mesh), std::nullopt);
  EXPECT_EQ(indivisible_dimension({Amount::symbol("B"), 3}, layout(m, {"X", ""}), m.mesh),
            std::nullopt);
}

TEST(Layout, AxesOfSizeOneCanBeTakenOut) {
  const Machine m = machine(unknown_chip(), {axis("X", {1}), axis("Y", {8})});
  EXPECT_EQ(without_trivial_axes(layout(m, {"XY", ""}), m.mesh), layout(m, {"Y", ""}));
  EXPECT_EQ(without_trivial_axes(layout(m, {"", ""}, "X"), m.mesh), replicated(2));
}

TEST(Layout, PrintsSubscripts) {
  const Machine m = mesh_2x8x2();
  EXPECT_EQ(to_string(layout(m, {"X", ""}, "YZ"), {"I", "J"}, m.mesh), "[I_X, J]{U_{YZ}}");
  EXPECT_EQ(to_string(layout(m, {"ZX"}, "Y"), {"I"}, m.mesh), "[I_{ZX}]{U_Y}");
  EXPECT_EQ(to_string(Layout{}, {}, m.mesh), "[]");
}

TEST(Layout, PrintsLongNamesWithCommas) {
  const Machine m = symbolic({"data", "model"});
  EXPECT_EQ(axes_to_string({AxisId{0}, AxisId{1}}, m.mesh), "{data,model}");
  EXPECT_EQ(axes_to_string({AxisId{1}}, m.mesh), "model");
}

}  // namespace
}  // namespace shard::layout_test
