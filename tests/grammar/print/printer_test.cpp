#include "grammar/print/printer.h"

#include <gtest/gtest.h>

#include "tests/grammar/support/reading.h"

namespace shard::printer_test {
namespace {

std::string ascii(std::string_view text) { return canonical(text, Spelling::Ascii); }

TEST(Printer, WritesTheCanonicalUnicodeSpelling) {
  EXPECT_EQ(canonical("A[I_X,J]*_J B[J,K_Y]->C[I_X,K_Y]"),
            "A[I_X, J] ·_J B[J, K_Y] → C[I_X, K_Y]\n");
  EXPECT_EQ(canonical("A[I,J_X] *_LOCAL B[J_X,K] -> C[I,K] { U_X }"),
            "A[I, J_X] ·LOCAL B[J_X, K] → C[I, K]{U_X}\n");
  EXPECT_EQ(canonical("allgather_{X,Y}(A[I_XY,J]) -> A[I,J]"),
            "AllGather_{XY} A[I_{XY}, J] → A[I, J]\n");
  EXPECT_EQ(canonical("ReduceScatter_{X,K} : C[I,K]{U_X} -> C[I,K_X]"),
            "ReduceScatter_{X,K} C[I, K]{U_X} → C[I, K_X]\n");
  EXPECT_EQ(canonical("Win:bf16[D_X,F]; {'X': 4,'Y':2}; TPUv5p 4x4x4"),
            "Win: bf16[D_X, F]\nmesh {X: 4, Y: 2}\nhardware TPUv5p 4x4x4\n");
}

TEST(Printer, WritesTheCanonicalAsciiSpelling) {
  EXPECT_EQ(ascii("A[I_X, J] ·_J B[J, K_Y] → C[I_X, K_Y]"),
            "A[I_X, J] *_J B[J, K_Y] -> C[I_X, K_Y]\n");
  EXPECT_EQ(ascii("A[I, J_X] ·LOCAL B[J_X, K] → C[I, K]{U_X}"),
            "A[I, J_X] *_LOCAL B[J_X, K] -> C[I, K]{U_X}\n");
  EXPECT_EQ(ascii("expect a ≈ b ± 2%; expect a ≤ b"), "expect a ~= b +/- 2%\nexpect a <= b\n");
}

TEST(Printer, WritesLongAxisNamesWithCommas) {
  EXPECT_EQ(canonical("A[I_{data,model}]{U_{a,b}}"), "A[I_{data,model}]{U_{a,b}}\n");
}

TEST(Printer, AddsNothingThatWasNotWritten) {
  EXPECT_EQ(canonical("C[I] = AllReduce(C[I]{U_X})"), "C[I] = AllReduce C[I]{U_X}\n");
  EXPECT_EQ(canonical("A · B"), "A · B\n");
}

TEST(Printer, WritesOnlyParenthesesThatAreNeeded) {
  EXPECT_EQ(
      canonical(
          "print ((a+b))*c, a-(b-c), (a-b)-c, (a*b)/c, a/(b*c), (-a)^2, -(a^2), 2^(3^4), (2^3)^4"),
      "print (a + b) · c, a - (b - c), a - b - c, a · b / c, a / (b · c), (-a)^2, -a^2, 2^3^4, "
      "(2^3)^4\n");
  EXPECT_EQ(canonical("AllGather_X (A · B) · (AllGather_Y C)"),
            "AllGather_X (A · B) · AllGather_Y C\n");
}

TEST(Printer, KeepsParenthesesThatTellANameFromAStatement) {
  EXPECT_EQ(canonical("(strict)"), "(strict)\n");
}

TEST(Printer, WritesABlockOfOneStatementOnOneLine) {
  EXPECT_EQ(canonical("c = cost {\n  A → B\n}"), "c = cost { A → B }\n");
}

TEST(Printer, KeepsABlockOffBracketsThatItCouldBeAMarkOf) {
  EXPECT_EQ(canonical("if x < A[I] {\n  n = 3\n}"), "if x < A[I] {\n  n = 3\n}\n");
}

TEST(Printer, KeepsNamesOfAllAxesAndIndicesBehindExpressions) {
  const std::string function = "fn f(x[B_{Y…}, D]{U_{data…}}) { return (x ⊙ x)[B = 2] }\n";
  EXPECT_EQ(canonical(ascii(function)), function);
  EXPECT_EQ(canonical("a = sum_I(relu(A))[J = 1][K = 2]"), "a = sum_I(relu(A))[J = 1, K = 2]\n");
}

TEST(Printer, WritesABlockOfSeveralStatementsOnSeveralLines) {
  EXPECT_EQ(canonical("c = cost { A → B; d = time { B → C; C → D } }"),
            "c = cost {\n  A → B\n  d = time {\n    B → C\n    C → D\n  }\n}\n");
}

TEST(Printer, KeepsCommentsAndOneOfSeveralBlankLines) {
  EXPECT_EQ(
      canonical(
          "\n\n# one\n\n\nA[I]   # two\nc = cost { # three\n  B[I]\n\n\n # four\n}\n\n# five\n\n"),
      "# one\n\nA[I]  # two\nc = cost {\n  # three\n  B[I]\n\n  # four\n}\n\n# five\n");
}

TEST(Printer, WritesBlocksOfOpenLayouts) {
  EXPECT_EQ(canonical("best 3 {\n    A[I_?,J]·B[J_?,K]→C[I_?c,K] # x\n}  # y\n"),
            "best 3 {\n  A[I_?, J] · B[J_?, K] → C[I_?c, K]  # x\n}  # y\n");
}

TEST(Printer, WritesQuestionsOnOneLine) {
  EXPECT_EQ(canonical("x=solve B{c.math==c.comms}\n"), "x = solve B { c.math = c.comms }\n");
  EXPECT_EQ(canonical("when {\n  a.time<b.time\n}\n"), "when { a.time < b.time }\n");
  EXPECT_EQ(canonical("expect when B {x>1} = (B>2)\n"), "expect when B { x > 1 } == (B > 2)\n");
  EXPECT_EQ(canonical("minimize a*X+b/X over X with Y = N/X\n"),
            "minimize a · X + b / X over X with Y = N / X\n");
  EXPECT_EQ(canonical("x = 2*(minimize t over X with Y=N/X)\n"),
            "x = 2 · (minimize t over X with Y = N / X)\n");
  EXPECT_EQ(canonical("for b in solve B { t = u } { print b }\nfor b in x { print b }\n"),
            "for b in solve B { t = u } { print b }\nfor b in x { print b }\n");
}

TEST(Printer, PrintsBlocksWithTheirComments) {
  EXPECT_EQ(canonical("for B in [1,2] { # head\n    print   B # x\n # last\n}  # y\n"),
            "for B in [1, 2] {\n  # head\n  print B  # x\n  # last\n}  # y\n");
  EXPECT_EQ(canonical("for i in 0 .. 2*L { { print i } }"), "for i in 0..2 · L { { print i } }\n");
  EXPECT_EQ(canonical("for mesh in [{X:4x4,},{X: 4, Y: 4 dcn}] { }"),
            "for mesh in [{X: 4x4}, {X: 4, Y: 4 dcn}] { }\n");
  EXPECT_EQ(canonical("if a>4 {print a}\n\nelse if a = 3 { }\nelse{ print 3 # c\n}"),
            "if a > 4 { print a } else if a == 3 { } else {\n  print 3  # c\n}\n");
  EXPECT_EQ(canonical("fn f( x[B_X,D],n ) { return   x }  # why"),
            "fn f(x[B_X, D], n) { return x }  # why\n");
}

// What fmt writes is read again as the same: spellings that would mean something else are left out.
TEST(Printer, WritesWhatReadsBackAsTheSame) {
  for (const char* const text :
       {"x_2d = 1", "z'3[B] ·_F z'4_{X}", "b'_{X}", "A[I_X]: Kifp32",
        "R = rearrange(Q, 'b s -? \"b n s')", "ShapedArray( bfloat16[8192,4096@y])",
        "ShapedArray(floatx32[4,4@Y])"}) {
    const Reading first = read(text);
    EXPECT_TRUE(first.diagnostics.empty()) << text;
    for (const Spelling spelling : {Spelling::Unicode, Spelling::Ascii, Spelling::Latex}) {
      const std::string printed = print(first.module, spelling);
      EXPECT_TRUE(read(printed).module == first.module) << text << " is printed as " << printed;
    }
  }
}

TEST(Printer, PrintsPieces) {
  const Reading reading = read("A[I_X, J] · B → C[I]{U_X}");
  const auto& flow = std::get<ast::Flow>(reading.module.statements.at(0).node);
  EXPECT_EQ(print(flow.target, Spelling::Ascii), "C[I]{U_X}");
  EXPECT_EQ(print(flow.value, Spelling::Ascii), "A[I_X, J] * B");
  EXPECT_EQ(print(flow.target.dimensions.at(0), Spelling::Ascii), "I");
  EXPECT_EQ(print(reading.module.statements[0], Spelling::Unicode), "A[I_X, J] · B → C[I]{U_X}");
}

}  // namespace
}  // namespace shard::printer_test
