// Reading a text piece by piece, and lines by their forms, changes nothing of what is read.
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/grammar/support/pieces.h"
#include "tests/property.h"

namespace shard::statement_reader_test {
namespace {

void expect_same(const std::string& text) {
  for (const std::size_t lines : {1, 2, 5})
    EXPECT_EQ(difference_of_pieces(text, lines), "") << text;
}

TEST(StatementReader, CutsWhereStatementsEnd) {
  expect_same("");
  expect_same("\n\n# nothing\n");
  expect_same("A[I_X] → A[I]\nB[I_X] → B[I]\nC[I_X] → C[I]");
  expect_same("A[I] ·\nB[J]\n → C[I, J]\nD[I]\n");
  expect_same("A[I_X] →\nB[I] →\nC[I_Y]\nD[I_X] → D[I]\n");
  expect_same("B = 4,\nD = 8,\nF = 16\nA[B, D]: bf16\n");
  expect_same("if 2 > 1 {\n  A[I_X] → A[I]\n}\nelse {\n  B[I_X] → B[I]\n}\nC[I_X] → C[I]\n");
  expect_same("A[I_X] → A[I]; B[I_X] → B[I]\nC[I_X] → C[I]; D[I_X]\n→ D[I]; E[I]\nF[J]\n");
  expect_same("A[I_X, J → A[I]\nB[I_X] → B[I]\nC[I_X] → C[I]\n] D[I]\n");
  expect_same("c = cost {\nA[I_X] → A[I]\nB[I_X] → B[I]\n}\nprint c\nA[I_X] → A[I]\n");
  expect_same("this is a line of prose about arrays\nA[I_X] → A[I]\nand another one, of words\n");
  expect_same("A[I] = 2 *\nprint 3\n1. A[I_X] → A[I]\n* B[I_X] → B[I]\n• C[I_X] → C[I]\n");
  expect_same("J = 8\n• A[I_X, J] · B[J, K] → C[I_X, K]\n* D[I_X] → D[I]\nE[I]\n• F[J]\n");
  expect_same("mesh {X: 2\nA[I_X] → A[I]\nB[I_X\n→ B[I]\n}\nC[I_X] → C[I]\n");
  expect_same("$A[I_X] \\to A[I]$\n$$B[I_X] \\to\nB[I]$$\nC[I_X] → C[I]\n");
  expect_same("A[I_X] → \xff\nB[I_X] → B[I]\n");
  // A line of the file that is two of the text: what is wrong with it was said twice.
  expect_same("= C jnp'ij', \\\\ B)\nA.shape\n/import jax\n");
  // A loop of another language in a block that is closed does not go on behind it.
  expect_same("c = cost {for t = b.time; AllGather_X A[I_X] → A[I] }\n# ex\nB: bf16[J_X, K]\n");
  // A bracket that nothing closes.
  expect_same("foo bar baz is it.\nAsk [Jacob,\nIn\n");
  // The help of a line had dimensions of one that was not read yet.
  expect_same("mesh {X: 4}\ny = jax.lax.with_sharding_constraint(y, P('X'))\ny[B, D] = x[B, D]\n");
}

// A name that becomes known between lines that are written alike changes what they say.
TEST(StatementReader, ReadsLinesAnewWhereNamesChange) {
  const std::string lines = "A[BX, D] → C[BX, D]\nA[BX, D] → C[BX, D]\nA[BX, D] → C[BX, D]\n";
  expect_same(lines + "BX = 4\n" + lines + "mesh {B: 2, X: 2}\n" + lines + "X_D[I]: bf16\n" +
              lines);
  const std::string respelt = "Win[I_X] → Win[I]\nWin[I_X] → Win[I]\nWin[I_X] → Win[I]\n";
  expect_same("W_in[I]: bf16\n" + respelt);
  expect_same(respelt + "W_in[I_X] → T[I]\n" + respelt);
  const std::string sums = "A[I, J] → B[I] · softmax_J C[I, J]\n";
  expect_same(sums + sums + sums + "softmax_J[I, J]: bf16\n" + sums + sums + sums);
  // Arrays of these names were taken for ones that change nothing.
  const std::string calls = "softmax_{J} A[I_X, J] → B[I_X, J]\n";
  const std::string named = "A[I_X, J] → softmax[I_X, J]\n";
  expect_same(calls + calls + calls + named + calls);
  const std::string plain = "A[I_X, J] → C[I_X, J]\n";
  expect_same(plain + plain + plain + calls + calls + calls + named + calls);
  const std::string along = "sum_J (A[I, J]) → B[I]\n";
  expect_same(along + along + along + "A[I, J] → sumJ[I, J]\n" + along);
}

// Words that mean something else than others in the same place.
TEST(StatementReader, KeepsWordsApart) {
  for (const std::string word : {"bf16", "print", "AllGather", "AllGatherX", "mesh", "not", "LOCAL",
                                 "max", "dA", "x", "W_in", "Out'1", "coord", "Σ"}) {
    const std::string plain = "A[I_X, J] → B[I, J]\n";
    const std::string first = word + "[I_X, J] → B[I, J]\n";
    const std::string last = "A[I_X, J] → " + word + "[I, J]\n";
    expect_same(plain + plain + plain + first + last + first + last + plain + first);
    expect_same(word + ": " + plain + word + ": " + plain + word + ": " + plain);
  }
}

// Programs of lines that come again and again with other names, among others of all kinds.
TEST(StatementReader, ReadsRandomTextsLikeAtOnce) {
  constexpr const char* kLines[] = {"%[B_X, D] ·_D %[D, F_Y] → %[B_X, F_Y]",
                                    "%[B_X, D] = AllGather_Y %[B_X, D_Y]",
                                    "%[B_X, D] = relu(%[B_X, D]) + 2 * %[B_X, D]",
                                    "  %[B_X, D_Y]{U_Z} → %[B_X, D_Y]  ",
                                    "%[B, D] · %[D, F] →",
                                    "→ %[B, F]",
                                    "%[B_X, D] → %[B, D]  # moved",
                                    "%[B_X, D] → %[B, D]; %[B] → %[B_X]",
                                    "% = % · %",
                                    "softmax_D(%[B, D])[B, D] → %[B, D]",
                                    "%[B_X, D] → %[B_X, D",
                                    "D = 4",
                                    "mesh {X: 4, Y: 2}",
                                    "%: bf16[B_X, D]",
                                    "%[BX, D] → %[BX, D_Y]",
                                    "# a comment",
                                    "",
                                    "fn f(a[B, D]) {",
                                    "}",
                                    "(%[B, D_X] ·_D %[D_X, F])[B, F]{U_X} → %[B, F]",
                                    "%[B{, D] → %[B, D]",
                                    "%[B, D] ·",
                                    "print %",
                                    "%[B_X, D] → %[B, D_X] overlap X",
                                    "the result %[B, D] is used below"};
  constexpr const char* kNames[] = {"A", "A1", "T2", "Win", "W_in", "act",
                                    "B", "dA", "X",  "sum", "In",   "Out'1"};
  std::mt19937 random(77);
  const int cases = scaled_cases(10000);
  for (int i = 0; i < cases; ++i) {
    const std::size_t kinds = random() % 4;
    std::vector<std::string> some;
    for (std::size_t k = 0; k < kinds; ++k)
      some.emplace_back(kLines[random() % (random() % 4 == 0 ? std::size(kLines) : 14)]);
    some.emplace_back(kLines[random() % 4]);
    std::string text;
    for (unsigned line = 10 + random() % 90; line > 0; --line) {
      for (const char c : some[random() % some.size()]) {
        if (c == '%')
          text += kNames[random() % (random() % 32 == 0 ? std::size(kNames) : 6)];
        else
          text += c;
      }
      text += random() % 16 == 0 ? "\r\n" : "\n";
    }
    const std::size_t lines = 1 + random() % 4;
    ASSERT_EQ(difference_of_pieces(text, lines), "") << text;
  }
}

}  // namespace
}  // namespace shard::statement_reader_test
