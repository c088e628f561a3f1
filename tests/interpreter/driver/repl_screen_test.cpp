// What a session draws: hints, another size of the window, blocks, terminals that act on nothing; and keys.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/interpreter/driver/repl.h"

namespace shard::repl_test {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// The prompt was drawn again behind what was typed.
TEST_F(Repl, AHintLeavesTheLineWhereItIs) {
  Terminal terminal(state_, {}, {.colour = true});
  terminal.await(kPrompt);
  terminal.enter("Batch = 4");
  const std::size_t prompts = count_of(terminal.bytes(), "shard>");
  terminal.type("Batch");
  terminal.await("= 4");
  terminal.type(" + 1");
  terminal.await("= 5");
  EXPECT_EQ(count_of(terminal.bytes(), "shard>"), prompts) << terminal.rest();
  EXPECT_TRUE(contains(terminal.enter(""), "Batch + 1 = 5"));
}

TEST_F(Repl, AnotherWidthDrawsTheLineAtItsBeginning) {
  Terminal terminal(state_, {}, {.columns = 80});
  terminal.await(kPrompt);
  terminal.enter(":set hints off");
  terminal.type("print 3*5");
  terminal.await("3*5");
  terminal.resize(70);
  terminal.await("shard> print 3*5");
  EXPECT_TRUE(contains(terminal.bytes(), "\r\x1b[Jshard> print 3*5")) << terminal.rest();
  EXPECT_TRUE(contains(terminal.enter(""), "15"));
}

// What stood below the cursor was left there, and the next prompt was drawn into it.
TEST_F(Repl, CtrlCLeavesALongLineAsAWhole) {
  Terminal terminal(state_, {}, {.columns = 60});
  terminal.await(kPrompt);
  const std::string kHome = "\x1b[H";
  terminal.type("print \"" + std::string(150, 'a'));
  terminal.await("aaaa");
  terminal.type(kHome);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  terminal.type(kInterrupt);
  terminal.await("\n\n\n" + std::string(kPrompt));
  EXPECT_TRUE(contains(terminal.bytes(), "\n\x1b[J"));
}

TEST_F(Repl, ATerminalThatActsOnNothingGetsTextAlone) {
  for (const char* kind : {"dumb", static_cast<const char*>(nullptr), "nosuchterminal"}) {
    Terminal terminal(state_, {}, {.colour = true, .kind = kind});
    terminal.await(kPrompt);
    terminal.enter("mesh {X: 2}; I = 8");
    terminal.type("A[I_X] → B[I]");
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    EXPECT_TRUE(contains(terminal.enter(""), "within bf16 rounding")) << terminal.rest();
    EXPECT_FALSE(contains(terminal.bytes(), "\x1b")) << (kind == nullptr ? "none" : kind);
    EXPECT_FALSE(contains(terminal.bytes(), "→ bf16[I]"));
  }
}

constexpr const char* kPasteBegin = "\x1b[200~";
constexpr const char* kPasteEnd = "\x1b[201~";

TEST_F(Repl, ACommandIsNoTextOfAnOpenInput) {
  Ready terminal(state_);
  terminal.type(std::string("fn h(x) {") + kEnter);
  terminal.await(kContinued);
  for (const char* line : {":ls", "help", ":quit", "?", "ls"}) {
    terminal.type(std::string(line) + kEnter);
    EXPECT_TRUE(contains(terminal.await(kContinued), "Ctrl-C drops what is open")) << line;
  }
  terminal.type(std::string("return 2 * x") + kEnter);
  terminal.await(kContinued);
  terminal.enter("}");
  EXPECT_TRUE(contains(terminal.enter("h(4)"), "= 8"));
}

TEST_F(Repl, CtrlDDropsAnOpenInputFirst) {
  Ready terminal(state_);
  terminal.type(std::string("fn h(x) {") + kEnter);
  terminal.await(kContinued);
  terminal.type(kEndOfFile);
  EXPECT_TRUE(contains(terminal.await(kPrompt), "the open input is dropped"));
  EXPECT_TRUE(contains(terminal.enter("print 3 + 4"), "7"));
  EXPECT_EQ(terminal.leave(kEndOfFile), 0);
}

TEST_F(Repl, PastedTranscriptsOfOtherProgramsAreTyped) {
  Ready terminal(state_);
  for (const auto& [pasted, answer] : std::vector<std::pair<std::string, std::string>>{
           {">>> x = 3\r\n>>> x\r\n3\r\n", "x = 3"},
           {"In [1]: y = 4\r\n\r\nIn [2]: y\r\nOut[2]: 4\r\n", "y = 4"},
           {"julia> z = 5\r\n5\r\n\r\njulia> z", "z = 5"}}) {
    terminal.type(kPasteBegin + pasted + kPasteEnd);
    const std::string shown = terminal.enter("");
    EXPECT_TRUE(contains(shown, answer)) << shown;
    EXPECT_FALSE(contains(shown, "error")) << shown;
  }
}

// As the ones of docs/session.md.
TEST_F(Repl, CommandsInAPasteRun) {
  Ready terminal(state_);
  terminal.type(std::string(kPasteBegin) +
                "shard> mesh {X: 4}; I = 64\nshard> :set estimate on\nestimate is on\n"
                "shard> A[I_X] → B[I]\nA[I_X] → B[I]\n  + AllGather_X A[I_X]\nshard> B?\n"
                "shard> :type B + B\nbf16[I]\nshard> for i in 1..2 {\n  ... print i\n  ... }" +
                kPasteEnd);
  terminal.await("print i\n}");
  const std::string shown = terminal.enter("");
  EXPECT_FALSE(contains(shown, "error")) << shown;
  for (const char* part : {"estimate is on", "bytes moved  128 B", "made in input 2: A[I_X]",
                           "bf16[I], 128 B per device", "1\n"})
    EXPECT_TRUE(contains(shown, part)) << part << shown;
  terminal.type(std::string(kPasteBegin) + ":ls\n1 + 1" + kPasteEnd);
  terminal.await("1 + 1");
  const std::string listed = terminal.enter("");
  EXPECT_TRUE(contains(listed, "sizes") && contains(listed, "1 + 1 = 2")) << listed;
  EXPECT_TRUE(contains(terminal.enter(":undo"), "taken back: 1 + 1"));
  EXPECT_TRUE(contains(terminal.enter(":undo"), "taken back: for i"));
}

// Two characters end each line. The blank lines between ended the function.
TEST_F(Repl, LinesThatTwoCharactersEndAreSingle) {
  Ready terminal(state_);
  terminal.type("fn g(x) {\r\n  return 2 * x\r\n}\r\ng(4)\r\n");
  EXPECT_TRUE(contains(terminal.await("g(4) = 8"), "g(4)"));
  terminal.await(kPrompt);
  terminal.type(std::string(kPasteBegin) + "p = 3\r\nq = 4\r\np * q\r\n" + kPasteEnd);
  terminal.await("p = 3\nq = 4\np * q");
  EXPECT_TRUE(contains(terminal.enter(""), "= 12"));
}

TEST_F(Repl, AnInterruptInAPasteIsText) {
  Ready terminal(state_);
  terminal.type(std::string(kPasteBegin) + "r = 3\x03\nr + 1\n" + kPasteEnd);
  terminal.await("r + 1");
  EXPECT_TRUE(contains(terminal.enter(""), "r + 1 = 4"));
}

// A paste without an end is left by Ctrl-C.
TEST_F(Repl, AnInterruptEndsAPasteWithoutAnEnd) {
  Ready terminal(state_);
  terminal.type(std::string(kPasteBegin) + "r = 3");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  terminal.type(kInterrupt);
  terminal.await(kPrompt);
  EXPECT_TRUE(contains(terminal.enter("print 3 + 4"), "7"));
}

// The rest of the sequence was inserted.
TEST_F(Repl, AKeyEndsASearchAndDoesWhatItDoes) {
  Ready terminal(state_);
  terminal.enter("print 30 + 4");
  const std::string kSearch = "\x12";
  const std::string kDelete = "\x1b[3~";
  terminal.type(kSearch + "3");
  terminal.await("print 30 + 4");
  terminal.type("\x1b[H");
  for (int i = 0; i < 6; ++i) terminal.type(kDelete);
  const std::string answer = terminal.enter("");
  EXPECT_TRUE(contains(answer, "30 + 4 = 34")) << answer;
  EXPECT_FALSE(contains(answer, "error")) << answer;
  terminal.type(kSearch + "3");
  terminal.await("30 + 4");
  terminal.type(std::string("\x1b[F") + kPasteBegin + "5" + kPasteEnd);
  EXPECT_TRUE(contains(terminal.enter(""), "30 + 45 = 75"));
}

// Of a line that a search had found, nothing was known to be edited.
TEST_F(Repl, WhatASearchFoundKeepsWhatWasEdited) {
  Ready terminal(state_);
  terminal.enter("y = 5");
  terminal.enter("print 10 + 1");
  terminal.enter("print 20 + 2");
  terminal.enter("x = 7");
  const std::string kSearch = "\x12";
  terminal.type(kSearch + "20");
  terminal.await("20 + 2");
  terminal.type(std::string("\x1b[F") + "5" + kUp + kDown);
  EXPECT_TRUE(contains(terminal.enter(""), "20 + 25 = 45"));
  // The key that ends the search changes the line already.
  terminal.type(kSearch + "10 + 1");
  terminal.await("10 + 1");
  terminal.type(std::string("\x1b[3~") + "3" + kUp + kDown);
  EXPECT_TRUE(contains(terminal.enter(""), "30 + 1 = 31"));
}

TEST_F(Repl, ArrowsMoveInABlockAndKeepWhatWasEdited) {
  Ready terminal(state_);
  terminal.enter("x = 11");
  terminal.type(std::string(kPasteBegin) + "y = 1\nz = 2\nprint y + z" + kPasteEnd);
  terminal.await("print y + z");
  terminal.enter("");
  // At the end of its first line.
  terminal.type(std::string(kUp) + kUp + kUp + "0" + kDown + kDown);
  EXPECT_TRUE(contains(terminal.enter(""), "y + z = 12"));
  // Beyond the first line, and back.
  terminal.type(std::string(kUp) + " + 1" + kUp + kUp + kUp + kDown);
  EXPECT_TRUE(contains(terminal.enter(""), "y + z + 1 = 13"));
  // Below what is typed there is nothing, which takes nothing away.
  terminal.type(std::string("print 8") + kDown + kUp + kDown + kDown);
  EXPECT_TRUE(contains(terminal.enter(""), "\n8\n"));
}

TEST_F(Repl, KeysWithoutAMeaningInsertNothing) {
  Ready terminal(state_);
  for (const char* key : {"\x1b[5~", "\x1b[6~", "\x1b[2~", "\x1bOP", "\x1b[15~", "\x1b[24~",
                          "\x1b[1;2P", "\x1b[1;5A", "\x1b[5;5~"})
    terminal.type(key);
  const std::string answer = terminal.enter("print 3 + 4");
  EXPECT_TRUE(contains(answer, "shard> ") && contains(answer, "7")) << answer;
  EXPECT_FALSE(contains(answer, "error")) << answer;
}

}  // namespace
}  // namespace shard::repl_test
