// What a person types in a session besides statements: commands, keys, pastes, habits of other programs; and what becomes of it when
// the window closes.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/interpreter/driver/repl.h"

namespace shard::repl_test {
namespace {

TEST_F(Repl, TheBannerTeachesTheFirstThings) {
  Terminal terminal(state_);
  const std::string banner = terminal.await(kPrompt);
  EXPECT_TRUE(contains(banner, "mesh {X: 4}; I = 64, J = 64, K = 64")) << banner;
  // What it says runs as it stands.
  terminal.enter("mesh {X: 4}; I = 64, J = 64, K = 64");
  const std::string product = terminal.enter("A[I, J_X] · B[J_X, K] → C[I, K]");
  EXPECT_TRUE(contains(product, "AllReduce_X")) << product;
  const std::string listed = terminal.enter(":ls");
  EXPECT_TRUE(contains(listed, "C: bf16[I, K]      8.192 kB  computed")) << listed;
  EXPECT_TRUE(contains(terminal.enter("C?"), "made in input 2")) << terminal.rest();
  EXPECT_TRUE(contains(terminal.enter(":undo"), "taken back: A[I, J_X]"));
  EXPECT_TRUE(contains(terminal.enter(":ls"), "no arrays"));
}

TEST_F(Repl, TabGivesSigns) {
  Ready terminal(state_);
  terminal.type(std::string("A[I] \\cdot") + kTab);
  terminal.await("·");
  terminal.type(std::string(" B[I, J] \\to") + kTab);
  terminal.await("→");
  const std::string answer = terminal.enter(" C[J]");
  EXPECT_TRUE(contains(answer, "C[J]")) << answer;
  EXPECT_FALSE(contains(answer, "error")) << answer;
  terminal.type(std::string("\\alph") + kTab);
  terminal.await("α");
  EXPECT_FALSE(contains(terminal.enter(" = 3"), "error"));
  EXPECT_TRUE(contains(terminal.enter("α + 1"), "= 4"));
}

TEST_F(Repl, TheLastValueIsUnderscore) {
  Ready terminal(state_);
  terminal.enter("print 6*7");
  EXPECT_TRUE(contains(terminal.enter("_ + 1"), "= 43"));
  EXPECT_TRUE(contains(terminal.enter("2*_"), "= 86"));
  EXPECT_TRUE(contains(terminal.enter("ans/2"), "= 43"));
}

TEST_F(Repl, CommandsShowWhatALineWouldGiveAndCost) {
  Ready terminal(state_);
  terminal.enter("hardware TPUv5e 4x2; mesh {X: 4, Y: 2}; I = 64, J = 64, K = 64");
  EXPECT_TRUE(contains(terminal.enter(":type A[I, J_X] · B[J_X, K]"), "bf16["));
  EXPECT_TRUE(contains(terminal.enter(":type 23 us"), "seconds, 23.00 us"));
  const std::string cost = terminal.enter(":cost A[I, J_X] · B[J_X, K] → C[I, K]");
  EXPECT_TRUE(contains(cost, "AllReduce_X C")) << cost;
  EXPECT_FALSE(contains(cost, "rounding")) << cost;
  EXPECT_TRUE(contains(terminal.enter(":ls"), "no arrays"));
  EXPECT_TRUE(contains(terminal.enter(":why A[I, J_X] · B[J_X, K] → C[I, K]"), "1. chosen"));
  EXPECT_TRUE(contains(terminal.enter(":show A[I, J_X]"), "each device holds [64, 16]"));
  EXPECT_TRUE(contains(terminal.enter(":cost"), "nothing was planned"));
  terminal.enter("A[I, J_X] · B[J_X, K] → C[I, K]");
  EXPECT_TRUE(contains(terminal.enter(":cost"), "total per device"));
  EXPECT_TRUE(contains(terminal.enter(":time 3 + 4"), "took "));
  EXPECT_TRUE(contains(terminal.enter(":history"), "A[I, J_X] · B[J_X, K] → C[I, K]"));
}

TEST_F(Repl, SettingsHoldFromThenOn) {
  Ready terminal(state_);
  terminal.enter("hardware TPUv5e 4x4; mesh {X: 4, Y: 4}; I = 64, J = 64");
  terminal.enter("AllGather_X A[I_X, J] → A[I, J]");
  EXPECT_TRUE(contains(terminal.enter(":set model links"), "model is links"));
  EXPECT_TRUE(contains(terminal.enter(":ls"), "model links"));
  EXPECT_TRUE(contains(terminal.enter(":set estimate on"), "estimate is on"));
  EXPECT_FALSE(contains(terminal.enter("A[I, J] → B[I_X, J]"), "rounding"));
  EXPECT_TRUE(contains(terminal.enter(":set estimate off"), "estimate is off"));
  EXPECT_TRUE(contains(terminal.enter(":set verify off"), "verify is off"));
  const std::string silent = terminal.enter("A[I, J] → D[I_X, J]");
  EXPECT_FALSE(contains(silent, "rounding")) << silent;
  EXPECT_TRUE(contains(terminal.enter(":set threads 2"), "threads is 2"));
  EXPECT_TRUE(
      contains(terminal.enter(":set threads 0"), "it takes a number from 1 to 1024 or auto"));
  EXPECT_TRUE(contains(terminal.enter(":set modle book"), "did you mean `model`?"));
  EXPECT_TRUE(contains(terminal.enter(":set"), "threads   2"));
}

TEST_F(Repl, ASavedSessionRunsAsAScript) {
  const fs::path saved = state_ / "saved.shard";
  {
    Ready terminal(state_);
    terminal.enter("mesh {X: 4}; I = 32, J = 64");
    terminal.enter("fn twice(a) { return 2 * a } # as it was");
    terminal.enter("I = 64");
    terminal.enter("fn twice(a) { return a + a }");
    terminal.enter("twice(I)");
    terminal.enter("_ + 1");
    terminal.enter("AllGather_X A[I_X, J] → A[I, J]");
    terminal.enter("print Nonsense");
    EXPECT_TRUE(contains(terminal.enter(":save " + saved.string()), "it runs with shard run"));
    std::ofstream(state_ / "other.shard") << "print 1\n";
    EXPECT_TRUE(contains(terminal.enter(":save " + (state_ / "other.shard").string()), "`:save! "));
  }
  Terminal run(state_, {"run", saved.string()});
  EXPECT_EQ(run.leave(""), 0) << run.rest();
  EXPECT_TRUE(contains(run.rest(), "= 129")) << run.rest();
  EXPECT_TRUE(contains(run.rest(), "AllGather_X A[I_X, J] → A[I, J]")) << run.rest();
  Terminal session(state_, {"-i", saved.string(), "--model", "links"});
  EXPECT_TRUE(contains(session.await(kPrompt), "= 129"));
  EXPECT_TRUE(contains(session.enter(":ls"), "A: bf16[I_X, J]"));
  EXPECT_TRUE(contains(session.enter(":set model"), "model is links"));
  EXPECT_TRUE(contains(session.enter(":reset"), "begun anew"));
  EXPECT_TRUE(contains(session.enter(":load " + saved.string()), "= 129"));
  EXPECT_TRUE(contains(session.enter(":load nowhere.shard"), "nowhere.shard"));
}

TEST_F(Repl, ArraysAndCostBlocksArePrintedOnALineOfTheirOwn) {
  Ready terminal(state_);
  terminal.enter("mesh {X: 2}; I = 4");
  terminal.enter("A: fp32[I_X] = 2 ⊙ iota_I");
  EXPECT_TRUE(contains(terminal.enter("print A"), "0  2  4  6"));
  EXPECT_TRUE(contains(terminal.enter("print sum_I(A)"), "sum_I(A): fp32[] = 12"));
  terminal.enter("c = cost { A[I_X] → B[I] }");
  EXPECT_TRUE(contains(terminal.enter("c"), "what collectives move"));
  EXPECT_TRUE(contains(terminal.enter("why c"), "AllGather_X A[I_X]"));
}

TEST_F(Repl, UndoTakesBackStepByStepAndResetAsAWhole) {
  Ready terminal(state_);
  terminal.enter("mesh {X: 2}; I = 8");
  terminal.enter("A[I_X] → B[I]");
  terminal.enter("B + B → D[I]");
  terminal.enter(":undo");
  EXPECT_TRUE(contains(terminal.enter("D"), "[UnknownName]"));
  // Ids are given anew: it must not be taken for what was taken back.
  EXPECT_TRUE(contains(terminal.enter("B ⊙ B → E[I]"), "E           within bf16 rounding"));
  EXPECT_TRUE(contains(terminal.enter("E + B → F[I]"), "F           within bf16 rounding"));
  terminal.enter(":reset");
  EXPECT_TRUE(contains(terminal.enter(":ls"), "no arrays"));
  terminal.enter(":undo");
  EXPECT_TRUE(contains(terminal.enter("F"), "F: bf16"));
  for (int i = 0; i < 5; ++i) terminal.enter(":undo");
  EXPECT_TRUE(contains(terminal.enter(":undo"), "no input to take back"));
}

TEST_F(Repl, APasteIsOneInputAndLeavesOutPrompts) {
  Ready terminal(state_);
  const std::string begin = "\x1b[200~";
  const std::string end = "\x1b[201~";
  terminal.type(begin + "B = 512\r\nD = 4 # a remark\nB * D\n" + end);
  terminal.await("B * D");
  EXPECT_TRUE(contains(terminal.enter(""), "= 2,048"));
  terminal.type(kUp);
  terminal.await("D = 4 # a remark\n");
  EXPECT_TRUE(contains(terminal.enter(""), "= 2,048"));
  terminal.type(begin + "shard> x = 3\nanswered\nshard> print (x +\n  ... 1)\n" + end);
  terminal.await("1)");
  EXPECT_TRUE(contains(terminal.enter(""), "= 4"));
}

TEST_F(Repl, AnswersAreAsWideAsTheWindow) {
  Terminal terminal(state_, {}, {.columns = 100});
  terminal.await(kPrompt);
  terminal.enter("hardware TPUv5e 4x2; mesh {X: 4, Y: 2}; B = 1024, D = 4096, F = 8192");
  const auto widest = [](const std::string& text) {
    std::size_t most = 0;
    std::size_t columns = 0;
    for (const char c : text) {
      columns = c == '\n' ? 0 : columns + ((c & 0xc0) != 0x80 ? 1 : 0);
      most = std::max(most, columns);
    }
    return most;
  };
  const std::string kProduct = "In[B_X, D] · Win[D, F_Y] → Tmp[B_X, F_Y]";
  EXPECT_GT(widest(terminal.enter(kProduct)), 80U);
  terminal.resize(80);
  EXPECT_LE(widest(terminal.enter(kProduct)), 80U);
}

TEST_F(Repl, SaysWhatALineWouldGiveWhileNobodyTypes) {
  Ready terminal(state_);
  terminal.enter("hardware TPUv5e 4x2; mesh {X: 4, Y: 2}; I = 64, J = 64, K = 64");
  terminal.type("A[I, J_X] · B[J_X, K] → C[I, K]");
  terminal.await("→ bf16[I, K] +AllReduce_X");
  terminal.enter("");
  terminal.enter(":set hints off");
  terminal.type("print 3*5");
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_FALSE(contains(terminal.rest(), "15")) << terminal.rest();
}

TEST_F(Repl, ColoursAreForThoseWhoWantThem) {
  const std::string kBold = "\x1b[1m";
  Terminal with(state_, {}, {.colour = true});
  with.await(kPrompt);
  with.enter("mesh {X: 2}; I = 8");
  with.enter("A[I_X] → B[I]");
  EXPECT_TRUE(contains(with.bytes(), kBold));
  EXPECT_TRUE(contains(with.bytes(), "\x1b[32m"));
  Ready without(state_);
  without.enter("mesh {X: 2}; I = 8");
  without.enter("A[I_X] → B[I]");
  EXPECT_FALSE(contains(without.bytes(), kBold));
  EXPECT_FALSE(contains(without.bytes(), "\x1b[32m"));
}

TEST_F(Repl, HistorySurvivesAClosedWindowAndTwoSessions) {
  {
    Terminal one(state_);
    Terminal two(state_);
    one.await(kPrompt);
    two.await(kPrompt);
    one.enter("print 1 + 10");
    two.enter("print 2 + 20");
    one.enter("print 3 + 30");
    one.type("print 4 + 40");
    one.await("40");
    one.hang_up();
    two.hang_up();
  }
  std::ifstream file(state_ / "shard" / "history");
  const std::string kept((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_EQ(kept,
            "_HiStOrY_V2_\nprint\\0401\\040+\\04010\nprint\\0402\\040+\\04020\nprint\\0403\\040+"
            "\\04030\nprint\\0404\\040+\\04040\n");
  Ready terminal(state_);
  terminal.type(std::string(kUp) + kUp + kUp);
  EXPECT_TRUE(contains(terminal.enter(""), "= 22"));
}

// A pipe made it wait for ever, and what a device was given was lost.
TEST_F(Repl, APipeOrADeviceIsNoHistory) {
  fs::create_directories(state_ / "shard");
  ASSERT_EQ(mkfifo((state_ / "shard" / "history").c_str(), 0600), 0);
  {
    Terminal terminal(state_);
    EXPECT_TRUE(contains(terminal.await(kPrompt), "no regular file, so no history is kept"));
    EXPECT_TRUE(contains(terminal.enter("print 3 + 4"), "7"));
    EXPECT_EQ(terminal.leave(kEndOfFile), 0);
  }
  fs::remove(state_ / "shard" / "history");
  fs::create_symlink("/dev/null", state_ / "shard" / "history");
  Terminal terminal(state_);
  EXPECT_TRUE(contains(terminal.await(kPrompt), "no regular file, so no history is kept"));
  EXPECT_EQ(terminal.leave(kEndOfFile), 0);
}

struct TypedHabit {
  std::string_view typed;
  std::string_view answer;
};

// Of IPython, Julia, psql and the shell.
constexpr TypedHabit kHabits[] = {
    {"help", "`:help` lists"},
    {"ls", "`:ls` lists"},
    {"quit", "`:quit` or Ctrl-D leaves"},
    {"exit", "`:quit` or Ctrl-D leaves"},
    {"who", "`:ls` lists"},
    {"clear", "Ctrl-L clears the screen"},
    {"history", "`:history`"},
    {"\\d", "A: bf16[I_X]"},
    {"\\d A", "A: bf16[I_X]"},
    {"\\dt", "A: bf16[I_X]"},
    {"%whos", "A: bf16[I_X]"},
    {"whos()", "A: bf16[I_X]"},
    {"?A", "A: bf16[I_X]"},
    {"A?", "A: bf16[I_X]"},
    {"help(A)", "A: bf16[I_X]"},
    {"help softmax", "softmax_J(A)"},
    {"?AllGather", "AllGather_X"},
    {"?AllGathr", "did you mean `AllGather`?"},
    {"__", "`_` is the last value"},
    {"mesh?", "mesh {X"},
    {":undo?", "takes the last input back"},
    {"typeof(A)", "A: bf16"},
    {"A.shape", "A: bf16"},
    {"%time 3 + 4", "took "},
    {"@time 3 + 4", "took "},
    {"\\timing", "`:time LINE`"},
    {"2*I;", "= 16"},
    {"@show I", "I = 8"},
    {"println(I)", "I = 8"},
    {"!ls", "this is no shell"},
    {"%pwd", "this is no shell"},
    {"]add Foo", "nothing to install"},
    {"%foo", "there are no magics"},
    {"\\i nowhere.shard", "nowhere.shard"},
    {"%run nowhere.shard", "nowhere.shard"},
    {"set model links", "model is links"},
    {"\\e", "Up brings a block back"},
    {":lz", "did you mean `:ls`?"},
    {":h colectives", "did you mean `collectives`?"},
    {"del A", "here it is written `drop A`"},
};

TEST_F(Repl, HabitsOfOtherProgramsAreServedOrAnswered) {
  Ready terminal(state_);
  terminal.enter("mesh {X: 2}; I = 8");
  terminal.enter("A[I_X] → B[I]");
  for (const TypedHabit& habit : kHabits) {
    const std::string answer = terminal.enter(std::string(habit.typed));
    EXPECT_TRUE(contains(answer, std::string(habit.answer))) << habit.typed << ": " << answer;
    EXPECT_FALSE(contains(answer, "error:")) << habit.typed << ": " << answer;
  }
  // Names of the session come first.
  terminal.enter("ls = 3");
  EXPECT_TRUE(contains(terminal.enter("ls"), "ls = 3"));
  for (const std::string leaving : {"exit()", "quit()", "\\q", ":q"}) {
    Ready one(state_);
    EXPECT_EQ(one.leave(leaving + kEnter), 0) << leaving;
  }
}

TEST_F(Repl, LongWorkTellsHowLongItHasTaken) {
  Ready terminal(state_);
  terminal.enter("mesh {X: 2}");
  // Products of 4·10^13 FLOPs, many seconds on any computer.
  terminal.enter(":set flops 1e15");
  terminal.enter(":set memory 8 GB");
  terminal.enter(":set verify off");
  terminal.type(std::string("I = 1024, J = 65536, K = 1024; "
                            "for i in 0..300 { A[I_X, J] · B[J, K] → C[I_X, K] }") +
                kEnter);
  terminal.await("2 s; Ctrl-C stops it");
  terminal.type(kInterrupt);
  EXPECT_TRUE(contains(terminal.await(kPrompt), "stopped: the session is as it was before"));
}

}  // namespace
}  // namespace shard::repl_test
