// The table of spellings: what texts write, and the canonical form that all of it ends in.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/grammar/support/reading.h"

namespace shard::spelling_test {
namespace {

struct Row {
  std::string kind;
  std::string declared;  // "axes;sizes"
  std::string written;
  std::string canonical;  // in ASCII, statements joined by " ; "
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::vector<Row> rows() {
  std::ifstream file(SHARD_SPELLINGS);
  std::vector<Row> all;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    Row row;
    std::getline(cells, row.kind, '\t');
    std::getline(cells, row.declared, '\t');
    std::getline(cells, row.written, '\t');
    std::getline(cells, row.canonical, '\t');
    row.written = replaced(row.written, "⏎", "\n");
    all.push_back(row);
  }
  return all;
}

Names declared(const std::string& cell) {
  Names names;
  std::istringstream halves(cell);
  std::string axes;
  std::string sizes;
  std::getline(halves, axes, ';');
  std::getline(halves, sizes, ';');
  std::string name;
  for (std::istringstream words(axes); std::getline(words, name, ',');) names.axes.push_back(name);
  for (std::istringstream words(sizes); std::getline(words, name, ',');) names.dimensions.add(name);
  return names;
}

std::string complaints(const Reading& reading) {
  std::string text;
  for (const Diagnostic& diagnostic : reading.diagnostics)
    text += render(diagnostic, reading.sources, false);
  return text;
}

// Without the line of a table's head, which is a comment of its own.
std::string statements_of(const Reading& reading) {
  std::istringstream lines(print(reading.module, Spelling::Ascii));
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    text += (text.empty() ? "" : " ; ") + line;
  }
  return text;
}

TEST(Spellings, AreReadAsTheirCanonicalForm) {
  ASSERT_GT(rows().size(), 90U);
  for (const Row& row : rows()) {
    const Reading reading = read(row.written + "\n", declared(row.declared));
    EXPECT_EQ(complaints(reading), "") << row.written;
    EXPECT_EQ(statements_of(reading), row.canonical) << row.written;
  }
}

TEST(Spellings, OfEveryKindThatIsPrintedGiveTheSameTree) {
  for (const Row& row : rows()) {
    const Reading first = read(row.written + "\n", declared(row.declared));
    for (const Spelling spelling : {Spelling::Unicode, Spelling::Ascii, Spelling::Latex}) {
      const std::string printed = print(first.module, spelling);
      const Reading second = read(printed, declared(row.declared));
      EXPECT_EQ(complaints(second), "") << printed;
      EXPECT_TRUE(second.module == first.module) << printed;
      EXPECT_EQ(print(second.module, spelling), printed);
    }
  }
}

TEST(Spellings, AreMarkedWhereTheyWereWritten) {
  EXPECT_EQ(shown("$\\mathbf{A}[I_X \\cdot$"),
            "t.shard:1:12: error: `[` is never closed [UnclosedBracket]\n"
            "  1 | $\\mathbf{A}[I_X \\cdot$\n"
            "    |            ^\n"
            "t.shard:1:17: note: expected `,` or `]` before `\\cdot`\n"
            "  1 | $\\mathbf{A}[I_X \\cdot$\n"
            "    |                 ^^^^^\n");
  EXPECT_EQ(messages("A<sub>in</sub>[I J]"),
            std::vector<std::string>{"1:18: expected `,` or `]`, found `J`"});
}

TEST(Spellings, WithTwoReadingsAreToldWithBoth) {
  const Names names = declared("X,Y;B,BX");
  const Reading reading = read("A[BXY] → A[B]", names);
  ASSERT_EQ(reading.diagnostics.size(), 1U);
  EXPECT_EQ(reading.diagnostics[0].kind, DiagnosticKind::AmbiguousSpelling);
  EXPECT_EQ(reading.diagnostics[0].message, "`BXY` can be read as `B_{XY}` and as `BX_Y`");
}

TEST(Spellings, DependOnWhatIsDeclaredBefore) {
  EXPECT_EQ(canonical("mesh {X: 2}\nA[BX]\nBX = 4\nA[BX]"), "mesh {X: 2}\nA[B_X]\nBX = 4\nA[BX]\n");
  EXPECT_EQ(canonical("mesh {data: 2}\nA[Bdata]"), "mesh {data: 2}\nA[B_data]\n");
}

TEST(Spellings, OfOneArrayKeepTheFirst) {
  EXPECT_EQ(canonical("Win[D, F]\n$W_\\text{in}[D, F]$\nW_in → W_{in}"),
            "Win[D, F]\nWin[D, F]\nWin → Win\n");
}

TEST(Spellings, TellFormulasOfTheTextFromNotation) {
  for (const char* text :
       {"$2 * \\text{AllGather}$", "$= 0.5 \\cdot N$", "$w \\in B$", "$A \\cdot B = \\sum_i A_i$",
        "A_i Bi", "jax.device_put(x)", "AllGather / 4 for a ring", "$T_{\\text{a b}} = 3$",
        "4BDF/X", "%0 = f32[4] parameter(0)"}) {
    const Reading reading = read(text);
    ASSERT_EQ(reading.diagnostics.size(), 1U) << text;
    EXPECT_EQ(reading.diagnostics[0].kind, DiagnosticKind::NotNotation) << text;
  }
}

TEST(Spellings, OfAnOpenFormulaAskForMore) {
  EXPECT_TRUE(is_incomplete("$$\n"));
  EXPECT_TRUE(is_incomplete("\\begin{aligned}\nA[I] → B[I] \\\\\n"));
  EXPECT_FALSE(is_incomplete("$$\nA[I] → B[I]\n$$\n"));
}

// Each of these made some search along the line start anew at every sign.
TEST(Length, IsNoTroubleForMarkup) {
  for (const char* piece : {"$", "$$ ", "`", "*(", "**", "<b", "&", "\\\\ ", "\\[", "\\text{", "{",
                            "\\frac{", "∂L/", "a & ", "\\begin{array}", "\\left( "}) {
    std::string text;
    while (text.size() < 300'000) text += piece;
    EXPECT_LE(read(text).diagnostics.size(), 20'000U) << piece;
  }
}

}  // namespace
}  // namespace shard::spelling_test
