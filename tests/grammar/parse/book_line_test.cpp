// Where statements end, and what may stand behind them on their line.
#include <gtest/gtest.h>

#include "tests/grammar/support/reading.h"

namespace shard::book_line_test {
namespace {

using Words = std::vector<std::string>;

Words helps(std::string_view text) {
  Words all;
  for (const Diagnostic& diagnostic : read(text).diagnostics)
    all.insert(all.end(), diagnostic.help.begin(), diagnostic.help.end());
  return all;
}

// A binding behind a line that ends with an operator was swallowed, and its name was unknown from then on.
TEST(Lines, OperatorDoesNotSwallowAStatement) {
  const Words missing = {"1:10: expected an array or a number, found the end of the line"};
  for (const char* next : {"D = 4", "W_{in} = 4", "A: bf16[I, J]", "A, B: bf16[I]", "C[I] = A[I]",
                           "A[I] → B[I]", "print D", "mesh {X: 4}", "{X: 4}", "for i in 8 { b }"}) {
    const std::string text = std::string("print 2 +\n") + next;
    const Reading reading = read(text);
    const Words found = messages(text);
    ASSERT_FALSE(found.empty()) << next;
    EXPECT_EQ(found.front(), missing.front()) << next;
    ASSERT_EQ(reading.module.statements.size(), 2U) << next;
    EXPECT_EQ(reading.module.statements[1].has_error, std::string_view(next).substr(0, 3) == "for");
  }
}

TEST(Lines, OperatorJoinsALineThatIsNoStatement) {
  EXPECT_EQ(
      canonical("print 2 +\nD\nA[I] ·\nB[I, J] → C[J]\nA[I] +\nB[I] = C[I]\nexpect a +\nb = c"),
      "print 2 + D\nA[I] · B[I, J] → C[J]\nA[I] + B[I] = C[I]\nexpect a + b == c\n");
  EXPECT_EQ(canonical("B = 4,\nD = 5"), "B = 4, D = 5\n");
}

TEST(Lines, CommaDoesNotSwallowAStatement) {
  EXPECT_EQ(messages("print 2,\nD = 4"),
            Words{"1:9: expected an array or a number, found the end of the line"});
  EXPECT_EQ(messages("B = 2,\nprint B"), Words{"1:7: expected a name, found the end of the line"});
}

// The mark stood at the statement on the next line, whose parenthesis closes the open one by accident.
TEST(Lines, ParenthesisIsNotClosedByAnotherStatement) {
  EXPECT_EQ(shown("print (2 + 3\nprint 2 + 3)\n"),
            "t.shard:1:7: error: `(` is never closed [UnclosedBracket]\n"
            "  1 | print (2 + 3\n"
            "    |       ^\n"
            "t.shard:2:1: note: expected an operator or `)` before `print`\n"
            "  2 | print 2 + 3)\n"
            "    | ^^^^^\n"
            "help: print (2 + 3)\n");
  EXPECT_EQ(messages("x = (2 +\nD = 4)"), Words{"1:5: `(` is never closed"});
}

// An inner `{` without its `}` took that of the block around it: two errors.
TEST(Lines, BraceThatIsNeverClosedLeavesTheBlockItsOwn) {
  EXPECT_EQ(messages("c = cost {\n  A[I] → B[I]{U_X\n}\nD[I]"), Words{"2:14: `{` is never closed"});
  EXPECT_EQ(messages("c = cost {\n  A[I_{X, J]\n}\nD[I]"), Words{"2:7: `{` is never closed"});
  EXPECT_EQ(messages("c = cost {\n  mesh {X: 4\n  A[I] → B[I]\n}\nD[I]"),
            Words{"2:8: `{` is never closed"});
  EXPECT_EQ(canonical("mesh {X: 4\n}\nmesh {X: 4,\n  Y: 2}\nA[I_{X,\nY}]"),
            "mesh {X: 4}\nmesh {X: 4, Y: 2}\nA[I_{XY}]\n");
}

// A remark behind a statement was a SyntaxError.
TEST(Remarks, StayAsComments) {
  EXPECT_EQ(
      canonical("A[I_X] → C[I] (now gathered)\nA[I] → B[I] (B)  # more\nstrict (no guessing)\n"
                "why (the first); x = 3 (case (a) here)\nx = C (gathered)\nx = y (≈ 2 us)"),
      "A[I_X] → C[I]  # now gathered\nA[I] → B[I]  # B; more\nstrict  # no guessing\n"
      "why  # the first\nx = 3  # case (a) here\nx = C  # gathered\nx = y  # ≈ 2 us\n");
  EXPECT_EQ(canonical("cost { A → B (now gathered) }"), "cost {\n  A → B  # now gathered\n}\n");
}

TEST(Remarks, AreToldFromCallsAndGroups) {
  EXPECT_EQ(canonical("x = min (a, b)\nprint (a)\nf(a)"), "x = min(a, b)\nprint a\nf(a)\n");
  const Words product = {"a product is written with `·`, and remarks begin with `#`"};
  for (const char* text : {"print 2 (3 + 4)", "x = C (B)", "x = c.comms (X)", "x = 3 (2 us)",
                           "x = y (A[I])", "x = y ()"}) {
    EXPECT_EQ(helps(text), product) << text;
  }
  EXPECT_EQ(messages("mesh (X: 4)"),
            Words{"1:6: the axes of a mesh stand in braces, each with its size"});
}

// Prose drew SyntaxError, at the second word.
TEST(Prose, IsToldFromNotation) {
  for (const char* text :
       {"In A[I, J] the rows are sharded over X", "the rows are sharded",
        "Most of the rows are here,", "Note: the rows are here", "plan the layout of rows"}) {
    const Reading reading = read(std::string(text) + "\nB = 3");
    ASSERT_EQ(reading.diagnostics.size(), 1U) << text;
    EXPECT_EQ(reading.diagnostics[0].kind, DiagnosticKind::NotNotation) << text;
    EXPECT_EQ(reading.module.statements.size(), 2U) << text;
  }
  EXPECT_EQ(read("hardwear TPU v5p").diagnostics.at(0).kind, DiagnosticKind::SyntaxError);
}

TEST(Prose, HasFormulasOfItsOwn) {
  EXPECT_EQ(shown("T = 2BDF / W"),
            "t.shard:1:5: error: `2BDF` is not how a product is written [NotNotation]\n"
            "  1 | T = 2BDF / W\n"
            "    |     ^^^^\n"
            "help: T = 2*B*D*F / W\n");
}

// Signs of other languages drew errors without a hint at the right ones.
TEST(Helps, TellSignsOfOtherLanguages) {
  for (const char* text : {"A[I] => B[I]", "A[I] --> B[I]"})
    EXPECT_EQ(helps(text), Words{"A[I] → B[I]"}) << text;
  EXPECT_EQ(helps("A[I] → B[I]  // gathered,"), Words{"A[I] → B[I]  # gathered,"});
  EXPECT_EQ(helps("// a (\nB = 3"), Words{"# a ("});
  EXPECT_EQ(helps("/* a */\nB = 3"), Words{"# a"});
  for (const char* text : {"/* a\n b */", "/* a"})
    EXPECT_EQ(helps(std::string(text) + "\nB = 3"), Words{"# a"}) << text;
}

TEST(Helps, TellTheSignBetweenTwoArrays) {
  EXPECT_EQ(helps("A[I, J] B[J, K] → C[I, K]"), Words{"A[I, J] · B[J, K] → C[I, K]"});
  EXPECT_EQ(helps("A[I]{U_X} B[J]"), Words{"A[I]{U_X} · B[J]"});
}

TEST(Helps, TellCollectivesByTheirOtherNames) {
  const std::vector<std::pair<std::string, std::string>> names = {
      {"all_gather_X", "AllGather_X"},
      {"Gather_X", "AllGather_X"},
      {"All-Gather_X", "AllGather_X"},
      {"AllReduceScatter_X", "ReduceScatter_X"},
      {"all_to_all", "AllToAll"},
      {"All-to-All_X", "AllToAll_X"},
      {"reduce_scatter_X", "ReduceScatter_X"},
      {"AllGahter_X", "AllGather_X"}};
  for (const auto& [written, meant] : names) {
    for (const std::string target : {"", "B[I] = "})
      EXPECT_EQ(helps(target + written + " A[I_X]"), Words{target + meant + " A[I_X]"});
  }
  EXPECT_EQ(helps("B = Gather_X(A[I_X])"), Words{"B = AllGather_X(A[I_X])"});
  EXPECT_EQ(messages("B[I] = All-Gather_X A[I_X]"), Words{"1:8: `All-Gather_X` is no collective"});
}

// Several names of one type, and arrays that are only named, could not be read.
TEST(Rows, DeclareOrNameArrays) {
  EXPECT_EQ(canonical("A, B: bf16[I, J_X]"), "A[I, J_X], B[I, J_X]: bf16\n");
  EXPECT_EQ(canonical("A[I],\nB[J]: fp32"), "A[I], B[J]: fp32\n");
  EXPECT_EQ(canonical("dWout[F, D], dWin[D, F]\nA[I],\n  B[J], C[K] (the last one)"),
            "dWout[F, D], dWin[D, F]\nA[I], B[J], C[K]  # the last one\n");
  EXPECT_EQ(messages("A, B[I]: bf16[J]"),
            Words{"1:14: some of the arrays have dimensions of their own"});
  EXPECT_EQ(messages("A[I], B[J] → C").size(), 1U);
}

// A number that begins with a dot was none behind a bracket: `.68.k` printed text that did not parse.
TEST(Numbers, MayBeginWithADot) {
  EXPECT_EQ(canonical("print .68.k, 2*.5, (.5)"), "print (.68).k, 2 · .5, .5\n");
  EXPECT_EQ(canonical("print (.68).k, 2 · .5, .5"), "print (.68).k, 2 · .5, .5\n");
}

TEST(Printer, KeepsThePrecedenceOfScalars) {
  EXPECT_EQ(
      canonical("print a / (b * c), (a / b) * c, -(a + b), 2^-3, (a ^ b) ^ c, a*(b/c), -(a*b)"),
      "print a / (b · c), a / b · c, -(a + b), 2^-3, (a^b)^c, a · (b / c), -(a · b)\n");
}

// Rows of a hostile length were scanned once for each of their arrays.
TEST(Length, IsNoTroubleForRows) {
  std::string text = "A[I]";
  for (int i = 0; i < 20'000; ++i) text += ", A[I]";
  const Reading reading = read(text);
  EXPECT_EQ(std::get<ast::Mention>(reading.module.statements.at(0).node).arrays.size(), 20'001U);
}

}  // namespace
}  // namespace shard::book_line_test
