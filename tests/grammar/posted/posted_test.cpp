// Lines as people post them, collected from public pages without regard to what is read: `a` in the book's notation with
// remarks around it, `b` types and meshes of JAX, `c` other spellings and frameworks. `statements` is the canonical form
// in ASCII; a line with an `exception` is not read, for the reason that stands there. And sentences without notation, none
// of which may be taken for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "grammar/tree/statement_parts.h"
#include "tests/grammar/support/reading.h"

namespace shard::posted_test {
namespace {

struct Line {
  std::string family;
  std::string written;
  std::string statements;
  std::string exception;
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<std::string> rows(const std::string& name) {
  std::ifstream file(std::string(SHARD_POSTED) + "/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return split(text.str(), '\n');
}

// `⏎` and `⇥` stand for a line's end and a tab.
std::string plain(std::string text) {
  for (const auto& [mark, sign] : {std::pair("⏎", "\n"), std::pair("⇥", "\t")}) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1))
      text.replace(at, std::string(mark).size(), sign);
  }
  return text;
}

const std::vector<Line>& lines() {
  static const std::vector<Line> all = [] {
    std::vector<Line> read;
    std::vector<std::string> table = rows("lines.tsv");
    table.erase(table.begin());
    for (const std::string& row : table) {
      std::vector<std::string> cells = split(row, '\t');
      cells.resize(5);
      read.push_back({cells[0], plain(cells[2]) + "\n", cells[3], cells[4]});
    }
    return read;
  }();
  return all;
}

std::string printed(const Reading& reading) {
  std::string text;
  for (const std::string& line : split(print(reading.module, Spelling::Ascii), '\n')) {
    if (line.empty() || line[0] == '#') continue;
    text += (text.empty() ? "" : " ; ") + line.substr(0, line.find("  #"));
  }
  return text;
}

TEST(PostedLines, AreReadAsTheirCanonicalForm) {
  for (const Line& line : lines()) {
    if (!line.exception.empty()) continue;
    EXPECT_EQ(shown(line.written), "") << line.written;
    EXPECT_EQ(printed(read(line.written)), line.statements) << line.written;
  }
}

TEST(PostedLines, AreReadAgainFromWhatIsPrinted) {
  for (const Line& line : lines()) {
    if (!line.exception.empty()) continue;
    const Reading first = read(line.written);
    for (const Spelling spelling : {Spelling::Unicode, Spelling::Ascii, Spelling::Latex}) {
      const std::string text = print(first.module, spelling);
      const Reading second = read(text);
      EXPECT_TRUE(second.module == first.module) << line.written << text;
      EXPECT_EQ(print(second.module, spelling), text) << line.written;
    }
  }
}

// Where the value goes is no remark; a label, a cell of a table and what stands beside another target are.
TEST(PostedLines, KeepTheirTargets) {
  for (const char* line : {"C[I, K] <- A[I_X, J] · B[J, K]",
                           "C[I, K]{U_X} <- A[I, J_X] · B[J_X, K]", "C[I, K] ⟵ A[I_X, J] · B[J, K]",
                           "so C[I, K] <- relu(A[I_X, K])", "C[I, K] := A[I_X, J] · B[J, K]",
                           "C[I, K] | A[I_X, J] · B[J, K]", "C[I, K] : A[I_X, J] · B[J, K]"})
    EXPECT_FALSE(read(line).diagnostics.empty()) << line;
  EXPECT_EQ(printed(read("C[I, K]: A[I_X, J] · B[J, K]\n")), "A[I_X, J] * B[J, K]");
  EXPECT_EQ(printed(read("| C[I, K] | A[I_X, J] · B[J, K] |\n")), "A[I_X, J] * B[J, K]");
  EXPECT_EQ(printed(read("A[I_X, J] | AllGather_X A[I_X, J] → A[I, J]\n")),
            "AllGather_X A[I_X, J] -> A[I, J]");
  EXPECT_EQ(printed(read("A[I_X, J] → A[I, J] ⟵ gathered here\n")), "A[I_X, J] -> A[I, J]");
}

// Of JAX's types all are read, of the book's notation 97 %, of the rest 80 %. What is not read has an answer of its own in
// most cases, which says how the line is written here.
TEST(PostedLines, AreReadButForFew) {
  std::map<std::string, std::pair<int, int>> counts;
  for (const Line& line : lines()) {
    auto& [all, unread] = counts[line.family];
    ++all;
    unread += line.exception.empty() ? 0 : 1;
  }
  for (const auto& [family, count] : counts) {
    const auto& [all, unread] = count;
    EXPECT_LE(unread * 100, all * (family == "a" ? 3 : family == "b" ? 0 : 20)) << family;
  }
  EXPECT_GE(lines().size(), 300U);
}

// Whether a statement has anything in it that only notation has: brackets, a type, a mesh, a size.
bool is_notation(const ast::Statement& statement) {
  if (statement.has_error) return false;
  return !parts_of(statement).brackets.empty() ||
         std::holds_alternative<ast::Mesh>(statement.node) ||
         std::holds_alternative<ast::Hardware>(statement.node) ||
         std::holds_alternative<ast::Declaration>(statement.node) ||
         std::holds_alternative<ast::Bindings>(statement.node);
}

TEST(PostedProse, IsNeverTakenForNotation) {
  const std::vector<std::string> sentences = rows("prose.txt");
  EXPECT_GE(sentences.size(), 2000U);
  for (const std::string& sentence : sentences) {
    const Reading reading = read(sentence + "\n");
    const auto& statements = reading.module.statements;
    EXPECT_FALSE(std::any_of(statements.begin(), statements.end(), is_notation)) << sentence;
  }
}

// What stands around a statement is kept, and what is wrong with notation is still said.
TEST(PostedLines, KeepTheirRemarks) {
  EXPECT_EQ(print(read("Étape 2 — A[I_X, J] → A[I, J] — voilà\n").module, Spelling::Unicode),
            "A[I_X, J] → A[I, J]  # Étape 2 — … — voilà\n");
}

// The first word of a sentence behind an arrow is no name of an array, unless the text has one.
TEST(PostedLines, EndBeforeASentenceBehindAnArrow) {
  EXPECT_EQ(print(read("A[I, J_X] · B[J, K] → we gather A first\n").module, Spelling::Unicode),
            "A[I, J_X] · B[J, K]  # → we gather A first\n");
  EXPECT_EQ(print(read("A[I, J_X] · B[J, K] → out (gathered first)\n").module, Spelling::Unicode),
            "A[I, J_X] · B[J, K] → out  # gathered first\n");
  EXPECT_EQ(print(read("A[I, J] sharded as P('X', 'Y')\n").module, Spelling::Unicode),
            "A[I_X, J_Y]\n");
}

TEST(PostedLines, AreNotReadIfTheNotationIsMistaken) {
  for (const char* text :
       {"A[I_X, J] → A[I, J] foo", "AllGahter_X A[I_X, J] → A[I, J]", "A[I_X, J] B[J, K] → C[I, K]",
        "A[I J] · B[J, K] → C[I, K]", "A[I_X, J] → → A[I, J]", "A[I_X, J] → A[I, J] // gathered",
        "x = A[I_X, J] foo", "const C[I, K] = A[I, J] · B[J, K]", "A[I_X, J] =>  A[I, J]"}) {
    EXPECT_NE(shown(text), "") << text;
  }
}

}  // namespace
}  // namespace shard::posted_test
