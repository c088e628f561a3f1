// The session at a terminal: the command runs behind a pseudo-terminal and is typed to.
//   repl_test SHARD
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "tests/interpreter/driver/terminal.h"

namespace shard::repl_test {
namespace {

namespace fs = std::filesystem;
using namespace testing;  // NOLINT(google-build-using-namespace): keys, prompts, the terminal

class Repl : public ::testing::Test {
 protected:
  Repl() {
    std::string pattern = (fs::temp_directory_path() / "shard_repl_test_XXXXXX").string();
    if (const char* made = mkdtemp(pattern.data())) state_ = made;
  }
  ~Repl() override {
    std::error_code ignored;
    fs::remove_all(state_, ignored);
  }
  fs::path state_;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Repl, GreetsAndPrompts) {
  Terminal terminal(state_);
  const std::string greeting = terminal.await(kPrompt);
  EXPECT_TRUE(contains(greeting, "Shard 0.1.0")) << greeting;
  EXPECT_TRUE(contains(greeting, ":help")) << greeting;
}

TEST_F(Repl, AnswersAndRemembers) {
  Terminal terminal(state_);
  terminal.await(kPrompt);
  terminal.enter("B = 512");
  const std::string answer = terminal.enter("2*B");
  EXPECT_TRUE(contains(answer, "1,024")) << answer;
}

TEST_F(Repl, CtrlDLeavesWithStatusZero) {
  Terminal terminal(state_);
  terminal.await(kPrompt);
  EXPECT_EQ(terminal.leave(kEndOfFile), 0);
}

TEST_F(Repl, QuitLeavesWithStatusZero) {
  Terminal terminal(state_);
  terminal.await(kPrompt);
  EXPECT_EQ(terminal.leave(std::string(":quit") + kEnter), 0);
}

TEST_F(Repl, CtrlCDropsTheLineAndStays) {
  Terminal terminal(state_);
  terminal.await(kPrompt);
  terminal.type("print Nonsense");
  terminal.await("Nonsense");
  terminal.type(kInterrupt);
  terminal.await(kPrompt);
  const std::string answer = terminal.enter("print 3 + 4");
  EXPECT_TRUE(contains(answer, "7")) << answer;
  EXPECT_FALSE(contains(answer, "error")) << answer;
}

TEST_F(Repl, CtrlCDropsAnOpenInput) {
  Terminal terminal(state_);
  terminal.await(kPrompt);
  terminal.type(std::string("A[I,") + kEnter);
  terminal.await(kContinued);
  terminal.type(kInterrupt);
  terminal.await(kPrompt);
  const std::string answer = terminal.enter("print 3 + 4");
  EXPECT_TRUE(contains(answer, "7")) << answer;
  EXPECT_FALSE(contains(answer, "error")) << answer;
}

// What a stopped figure left behind was taken for its value, and the session kept half of the input.
TEST_F(Repl, CtrlCStopsALongLoopAndALongFigure) {
  Terminal terminal(state_);
  terminal.await(kPrompt);
  terminal.enter("mesh {X: 2}");
  const std::string kBlock = "cost { AllGather_X A[I_X, J] → A[I, J] }.time";
  for (const std::string& input :
       {std::string("q = 3; for i in 0..300 { for k in 1..300 { I = 2*k; J = 300*i + k; t = ") +
            kBlock + " } }",
        "q = 3; fn f(n, J) { if n = 0 { I = 2; return " + kBlock +
            " / 1 us } return f(n - 1, 2*J) + f(n - 1, 2*J + 1) }; print f(40, 1)"}) {
    terminal.type(input + kEnter);
    terminal.await("q = 3");
    terminal.await("\n");
    // The break of line is drawn before the line editor hands the line over; until then Ctrl-C drops a line.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    terminal.type(kInterrupt);
    const std::string stopped = terminal.await(kPrompt);
    EXPECT_TRUE(contains(stopped, "stopped: the session is as it was before")) << stopped;
    EXPECT_FALSE(contains(stopped, "error")) << stopped;
    const std::string answer = terminal.enter("print 3 + 4, q");
    EXPECT_TRUE(contains(answer, "[UnknownName]")) << answer;
  }
}

TEST_F(Repl, AnOpenBracketContinues) {
  Terminal terminal(state_);
  terminal.await(kPrompt);
  terminal.type(std::string("print (2 +") + kEnter);
  terminal.await(kContinued);
  const std::string answer = terminal.enter("40)");
  EXPECT_TRUE(contains(answer, "42")) << answer;
}

TEST_F(Repl, ABlankLineEndsAnOpenInput) {
  Terminal terminal(state_);
  terminal.await(kPrompt);
  terminal.type(std::string("print (2 +") + kEnter);
  terminal.await(kContinued);
  const std::string answer = terminal.enter("");
  EXPECT_TRUE(contains(answer, "error")) << answer;
}

TEST_F(Repl, TabCompletesAKeyword) {
  Terminal terminal(state_);
  terminal.await(kPrompt);
  terminal.type(std::string("hardw") + kTab);
  terminal.await("hardware ");
  const std::string answer = terminal.enter("TPUv5p 4x4x4");
  EXPECT_FALSE(contains(answer, "error")) << answer;
}

TEST_F(Repl, TabCompletesANameOfTheSession) {
  Terminal terminal(state_);
  terminal.await(kPrompt);
  terminal.enter("Batch = 512");
  terminal.type(std::string("print 2*Bat") + kTab);
  terminal.await("2*Batch");
  const std::string answer = terminal.enter("");
  EXPECT_TRUE(contains(answer, "1,024")) << answer;
}

TEST_F(Repl, ABlockGoesOnOverSeveralLinesAndComesBackAsItWas) {
  Terminal terminal(state_);
  terminal.await(kPrompt);
  terminal.type("fn area(a, b) {\n");
  terminal.await(kContinued);
  terminal.type("  c = a * b  # a remark\n");
  terminal.await(kContinued);
  terminal.type("  return c\n");
  terminal.await(kContinued);
  terminal.enter("}");
  const std::string answer = terminal.enter("print area(3, 5)");
  EXPECT_TRUE(contains(answer, "area(3, 5) = 15")) << answer;
  terminal.type(std::string(kUp) + kUp);
  terminal.await("fn area(a, b) {\n");
  terminal.await("  c = a * b  # a remark\n");
  terminal.await("}");
  const std::string again = terminal.enter("");
  EXPECT_FALSE(contains(again, "error")) << again;
}

TEST_F(Repl, TabListsWhatMayBeMeant) {
  Terminal terminal(state_);
  terminal.await(kPrompt);
  terminal.type(std::string(":help co") + kTab);
  terminal.await("collectives  cost");
}

TEST_F(Repl, HelpShowsStatements) {
  Terminal terminal(state_);
  terminal.await(kPrompt);
  const std::string all = terminal.enter(":help");
  EXPECT_TRUE(contains(all, "hardware")) << all;
  EXPECT_TRUE(contains(all, "expect")) << all;
  const std::string one = terminal.enter(":help AxisReused");
  EXPECT_TRUE(contains(one, "an axis is used twice in one layout")) << one;
  const std::string slip = terminal.enter(":help AxisReusd");
  EXPECT_TRUE(contains(slip, "did you mean `AxisReused`?")) << slip;
}

TEST_F(Repl, AnErrorLeavesTheSessionAsItWas) {
  Terminal terminal(state_);
  terminal.await(kPrompt);
  terminal.enter("B = 512");
  const std::string wrong = terminal.enter("B = 3; print Q");
  EXPECT_TRUE(contains(wrong, "[UnknownName]")) << wrong;
  const std::string answer = terminal.enter("print B");
  EXPECT_TRUE(contains(answer, "512")) << answer;
}

// It was "a bug of Shard": the parameter was taken for an input of its own.
TEST_F(Repl, AFunctionTakesAnArray) {
  Terminal terminal(state_);
  terminal.await(kPrompt);
  terminal.enter("I = 8");
  terminal.enter("fn f(x[i]) { return x + x }");
  const std::string answer = terminal.enter("D[I] = f(A[I])");
  EXPECT_TRUE(contains(answer, "D           within bf16 rounding")) << answer;
}

// Calls times the blocks around them ran over the stack, and the session was gone.
TEST_F(Repl, SurvivesWhatIsTooDeep) {
  std::string blocks = "fn f(n) { ";
  for (int i = 0; i < 70; ++i) blocks += "for i in 0..1 { ";
  blocks += "if n > 0 { return f(n - 1) }";
  for (int i = 0; i < 70; ++i) blocks += " }";
  Terminal terminal(state_);
  terminal.await(kPrompt);
  terminal.enter("B = 512");
  terminal.enter(blocks + "; return 1 }");
  const std::string deep = terminal.enter("print f(62)");
  EXPECT_TRUE(contains(deep, "[TooMuchRecursion]")) << deep;
  const std::string answer = terminal.enter("print B, f(3)");
  EXPECT_TRUE(contains(answer, "f(3) = 1")) << answer;
}

TEST_F(Repl, HistoryIsKeptBetweenSessions) {
  {
    Terminal terminal(state_);
    terminal.await(kPrompt);
    terminal.enter("print 1000 + 234");
    EXPECT_EQ(terminal.leave(kEndOfFile), 0);
  }
  EXPECT_TRUE(fs::exists(state_ / "shard" / "history"));
  Terminal terminal(state_);
  terminal.await(kPrompt);
  terminal.type(kUp);
  terminal.await("print 1000 + 234");
  const std::string answer = terminal.enter("");
  EXPECT_TRUE(contains(answer, "1,234")) << answer;
}

TEST_F(Repl, HistoryHoldsWhatWasTypedLast) {
  Terminal terminal(state_);
  terminal.await(kPrompt);
  terminal.enter("print 5*3");
  terminal.enter("print 4*7");
  // Only what differs between two lines is drawn anew, so the answer tells which one it is.
  terminal.type(std::string(kUp) + kUp);
  const std::string answer = terminal.enter("");
  EXPECT_TRUE(contains(answer, "= 15")) << answer;
}

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
  Terminal terminal(state_);
  terminal.await(kPrompt);
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
  Terminal terminal(state_);
  terminal.await(kPrompt);
  terminal.enter("print 6*7");
  EXPECT_TRUE(contains(terminal.enter("_ + 1"), "= 43"));
  EXPECT_TRUE(contains(terminal.enter("2*_"), "= 86"));
  EXPECT_TRUE(contains(terminal.enter("ans/2"), "= 43"));
}

TEST_F(Repl, CommandsShowWhatALineWouldGiveAndCost) {
  Terminal terminal(state_);
  terminal.await(kPrompt);
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
  Terminal terminal(state_);
  terminal.await(kPrompt);
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
  EXPECT_TRUE(contains(terminal.enter(":set threads 0"), "it takes N or auto"));
  EXPECT_TRUE(contains(terminal.enter(":set modle book"), "did you mean `model`?"));
  EXPECT_TRUE(contains(terminal.enter(":set"), "threads   2"));
}

TEST_F(Repl, ASavedSessionRunsAsAScript) {
  const fs::path saved = state_ / "saved.shard";
  {
    Terminal terminal(state_);
    terminal.await(kPrompt);
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

TEST_F(Repl, UndoTakesBackStepByStepAndResetAsAWhole) {
  Terminal terminal(state_);
  terminal.await(kPrompt);
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
  Terminal terminal(state_);
  terminal.await(kPrompt);
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
  Terminal terminal(state_);
  terminal.await(kPrompt);
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
  Terminal without(state_);
  without.await(kPrompt);
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
  Terminal terminal(state_);
  terminal.await(kPrompt);
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
  std::string typed;
  std::string answer;
};

// Of IPython, Julia, psql and the shell.
TEST_F(Repl, HabitsOfOtherProgramsAreServedOrAnswered) {
  const std::vector<TypedHabit> kHabits = {
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
  Terminal terminal(state_);
  terminal.await(kPrompt);
  terminal.enter("mesh {X: 2}; I = 8");
  terminal.enter("A[I_X] → B[I]");
  for (const TypedHabit& habit : kHabits) {
    const std::string answer = terminal.enter(habit.typed);
    EXPECT_TRUE(contains(answer, habit.answer)) << habit.typed << ": " << answer;
    EXPECT_FALSE(contains(answer, "error:")) << habit.typed << ": " << answer;
  }
  // Names of the session come first.
  terminal.enter("ls = 3");
  EXPECT_TRUE(contains(terminal.enter("ls"), "ls = 3"));
  for (const std::string leaving : {"exit()", "quit()", "\\q", ":q"}) {
    Terminal one(state_);
    one.await(kPrompt);
    EXPECT_EQ(one.leave(leaving + kEnter), 0) << leaving;
  }
}

TEST_F(Repl, LongWorkTellsHowLongItHasTaken) {
  Terminal terminal(state_);
  terminal.await(kPrompt);
  terminal.enter("mesh {X: 2}");
  terminal.type(
      std::string("q = 3; fn f(n, J) { if n = 0 { I = 2; return cost { AllGather_X A[I_X, J] "
                  "→ A[I, J] }.time / 1 us } return f(n - 1, 2*J) + f(n - 1, 2*J + 1) }; "
                  "print f(40, 1)") +
      kEnter);
  terminal.await("2 s; Ctrl-C stops it");
  terminal.type(kInterrupt);
  EXPECT_TRUE(contains(terminal.await(kPrompt), "stopped: the session is as it was before"));
}

struct LongRun {
  std::string text;
  std::vector<std::string> flags;
};

// Each of these would go on for longer than the time limit.
TEST_F(Repl, CtrlCEndsARunWithStatusThree) {
  const std::string kGathers =
      "mesh {X: 8, Y: 8}\nI = 4096, J = 4096\nA: fp32[I_X, J_Y]\nfor n in 0..4000 { AllGather_{XY} "
      "A[I_X, J_Y] → G[I, J]; G[I, J] → A[I_X, J_Y] }\n";
  const std::string kSends =
      "mesh {X: 16}\nI = 8192, J = 1024\nA: fp32[I_X, J]\n"
      "for n in 0..4000 { Shift_X A[I_X, J] → A[I_X, J] }\n";
  // The ways of each product, none of which is like another, are planned anew.
  const std::string kFigure =
      "mesh {X: 2, Y: 2, Z: 2}\nI = 64, K = 64\nfn f(n, J) { if n = 0 { return cost { A[I_X, J_Y] "
      "·_J "
      "B[J_Z, K_X] → C[I_Y, K_Z] }.time / 1 us } return f(n - 1, 2*J) + f(n - 1, 2*J + 8) }\n"
      "print f(40, 8)\n";
  // One statement, with more ways to compute it than are looked at within seconds.
  const std::string kChain =
      "mesh {X: 2, Y: 2, Z: 2, U: 2, V: 2, W: 2}\nI = 64, J = 64, K = 64, L = 64, M = 64, N = 64\n"
      "R[I, N] = A[I_{XY}, J_{ZU}] · B[J_{VW}, K_{XY}] · C[K_{ZU}, L_{VW}] · D[L_{XZ}, M_{YU}] · "
      "E[M_{VX}, N_{WY}]\n";
  std::string gathers = "mesh {X: 8}\nI = 64, J = 64\n";  // most of the time goes into the report
  for (int i = 0; i < 150'000; ++i)
    gathers += "A" + std::to_string(i) + "[I_X, J] → B" + std::to_string(i) + "[I, J]\n";
  const std::vector<LongRun> kRuns = {
      {kGathers, {}},
      {kGathers, {"--hops"}},
      {kGathers, {"--verify"}},
      {kGathers, {"--per-device"}},
      {kGathers, {"--model", "links"}},
      {kSends, {"--hops"}},
      {kFigure, {}},
      {kChain, {"--estimate"}},
      {gathers, {"--estimate", "--json"}},
  };
  const fs::path script = state_ / "long.shard";
  for (const LongRun& run : kRuns) {
    std::ofstream(script) << run.text;
    std::vector<std::string> arguments = {"run"};
    arguments.insert(arguments.end(), run.flags.begin(), run.flags.end());
    arguments.push_back(script.string());
    Terminal terminal(state_, arguments);
    // What it says stands there at its end.
    std::this_thread::sleep_for(std::chrono::seconds(1));
    EXPECT_EQ(terminal.leave(kInterrupt), 3) << run.text << terminal.rest();
    EXPECT_TRUE(contains(terminal.rest(), "stopped before")) << terminal.rest();
    EXPECT_FALSE(contains(terminal.rest(), "error")) << terminal.rest();
  }
}

TEST_F(Repl, StartsWithoutAFolderForItsHistory) {
  std::ofstream(state_ / "file") << "in the way";
  Terminal terminal(state_ / "file");
  terminal.await(kPrompt);
  EXPECT_TRUE(contains(terminal.enter("print 3 + 4"), "7"));
  EXPECT_EQ(terminal.leave(kEndOfFile), 0);
}

}  // namespace
}  // namespace shard::repl_test

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (argc != 2) return 2;
  shard::testing::shard_path = argv[1];
  return RUN_ALL_TESTS();
}
