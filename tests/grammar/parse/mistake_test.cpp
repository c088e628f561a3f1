// What the parser says about mistakes, and how it goes on.
#include <gtest/gtest.h>

#include "tests/grammar/support/reading.h"

namespace shard::mistake_test {
namespace {

using Words = std::vector<std::string>;

TEST(Parser, GoesOnAtNextStatementAfterMissingBracket) {
  const Reading reading = read("A[I_X, J → C[I]\nB = 3\nD = 4");
  ASSERT_EQ(reading.diagnostics.size(), 1U);
  ASSERT_EQ(reading.module.statements.size(), 3U);
  EXPECT_TRUE(reading.module.statements[0].has_error);
  EXPECT_TRUE(std::holds_alternative<ast::Bindings>(reading.module.statements[1].node));
}

TEST(Parser, ReportsOneDiagnosticPerMistake) {
  EXPECT_EQ(
      messages("A[I J]; B[I,, J]\nC[I] $ $ $\nc = cost { D[I J]; E[I] }"),
      (Words{"1:5: expected `,` or `]`, found `J`", "1:13: expected a dimension, found `,`",
             "2:6: `$` means nothing in the notation", "3:16: expected `,` or `]`, found `J`"}));
}

TEST(Parser, PassesOverABlockOfAMisspeltWord) {
  EXPECT_EQ(messages("csot {\n A[I]\n B[I J]\n}\nC[I]"), Words{"1:1: `csot` begins no statement"});
}

TEST(Parser, KeepsTextAndNamesOfAStatementThatItCannotRead) {
  const Reading reading = read("A[I J] · B[J] → C");
  const auto& unread = std::get<ast::Unsupported>(reading.module.statements.at(0).node);
  EXPECT_EQ(unread.text, "A[I J] · B[J] → C");
  EXPECT_EQ(texts(unread.defines), (Words{"A", "B", "C"}));
}

TEST(Parser, MarksAStatementAroundAMistakenBlock) {
  const Reading reading = read("c = cost { A[I J] }\nd = 3");
  EXPECT_TRUE(reading.module.statements.at(0).has_error);
  EXPECT_FALSE(reading.module.statements.at(1).has_error);
}

TEST(Mistakes, ShowACommaThatLacks) {
  EXPECT_EQ(shown("A[I_X J]"),
            "t.shard:1:7: error: expected `,` or `]`, found `J` [SyntaxError]\n"
            "  1 | A[I_X J]\n"
            "    |       ^\n"
            "help: A[I_X, J]\n");
}

TEST(Mistakes, ShowACommaTooMany) {
  EXPECT_EQ(shown("A[I_X,, J]"),
            "t.shard:1:7: error: expected a dimension, found `,` [SyntaxError]\n"
            "  1 | A[I_X,, J]\n"
            "    |       ^\n");
}

TEST(Mistakes, ShowABracketThatIsNeverClosed) {
  EXPECT_EQ(shown("A[I_X, J -> C[I]"),
            "t.shard:1:2: error: `[` is never closed [UnclosedBracket]\n"
            "  1 | A[I_X, J -> C[I]\n"
            "    |  ^\n"
            "t.shard:1:10: note: expected `,` or `]` before `->`\n"
            "  1 | A[I_X, J -> C[I]\n"
            "    |          ^^\n"
            "help: A[I_X, J] -> C[I]\n");
  EXPECT_EQ(messages("{"), Words{"1:1: `{` is never closed"});
  EXPECT_EQ(messages("c = cost {\nA[I]\n"), Words{"1:10: `{` is never closed"});
}

TEST(Mistakes, ShowABracketThatClosesNothing) {
  EXPECT_EQ(shown("A]"),
            "t.shard:1:2: error: `]` closes nothing [SyntaxError]\n"
            "  1 | A]\n"
            "    |  ^\n"
            "help: A\n");
  EXPECT_EQ(messages("A[I]\n}\nB[I]"), Words{"2:1: `}` closes nothing"});
}

TEST(Mistakes, SuggestAWordForAMisspeltOne) {
  EXPECT_EQ(shown("hardwear TPUv5p"),
            "t.shard:1:1: error: `hardwear` begins no statement [SyntaxError]\n"
            "  1 | hardwear TPUv5p\n"
            "    | ^^^^^^^^\n"
            "help: hardware TPUv5p\n");
  EXPECT_EQ(shown("mehs {X: 4}"),
            "t.shard:1:1: error: `mehs` begins no statement [SyntaxError]\n"
            "  1 | mehs {X: 4}\n"
            "    | ^^^^\n"
            "help: mesh {X: 4}\n");
  EXPECT_EQ(shown("B[I] = AllGahter_X A[I_X]"),
            "t.shard:1:8: error: `AllGahter_X` is no collective [SyntaxError]\n"
            "  1 | B[I] = AllGahter_X A[I_X]\n"
            "    |        ^^^^^^^^^^^\n"
            "help: B[I] = AllGather_X A[I_X]\n");
}

TEST(Mistakes, ShowAnArrowWithoutALeftSide) {
  EXPECT_EQ(shown("-> C[I]"),
            "t.shard:1:1: error: nothing stands before `->` [SyntaxError]\n"
            "  1 | -> C[I]\n"
            "    | ^^\n"
            "help: `A[I_X, J] → B[I_X, J]`\n");
}

TEST(Mistakes, ShowHalfLines) {
  EXPECT_EQ(messages("A[I] ·"),
            Words{"1:7: expected an array or a number, found the end of the text"});
  EXPECT_EQ(messages("A[I] ·\nprint 3"),
            Words{"1:7: expected an array or a number, found the end of the line"});
  EXPECT_EQ(messages("AllGather_X"),
            Words{"1:12: expected an array after `AllGather_X`, found the end of the text"});
  EXPECT_EQ(messages("hardware\n"),
            Words{"1:9: expected a chip such as `TPUv5p`, found the end of the text"});
  EXPECT_EQ(messages("mesh {X: 4, Y}"), Words{"1:14: expected `:`, found `}`"});
  EXPECT_EQ(messages("A: \n"),
            Words{"1:3: expected an element type such as `bf16`, found the end of the text"});
  EXPECT_EQ(messages("A[I_"), Words{"1:5: expected an axis, found the end of the text"});
}

TEST(Mistakes, AreNoHoles) { EXPECT_EQ(messages("A[I_?] → B[I]"), Words{}); }

TEST(Mistakes, TellProseFromNotation) {
  EXPECT_EQ(messages("the rows are sharded"), Words{"1:1: this is not sharding notation"});
}

TEST(Mistakes, ShowAnAxisThatReadsLikeOthers) {
  EXPECT_EQ(messages("mesh {X: 2, Y: 2, XY: 4}"),
            Words{"1:19: axis `XY` reads like the axes `X` and `Y`"});
}

TEST(Mistakes, ShowAKindOfErrorThatDoesNotExist) {
  EXPECT_EQ(shown("expect error AxisReuse { A[I_X, J_X] }"),
            "t.shard:1:14: error: `AxisReuse` is no kind of error [SyntaxError]\n"
            "  1 | expect error AxisReuse { A[I_X, J_X] }\n"
            "    |              ^^^^^^^^^\n"
            "help: did you mean `AxisReused`?\n");
}

std::string repeated(std::string_view piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece;
  return text;
}

TEST(Depth, IsLimitedInEveryConstruct) {
  const std::string open = repeated("(", 100'000);
  const std::string closed = open + "A" + repeated(")", 100'000);
  const std::string blocks = repeated("cost {", 10'000) + repeated("}", 10'000);
  for (const std::string& text :
       {open, closed, repeated("[", 100'000), blocks, repeated("-", 100'000) + "1",
        "1" + repeated("+1", 100'000), "A" + repeated("·A", 100'000),
        repeated("AllGather_X ", 50'000) + "A", repeated("not ", 50'000) + "a",
        "2" + repeated("^2", 100'000), "a" + repeated(".b", 100'000),
        repeated("f(", 50'000) + repeated(")", 50'000)}) {
    const Reading reading = read(text);
    ASSERT_EQ(reading.diagnostics.size(), 1U) << text.substr(0, 30);
    const DiagnosticKind kind = reading.diagnostics[0].kind;
    EXPECT_TRUE(kind == DiagnosticKind::TooDeep || text[0] == '[')
        << text.substr(0, 30) << " " << info(kind).name;
  }
}

TEST(Depth, IsCountedThroughBlocks) {
  std::string text = "1";
  for (int i = 0; i < 20; ++i) text = "cost { x = " + text + repeated(" + 1", 100) + " }";
  EXPECT_EQ(read(text).diagnostics.at(0).kind, DiagnosticKind::TooDeep);
}

TEST(Depth, AllowsAHundredTerms) { EXPECT_EQ(messages("x = 1" + repeated(" + 1", 200)), Words{}); }

// Matching brackets took quadratic time on closers that close nothing.
TEST(Length, IsNoTroubleForBracketsThatDoNotMatch) {
  EXPECT_EQ(read(repeated("(", 200'000) + repeated("]", 200'000)).diagnostics.size(), 1U);
  EXPECT_EQ(read(repeated("A[I]; ", 20'000)).module.statements.size(), 20'000U);
}

}  // namespace
}  // namespace shard::mistake_test
