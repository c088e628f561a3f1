// Lines of the documents (`documents`) and of the book that two of them are from (`book`), each below what its
// surroundings declare. `result` is the canonical form in ASCII; `scalar …` where a formula of the text is legal
// arithmetic; `!Kind` for a line that is wrong, with the diagnostic that it deserves. A row with an `exception` is not
// read, for the reason that stands there.
#include <gtest/gtest.h>

#include "grammar/print/printer.h"
#include "tests/grammar/support/reading.h"
#include "tests/interpreter/support/scripts.h"
#include "tests/notation/cells.h"

namespace shard::lines_test {
namespace {

struct Line {
  std::string from;
  std::string head;  // statements that declare the axes and sizes of its surroundings
  std::string written;
  std::string result;
  std::string exception;

  bool is_wrong() const { return result[0] == '!'; }
  bool is_scalar() const { return result.rfind("scalar ", 0) == 0; }
};

// `X,Y;B,D`: axes X and Y, sizes B and D.
std::string head_of(const std::string& declared) {
  const std::size_t border = declared.find(';');
  std::string head;
  for (const std::string& axis : testing::split(declared.substr(0, border), ','))
    head += (head.empty() ? "mesh {" : ", ") + axis + ": 2";
  if (!head.empty()) head += "}\n";
  for (const std::string& size : testing::split(declared.substr(border + 1), ','))
    head += size + " = 64\n";
  return head;
}

const std::vector<Line>& lines() {
  static const std::vector<Line> all = [] {
    std::vector<Line> read;
    for (const std::vector<std::string>& cells : testing::table("lines.tsv", 5))
      read.push_back({cells[0], head_of(cells[1]), cells[2] + "\n", cells[3], cells[4]});
    return read;
  }();
  return all;
}

std::string complaints(const Reading& reading) {
  std::string text;
  for (const Diagnostic& diagnostic : reading.diagnostics)
    text += render(diagnostic, reading.sources, false);
  return text;
}

// What is printed below the head, without comments.
std::string printed(const Reading& reading, const std::string& head) {
  const Reading declared = read(head);
  std::string text;
  std::size_t passed = declared.module.statements.size();
  for (const std::string& line : testing::split(print(reading.module, Spelling::Ascii), '\n')) {
    if (line.empty() || line[0] == '#') continue;
    if (passed > 0) {
      --passed;
      continue;
    }
    text += (text.empty() ? "" : " ; ") + line.substr(0, line.find("  #"));
  }
  return text;
}

TEST(Lines, AreReadAsTheirCanonicalForm) {
  for (const Line& line : lines()) {
    if (line.is_wrong() || !line.exception.empty()) continue;
    const Reading reading = read(line.head + line.written);
    EXPECT_EQ(complaints(reading), "") << line.written;
    const std::string expected = line.is_scalar() ? line.result.substr(7) : line.result;
    EXPECT_EQ(printed(reading, line.head), expected) << line.written;
  }
}

TEST(Lines, InEachSpellingAreReadAsTheSameTree) {
  for (const Line& line : lines()) {
    if (!line.exception.empty()) continue;
    const Reading first = read(line.head + line.written);
    if (!first.diagnostics.empty()) continue;
    for (const Spelling spelling : {Spelling::Unicode, Spelling::Ascii, Spelling::Latex}) {
      const std::string text = print(first.module, spelling);
      const Reading second = read(text);
      EXPECT_EQ(complaints(second), "") << text;
      EXPECT_TRUE(second.module == first.module) << line.written << text;
      EXPECT_EQ(print(second.module, spelling), text);
    }
  }
}

TEST(Lines, ThatAreWrongDrawTheDiagnosticTheyDeserve) {
  int wrong = 0;
  for (const Line& line : lines()) {
    if (!line.is_wrong()) continue;
    ++wrong;
    const std::vector<std::string> kinds = testing::kinds(line.head + line.written);
    ASSERT_FALSE(kinds.empty()) << line.written;
    for (const std::string& kind : kinds) EXPECT_EQ("!" + kind, line.result) << line.written;
  }
  EXPECT_GE(wrong, 30);
}

TEST(Lines, ThatAreArithmeticHaveNoErrors) {
  for (const Line& line : lines()) {
    if (line.is_scalar()) {
      EXPECT_EQ(testing::kinds(line.head + line.written), testing::Kinds{}) << line.written;
    }
  }
}

TEST(Lines, AreReadButForFewOfTheBook) {
  int of_the_book = 0;
  int exceptions = 0;
  for (const Line& line : lines()) {
    if (line.is_wrong()) continue;
    of_the_book += line.from == "book" ? 1 : 0;
    exceptions += line.exception.empty() ? 0 : 1;
    EXPECT_TRUE(line.exception.empty() || line.from == "book") << line.written;
  }
  EXPECT_LE(exceptions * 50, of_the_book);
}

}  // namespace
}  // namespace shard::lines_test
