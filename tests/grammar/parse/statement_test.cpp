// Statements and lines.
#include <gtest/gtest.h>

#include "tests/grammar/support/reading.h"

namespace shard::statement_test {
namespace {

using Words = std::vector<std::string>;

TEST(Parser, ReadsHardware) {
  const auto hardware = only<ast::Hardware>("hardware TPUv5p 4x4x8 nowrap {HBM: 300 MB}");
  EXPECT_EQ(hardware.chip.text, "TPUv5p");
  EXPECT_EQ(hardware.slice.size(), 3U);
  EXPECT_EQ(hardware.wraparound, std::optional<bool>(false));
  EXPECT_EQ(std::get<ast::Number>(hardware.overrides.at(0).value).value, Rational(300'000'000));
  EXPECT_EQ(only<ast::Hardware>("TPUv5p 4x4x4").slice.size(), 3U);
}

TEST(Parser, ReadsEverySpellingOfAMesh) {
  for (const char* text : {"mesh {X: 4, Y: 2}", "Mesh({'X': 4, 'Y': 2})", "Mesh{X: 4, Y: 2}",
                           "{'X': 4, 'Y': 2}", "{X: 4, Y: 2}", "mesh {\n  X: 4,\n  Y: 2,\n}"}) {
    EXPECT_EQ(only<ast::Mesh>(text), only<ast::Mesh>("mesh {X: 4, Y: 2}")) << text;
  }
}

TEST(Parser, ReadsKindsOfMeshAxes) {
  const auto mesh =
      only<ast::Mesh>("mesh {P: 2 dcn, X: 4x4, Y: 8 ring, L: 3 line, S: 16 switch 2.5e10 B/s}");
  EXPECT_EQ(mesh.axes.at(0).kind, ast::AxisKind::Dcn);
  EXPECT_EQ(mesh.axes.at(1).sizes.size(), 2U);
  EXPECT_EQ(mesh.axes.at(2).kind, ast::AxisKind::Ring);
  EXPECT_EQ(mesh.axes.at(3).kind, ast::AxisKind::Line);
  EXPECT_EQ(mesh.axes.at(4).bandwidth->unit, kBytesPerSecond);
}

TEST(Parser, ReadsChips) {
  EXPECT_EQ(only<ast::Chip>("chip Mine = TPUv5p {HBM: 128 GB}").base->text, "TPUv5p");
  const auto chip = only<ast::Chip>("chip New {HBM: 16 GB, wrap: cube4, pod: 16x20x28}");
  EXPECT_EQ(std::get<ast::Identifier>(chip.figures.at(1).value).text, "cube4");
  EXPECT_EQ(std::get<std::vector<ast::Number>>(chip.figures.at(2).value).size(), 3U);
}

TEST(Parser, ReadsSizes) {
  const auto bindings = only<ast::Bindings>("B = 512, F = 32,768, T = 2*B");
  ASSERT_EQ(bindings.items.size(), 3U);
  EXPECT_EQ(std::get<ast::Number>(bindings.items[1].value->node).value, Rational(32768));
}

TEST(Parser, ReadsDeclarations) {
  const auto plain = only<ast::Declaration>("A: bfloat16[I_X, J]");
  EXPECT_EQ(plain.dtype.text, "bf16");
  EXPECT_EQ(plain.arrays.at(0).dimensions.size(), 2U);
  EXPECT_EQ(only<ast::Declaration>("A[I_X, J], B[J, K_Y]: bf16").arrays.size(), 2U);
  EXPECT_EQ(only<ast::Declaration>("A[I_{XY}, J]: fp32[1024, 4096]").sizes.size(), 2U);
  const auto made = only<ast::Declaration>("A[I_X]: fp32 = B + 1 overlap X");
  ASSERT_TRUE(made.makes.has_value());
  EXPECT_EQ(made.makes->target, made.arrays.front());
  EXPECT_EQ(made.makes->overlap.size(), 1U);
  EXPECT_FALSE(only<ast::Declaration>("A: fp32[I] = …").makes.has_value());
}

TEST(Parser, TellsAssignmentsFlowsAndEquationsApart) {
  EXPECT_EQ(only<ast::Flow>("C[I] = A[I]").sign, ast::FlowSign::Assignment);
  EXPECT_EQ(only<ast::Flow>("A[I] → C[I]").sign, ast::FlowSign::Arrow);
  EXPECT_EQ(only<ast::Flow>("A[I, J] · B[J] = C[I]").sign, ast::FlowSign::Result);
  only<ast::Equation>("AllReduce_X A[I]{U_X} = AllGather_X ReduceScatter_{X,I} A[I]{U_X}");
  EXPECT_EQ(only<ast::Bindings>("Y = X * A").items.at(0).name.text, "Y");
  EXPECT_FALSE(only<ast::Flow>("A · B → C").target.bracketed);
}

TEST(Parser, ReadsCommands) {
  EXPECT_EQ(only<ast::Print>("print a, A[I], -x").values.size(), 3U);
  EXPECT_EQ(only<ast::Why>("why C").array->text, "C");
  EXPECT_FALSE(only<ast::Why>("why").array.has_value());
  EXPECT_EQ(only<ast::Drop>("drop A[I, J]").array.dimensions.size(), 2U);
  EXPECT_EQ(only<ast::Plan>("plan cheapest").rule, PlanRule::Cheapest);
  only<ast::Strict>("strict");
}

TEST(Parser, ReadsStatementWordsAsNamesElsewhere) {
  for (const char* text : {"plan = 3", "time = 3, cost = 4", "chip.C", "print[I] → C[I]",
                           "time * table", "drop: bf16[I]", "A · plan → mesh", "print + 3",
                           "hardware[I_X] · strict[I]", "for = 2, if = 3"}) {
    EXPECT_EQ(shown(text), "") << text;
  }
}

TEST(Parser, ReadsABlockAndTheStepsThatItTakes) {
  const auto pinned = only<ast::ExpectSteps>(
      "expect comms { A[I_X] → A[I]; A[I] → A[I_Y] } is { AllGather_X A; AllToAll_{X,I} A }");
  EXPECT_EQ(pinned.pinned, ast::PinnedSteps::Comms);
  EXPECT_EQ(pinned.body.size(), 2U);
  EXPECT_EQ(pinned.steps.size(), 2U);
  EXPECT_EQ(only<ast::ExpectSteps>("expect plan { } is { }").pinned, ast::PinnedSteps::Plan);
}

TEST(Parser, ReadsABlockThatExpectsAnError) {
  const auto expected = only<ast::ExpectError>("expect error AxisReused { A[I_X, J_X] }");
  EXPECT_EQ(expected.kind.text, "AxisReused");
  EXPECT_EQ(expected.body.size(), 1U);
  EXPECT_FALSE(expected.found_by_parser);
}

TEST(Parser, FindsAnExpectedMistakeOfReadingItself) {
  const Reading reading = read("expect error SyntaxError { A[I_X J] }");
  EXPECT_TRUE(reading.diagnostics.empty());
  EXPECT_TRUE(std::get<ast::ExpectError>(reading.module.statements.at(0).node).found_by_parser);
  EXPECT_FALSE(reading.module.statements.at(0).has_error);
}

TEST(Lines, EndStatements) {
  EXPECT_EQ(read("A[I]\nB[I]; C[I];\n;D[I]").module.statements.size(), 4U);
  // A sign that is also a prefix begins a statement of its own.
  EXPECT_EQ(read("a\n- b").module.statements.size(), 2U);
}

TEST(Lines, GoOnInsideBracketsBehindOperatorsAndBeforeArrowsAndProducts) {
  for (const char* text : {"A[I,\n J] → B[I, J]", "A[I, J] →\nB[I, J]", "A[I, J]\n→ B[I, J]",
                           "A[I, J]\n  -> B[I, J]"}) {
    EXPECT_EQ(read(text).module, read("A[I, J] → B[I, J]").module) << text;
  }
  EXPECT_EQ(read("A\n· B\n* C\n→ D").module, read("A · B · C → D").module);
  EXPECT_EQ(read("B = 1,\nC = 2").module, read("B = 1, C = 2").module);
  EXPECT_EQ(read("A ·_J\nB → C").module, read("A ·_J B → C").module);
}

TEST(Lines, KeepABlockApartFromTheUnreducedMark) {
  const Reading reading = read("A[I]\n{X: 4}");
  ASSERT_EQ(reading.module.statements.size(), 2U);
  EXPECT_TRUE(std::holds_alternative<ast::Mesh>(reading.module.statements[1].node));
}

TEST(Comments, StayWithTheirStatements) {
  const Reading reading = read("\n# one\n\n\n# two\nA[I] · # inside\n  B[I] # behind\n\n# end\n\n");
  ASSERT_EQ(reading.module.statements.size(), 1U);
  const ast::Statement& statement = reading.module.statements[0];
  EXPECT_EQ(statement.leading, (Words{"# one", "", "# two", "# inside"}));
  EXPECT_EQ(statement.trailing, "# behind");
  EXPECT_EQ(reading.module.trailing, (Words{"", "# end"}));
}

TEST(IsIncomplete, AsksForMoreInsideBracketsAndBehindOperators) {
  for (const char* text : {"A[I,", "c = cost {", "c = cost {\n A → B\n", "A ·", "A ·_J",
                           "A ·_{J,K}", "A ·LOCAL", "A →", "B = ", "B = 3,", "f("}) {
    EXPECT_TRUE(is_incomplete(text)) << text;
  }
  for (const char* text : {"", "A[I]", "A · B", "c = cost { A → B }", "A]", "A[I)", "I_{X}",
                           "# comment (", "A[I]{U_X}"}) {
    EXPECT_FALSE(is_incomplete(text)) << text;
  }
}

}  // namespace
}  // namespace shard::statement_test
