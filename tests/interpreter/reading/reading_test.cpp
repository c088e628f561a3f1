#include "interpreter/reading/reading.h"

#include <gtest/gtest.h>

#include "base/line_width.h"
#include "interpreter/reading/reading_report.h"

namespace shard::reading_test {
namespace {

ReadDocument read(const std::string& text, const std::string& preamble = "mesh {X: 4, Y: 2}\n") {
  Session session({.interactive = true});
  session.run("preamble", preamble);
  return read_document("notes.md", text, session);
}

// "12:5 A[I_X, J] checked", a line for each statement.
std::string shown(const ReadDocument& document) {
  std::string text;
  for (const ReadStatement& read : document.statements) {
    const char* const verdict = read.verdict == Verdict::Checked   ? "checked"
                                : read.verdict == Verdict::Skipped ? "skipped"
                                                                   : "error";
    text += std::to_string(read.line) + ":" + std::to_string(read.column) + " " + read.ascii +
            (read.of_script ? " script " : " ") + verdict + "\n";
  }
  return text;
}

TEST(Reading, FindsNotationWhereItStands) {
  EXPECT_EQ(shown(read("No.\n\nSee A[IX, J], and `B[J, K_Y]`.\n| a | $C[I]$ |\n")),
            "3:5 A[I_X, J] checked\n3:20 B[J, K_Y] checked\n4:8 C[I] checked\n");
}

// Latin-1: each byte that is none of UTF-8 is a character of its own, also at the end of a line.
TEST(Reading, ReadsTextsThatAreNoUtf8) {
  EXPECT_EQ(shown(read("SOCI\xC9T\xC9\nA[I_X, J]\n")), "2:1 A[I_X, J] checked\n");
  EXPECT_EQ(shown(read("caf\xE9\nA[I_X, J]\n")), "2:1 A[I_X, J] checked\n");
  EXPECT_EQ(shown(read("\xC9")), "");
  EXPECT_EQ(shown(read("\xCE<b>A[I_X, J]</b> \xE2\x86")), "1:5 A[I_X, J] checked\n");
  EXPECT_EQ(shown(read("A[I_X, J] \xB7 B[J, K] = C[I_X, K]\n")), "");
}

TEST(Reading, SaysThatAScriptIsNoText) {
  const ReadDocument document = read("```shard\nexpect 1 == 2\n# caf\xE9\n```\nSee A[I_X, J].\n");
  EXPECT_EQ(shown(document), "3:1 # caf\xE9 script error\n5:5 A[I_X, J] checked\n");
  EXPECT_EQ(document.status, ExitStatus::ProgramErrors);
  ASSERT_EQ(document.statements.front().diagnostics.size(), 1U);
  EXPECT_EQ(document.statements.front().diagnostics.front().kind, DiagnosticKind::InvalidText);
}

TEST(Reading, PassesOverTheLabelsOfBraces) {
  EXPECT_EQ(
      shown(read("$\\overbrace{A[I_X, J]}^{\\text{weights}} \\cdot B[J, K_Y] \\to C[I_X, K_Y]$\n\n"
                 "$\\underbrace{A[I_X, J]}_{\\text{input}} · B[J, K] = C[I_X, K]$\n\n"
                 "$\\underbrace{AllGather_X A}_{T = 3us} \\to A$\n\n"
                 "$\\overset{\\text{w}}{A[I_X, J]} \\stackrel{!}{\\to} A[I, J]$\n\n"
                 "$\\odd{A} \\cdot B[J, K_Y] \\to C[I_X, K_Y]$\n")),
      "1:13 A[I_X, J] * B[J, K_Y] -> C[I_X, K_Y] checked\n"
      "3:14 A[I_X, J] * B[J, K] = C[I_X, K] checked\n"
      "7:21 A[I_X, J] -> A[I, J] checked\n");
}

// By other signs than `=`; an arrow to the left is none of the notation.
TEST(Reading, ReadsAssignmentsAsOne) {
  EXPECT_EQ(shown(read(
                "$C[I, K] := A[I, J] · B[J, K]$\n\n$C[I, K] \\triangleq A[I, J] \\cdot B[J, K]$\n\n"
                "$D[I, K] ≔ A[I, J] · B[J, K]$\n")),
            "1:2 C[I, K] = A[I, J] * B[J, K] checked\n3:2 C[I, K] = A[I, J] * B[J, K] checked\n"
            "5:2 D[I, K] = A[I, J] * B[J, K] checked\n");
  EXPECT_EQ(shown(read("$C[I, K] \\gets A[I, J] \\cdot B[J, K]$\n\n$C[I, K] \\leftarrow A[I, J] "
                       "\\cdot B[J, K]$\n\n"
                       "C[I, K] <- A[I_X, J] · B[J, K]\n")),
            "");
}

// Indices of small letters, unless the document has the dimension elsewhere, or an arrow stands beside.
TEST(Reading, TellsIndicesFromAxes) {
  EXPECT_EQ(
      shown(read("Then $Q[s_t, a_t]$, $V[s_t]$, `f[x_i]`, `f[n_k]` and dp[i_j].\n\n"
                 "So Attention[Q, K, V].\n\n<pre>\nint a[i_j] = 3;\nint b[N_K] = 3;\n</pre>\n\n"
                 "Then:\n\n    int a[i_j] = 3;\n    int b[N_K] = 3;\n")),
      "");
  EXPECT_EQ(shown(read("$x[b_x, d]$ and $v[d_k] \\to v[d]$\n")),
            "1:2 x[b_X, d] checked\n1:18 v[d_k] -> v[d] error\n");
  EXPECT_EQ(shown(read("$v[d_k]$\n", "mesh {k: 4}\n")), "1:2 v[d_k] checked\n");
}

TEST(Reading, GoesOnBehindAStatementThatBeginsALine) {
  EXPECT_EQ(shown(read("Mesh {X: 4, Y: 16}. Then `A[I_X, J]` is cut in four.\n")),
            "1:1 mesh {X: 4, Y: 16} checked\n1:27 A[I_X, J] checked\n");
  EXPECT_EQ(shown(read("A[I, J] · B[J, K] → C[I, K]. Then `D[I_X, J]` comes, see [1].\n")),
            "1:1 A[I, J] * B[J, K] -> C[I, K] checked\n1:39 D[I_X, J] checked\n");
  EXPECT_EQ(shown(read("mesh {X: 4}. Of such meshes [1] has more.\n")),
            "1:1 mesh {X: 4} checked\n");
}

TEST(Reading, PlacesEachStatementOfAFormula) {
  EXPECT_EQ(shown(read("as\n$$\n\\begin{aligned} A[I_X] &\\to A[I] \\\\\n B[J_Y] &\\to B[J]\n"
                       "\\end{aligned}\n$$\n")),
            "3:17 A[I_X] -> A[I] checked\n4:2 B[J_Y] -> B[J] checked\n");
}

// All of it stood where the first formula of the document stands, or was lost.
TEST(Reading, PlacesTheFormulasOfAnArticle) {
  EXPECT_EQ(
      shown(
          read("\\begin{document}\nWe write $A[I_X, D] \\to A[I, D]$. A size $a_{ij}$.\n"
               "\\begin{align}\nC[I_X, D] &\\to C[I, D] \\\\\nT &= 3 I D \\\\\n  D[J_Y] &\\to D[J] "
               "% so\n\\end{align}\nCost: $x = 4$\n\\end{document}\n")),
      "2:11 A[I_X, D] -> A[I, D] checked\n4:1 C[I_X, D] -> C[I, D] checked\n"
      "6:3 D[J_Y] -> D[J] checked\n");
}

TEST(Reading, KeepsRowsOfAFormulaTogether) {
  EXPECT_EQ(shown(read("$$\nT = 3 + U \\\\\nA[I_X, J] \\cdot B[J, K] \\\\\n&\\to C[I_X, K] \\\\\n"
                       "D[I_X, J]E[J, K] = F[I_X, K]\n$$\n")),
            "3:1 A[I_X, J] * B[J, K] -> C[I_X, K] checked\n"
            "5:1 D[I_X, J] * E[J, K] = F[I_X, K] checked\n");
}

// A subscript in small letters is an axis only if the document says so.
TEST(Reading, TellsDimensionsFromVariables) {
  EXPECT_EQ(shown(read("We read users[user_id] and x[batch_data, d].\n\n`a[i_max, j_max]`\n")), "");
  EXPECT_EQ(shown(read("x[batch_data, d] here.\n", "mesh {data: 2}\n")),
            "1:1 x[batch_data, d] checked\n");
  EXPECT_EQ(shown(read("x[batch_data, d] here.\n\nA[batch, D] → B[batch, D]\n", "")),
            "1:1 x[batch_data, d] checked\n3:1 A[batch, D] -> B[batch, D] checked\n");
  EXPECT_EQ(shown(read("x[batch_data, d] on the mesh {data: 2}.\n", "")),
            "1:1 x[batch_data, d] checked\n1:25 mesh {data: 2} checked\n");
  EXPECT_EQ(shown(read("x[b_X], x[batch_x], x[b_xy] stay.\n", "")),
            "1:1 x[b_X], x[batch_x], x[b_{xy}] checked\n");
}

TEST(Reading, JudgesEachPieceOnItsOwn) {
  EXPECT_EQ(
      shown(read("A[I_X, J_X]\nA[I_X, J] -> A[I, J]\nA[K_Y] -> A[K]\n")),
      "1:1 A[I_X, J_X] error\n2:1 A[I_X, J] -> A[I, J] checked\n3:1 A[K_Y] -> A[K] checked\n");
  EXPECT_EQ(read("A[I_X, J_X]\n").status, ExitStatus::ProgramErrors);
  EXPECT_EQ(read("A[I_X, J]\n").status, ExitStatus::Fine);
}

TEST(Reading, SkipsWhatSaysTooLittle) {
  const ReadDocument document =
      read("With $A \\cdot B$, f(A[I_X]) and A[I, J, ...] on A[0:I/2, J]\n");
  EXPECT_EQ(document.status, ExitStatus::Fine);
  ASSERT_FALSE(document.statements.empty());
  for (const ReadStatement& one : document.statements)
    EXPECT_NE(one.verdict, Verdict::Error) << one.ascii;
}

// What the document calls a dimension is none of its arrays.
TEST(Reading, TakesProductsOfArraysOnly) {
  EXPECT_EQ(shown(read("$A \\cdot B$ of A[I, J] and B[J, K]\n")),
            "1:2 A * B skipped\n1:16 A[I, J] checked\n1:28 B[J, K] checked\n");
  EXPECT_EQ(shown(read("$I \\cdot J$ of A[I, J]\n")), "1:16 A[I, J] checked\n");
}

TEST(Reading, PricesWithSizesAndChip) {
  const std::string line = "A[I_X, J] -> A[I, J]\n";
  const ReadDocument open = read(line);
  ASSERT_TRUE(open.statements.front().cost);
  EXPECT_FALSE(open.statements.front().missing.empty());
  const ReadDocument priced =
      read(line, "hardware TPUv5e 4x2\nmesh {X: 4, Y: 2}\nI = 64, J = 64\n");
  ASSERT_TRUE(priced.statements.front().cost);
  EXPECT_TRUE(priced.statements.front().missing.empty());
  EXPECT_TRUE(priced.statements.front().cost->comms.constant());
}

TEST(Reading, ScriptsContinueOneAnother) {
  const ReadDocument document = read(
      "```shard\nI = 8\nA[I_X] -> A[I]\n```\n\n```shard\nexpect I = 8\n```\n\n```shard\nmesh {Z: "
      "2}\nexpect I = 8\n```\n\nNow B[I_Z] and B[I_X].\n");
  EXPECT_EQ(shown(document),
            "2:1 I = 8 script checked\n3:1 A[I_X] -> A[I] script checked\n"
            "7:1 expect I == 8 script checked\n11:1 mesh {Z: 2} script checked\n"
            "12:1 expect I == 8 script error\n15:5 B[I_Z] checked\n15:16 B[I_X] error\n");
}

TEST(Reading, AScriptsArraysAreItsOwn) {
  EXPECT_EQ(shown(read("```shard\nI = 8, K = 4\nA[I_X] -> A[I]\n```\nA[K_Y] -> A[K]\n")),
            "2:1 I = 8, K = 4 script checked\n3:1 A[I_X] -> A[I] script checked\n"
            "5:1 A[K_Y] -> A[K] checked\n");
}

// A list, a quotation, lines that end as on Windows: the margin is none of the script's, and places are the document's.
TEST(Reading, ScriptsStandInListsAndQuotations) {
  EXPECT_EQ(shown(read("- item\n\n  ```shard\n  I = 8\n  A[I_X] -> A[I]\n  ```\n")),
            "4:3 I = 8 script checked\n5:3 A[I_X] -> A[I] script checked\n");
  EXPECT_EQ(shown(read("> so\n>\n> ```shard\n> I = 8\n>\n> A[I_X] -> A[I]\n> ```\n")),
            "4:3 I = 8 script checked\n6:3 A[I_X] -> A[I] script checked\n");
  EXPECT_EQ(shown(read("```shard\r\nI = 8\r\nA[I_X] -> A[I]\r\n```\r\n")),
            "2:1 I = 8 script checked\n3:1 A[I_X] -> A[I] script checked\n");
}

TEST(Reading, PassesOverWhatScriptsAreSaidToPrint) {
  for (const char* language : {"text", "output", "json", "csv"}) {
    EXPECT_EQ(
        shown(read("```shard\nI = 8\n```\n\n```" + std::string(language) + "\nmesh {Q: 2}\n```\n")),
        "2:1 I = 8 script checked\n");
  }
}

TEST(Reading, IsReported) {
  const ReadDocument document = read("See A[IX, J], not A[I_X, J_X].\n");
  const std::string text = text_report(document);
  EXPECT_NE(text.find("notes.md: 2 statements in 1 line: 1 checked, 1 error\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("[AxisReused]"), std::string::npos) << text;
  const std::string json = json_report(document);
  EXPECT_NE(json.find("\"verdict\": \"error\""), std::string::npos) << json;
  EXPECT_EQ(text_report(read("Nothing.\n")), "notes.md: 0 statements in 1 line\n");
}

// In a narrow window nothing is wider than that.
TEST(Reading, FitsNarrowWindows) {
  const LineWidth width(80);
  const std::string text = text_report(
      read("In[B_X, D_Y] *_D Win[D_X, F_Y] *_F Wout[F_Y, D_X] -> Out[B_X, D_Y]\nA[I_X, J_X]\n"));
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    EXPECT_LE(end - begin, 120U) << text.substr(begin, end - begin);
    begin = end + 1;
  }
}

}  // namespace
}  // namespace shard::reading_test
