// Operators, collectives, scalars.
#include <gtest/gtest.h>

#include "tests/grammar/support/reading.h"

namespace shard::expression_test {
namespace {

using Words = std::vector<std::string>;

TEST(Parser, ReadsEverySpellingOfAProduct) {
  for (const char* sign : {"·_J", "*_J", "·_{J}", "•_J", "@_J"}) {
    const auto product = expression<ast::Product>(std::string("A[I, J] ") + sign + " B[J, K]");
    EXPECT_EQ(texts(product.index), Words{"J"}) << sign;
    EXPECT_FALSE(product.local) << sign;
  }
  for (const char* sign : {"·LOCAL", "·_LOCAL", "*_LOCAL", "· LOCAL", "·_{LOCAL}"}) {
    EXPECT_TRUE(expression<ast::Product>(std::string("A[I, J] ") + sign + " B[J, K]").local)
        << sign;
  }
  EXPECT_EQ(texts(expression<ast::Product>("A ·_{K,G} B").index), (Words{"K", "G"}));
  EXPECT_TRUE(expression<ast::Product>("A @ B").index.empty());
}

TEST(Parser, CutsAnIndexRowIntoKnownDimensions) {
  EXPECT_EQ(texts(expression<ast::Product>("A[I, K, G] ·_{KG} B[K, G]").index), (Words{"K", "G"}));
  EXPECT_EQ(texts(expression<ast::Product>("A ·_KG B").index), Words{"KG"});
}

TEST(Parser, AssociatesProductsToTheLeft) {
  const auto product = expression<ast::Product>("A ·_J B ·_K C");
  EXPECT_EQ(texts(product.index), Words{"K"});
  EXPECT_TRUE(std::holds_alternative<ast::Product>(product.left->node));
}

TEST(Parser, ReadsEveryFormOfACollective) {
  const ast::Module expected = read("AllGather_{XY} A[I_{XY}, J]").module;
  for (const char* text :
       {"AllGather_XY A[I_XY, J]", "AllGather_{XY}(A[I_{XY}, J])", "AllGather_{X,Y} : A[I_{XY}, J]",
        "allgather_XY A[I_XY, J]", "Allgather_XY (A[I_XY, J])"}) {
    EXPECT_EQ(read(text).module, expected) << text;
  }
}

TEST(Parser, TellsTheDimensionOfAReduceScatterFromItsAxes) {
  const auto scatter = expression<ast::Collective>("ReduceScatter_{XY,J} A[I, J]{U_{XY}}");
  EXPECT_EQ(texts(scatter.axes), (Words{"X", "Y"}));
  EXPECT_EQ(scatter.destinations.at(0).dimension.text, "J");
  const auto axes =
      expression<ast::Collective>("ReduceScatter_{X,Y} A[I, J]", {{"X", "Y"}, {}, {}});
  EXPECT_EQ(texts(axes.axes), (Words{"X", "Y"}));
  EXPECT_TRUE(axes.destinations.empty());
  EXPECT_EQ(
      expression<ast::Collective>("AllToAll_{Z->B} A[B, D_Z]").destinations.at(0).dimension.text,
      "B");
  const auto several = expression<ast::Collective>("ReduceScatter_{X→I,YZ->J} C[I, J]{U_XYZ}");
  ASSERT_EQ(several.destinations.size(), 2U);
  EXPECT_EQ(several.destinations[0].axes, 1U);
  EXPECT_EQ(several.destinations[1].axes, 2U);
  EXPECT_EQ(several.destinations[1].dimension.text, "J");
  EXPECT_EQ(several.axes.size(), 3U);
  EXPECT_EQ(texts(expression<ast::Collective>("AllGather_{X,T} A[I]").axes), (Words{"X", "T"}));
}

TEST(Parser, ReadsTheStepOfAShift) {
  const auto shift = expression<ast::Collective>("Shift_{X,-1} A[I_X]");
  EXPECT_EQ(texts(shift.axes), Words{"X"});
  EXPECT_EQ(shift.shift->value, Rational(-1));
  EXPECT_FALSE(expression<ast::Collective>("Shift_X A[I_X]").shift.has_value());
}

TEST(Parser, NestsCollectives) {
  const auto gather = expression<ast::Collective>("AllGather_Y ReduceScatter_{Y,J} A[I_X, J]{U_Y}");
  EXPECT_EQ(gather.kind, ast::CollectiveKind::AllGather);
  EXPECT_EQ(std::get<ast::Collective>(gather.operand->node).kind,
            ast::CollectiveKind::ReduceScatter);
}

TEST(Parser, GivesACollectiveOnlyTheOperandBehindIt) {
  const auto product = expression<ast::Product>("AllGather_X A[I_X] · B[I]");
  EXPECT_TRUE(std::holds_alternative<ast::Collective>(product.left->node));
}

TEST(Parser, ReadsACollectiveOfAnArrayWithoutName) {
  const auto flow = only<ast::Flow>("AllGather: [A_X, B] → [A, B]");
  EXPECT_TRUE(std::holds_alternative<ast::Collective>(flow.value.node));
  EXPECT_FALSE(flow.target.name.has_value());
}

TEST(Parser, RanksOperators) {
  EXPECT_EQ(read("a + b * c ^ d").module, read("a + (b * (c ^ d))").module);
  EXPECT_EQ(read("-a ^ b").module, read("-(a ^ b)").module);
  EXPECT_EQ(read("a - b - c").module, read("(a - b) - c").module);
  EXPECT_EQ(read("2 ^ 3 ^ 4").module, read("2 ^ (3 ^ 4)").module);
  EXPECT_EQ(read("a < b and not c > d or e == f").module,
            read("((a < b) and (not (c > d))) or (e == f)").module);
}

TEST(Parser, ReadsScalars) {
  EXPECT_EQ(expression<ast::SizeOf>("|X|").name.text, "X");
  EXPECT_EQ(expression<ast::Member>("c.math").field.text, "math");
  EXPECT_EQ(texts(expression<ast::Member>("c.comms(X, Y)").arguments), (Words{"X", "Y"}));
  EXPECT_EQ(expression<ast::Call>("min(a, b, c)").arguments.size(), 3U);
  EXPECT_EQ(expression<ast::BlockExpr>("time { A → B; C → D }").body.size(), 2U);
}

TEST(Parser, ReadsATolerance) {
  const auto expect = only<ast::Expect>("expect a ≈ 3 ± 2%");
  EXPECT_EQ(std::get<ast::Binary>(expect.condition.node).tolerance->value,
            Rational::fraction(1, 50));
}

TEST(Parser, ComparesByOneEqualSignInsideExpectOnly) {
  EXPECT_EQ(std::get<ast::Binary>(only<ast::Expect>("expect a = 3").condition.node).op,
            ast::BinaryOp::Equal);
  EXPECT_EQ(messages("print a = 3"),
            Words{"1:9: expected an operator or the end of the statement, found `=`"});
  EXPECT_EQ(messages("expect c = time { B = 3 }"), Words{});
}

}  // namespace
}  // namespace shard::expression_test
