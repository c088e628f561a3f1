// The session at a terminal: the command runs behind a pseudo-terminal and is typed to.
//   repl_test SHARD
#include "tests/interpreter/driver/repl.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace shard::repl_test {
namespace {

TEST_F(Repl, GreetsAndPrompts) {
  Terminal terminal(state_);
  const std::string greeting = terminal.await(kPrompt);
  EXPECT_TRUE(contains(greeting, "Shard 0.1.0")) << greeting;
  EXPECT_TRUE(contains(greeting, ":help")) << greeting;
}

TEST_F(Repl, AnswersAndRemembers) {
  Ready terminal(state_);
  terminal.enter("B = 512");
  const std::string answer = terminal.enter("2*B");
  EXPECT_TRUE(contains(answer, "1,024")) << answer;
}

TEST_F(Repl, CtrlDLeavesWithStatusZero) {
  Ready terminal(state_);
  EXPECT_EQ(terminal.leave(kEndOfFile), 0);
}

TEST_F(Repl, QuitLeavesWithStatusZero) {
  Ready terminal(state_);
  EXPECT_EQ(terminal.leave(std::string(":quit") + kEnter), 0);
}

TEST_F(Repl, CtrlCDropsTheLineAndStays) {
  Ready terminal(state_);
  terminal.type("print Nonsense");
  terminal.await("Nonsense");
  terminal.type(kInterrupt);
  terminal.await(kPrompt);
  const std::string answer = terminal.enter("print 3 + 4");
  EXPECT_TRUE(contains(answer, "7")) << answer;
  EXPECT_FALSE(contains(answer, "error")) << answer;
}

TEST_F(Repl, CtrlCDropsAnOpenInput) {
  Ready terminal(state_);
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
  Ready terminal(state_);
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

// One statement that would take minutes to plan, and a search over layouts with as long to take.
TEST_F(Repl, CtrlCStopsASearchForPlansAndForLayouts) {
  Terminal terminal(state_, {"--plan-time", "10000"});
  terminal.await(kPrompt);
  terminal.enter(
      "hardware TPUv5p; mesh {X: 2, Y: 2, Z: 2, U: 2, V: 2, W: 2}; B = 512, D = 4096, F = 16384");
  const std::string chains =
      "for n in 1..2000 { c = cost { I = 64 * n; J = 64; K = 64; A[I_{XY}, J_{ZU}] · "
      "B[J_{VW}, K_{XY}] · C[K_{ZU}, J_{VW}] → E[I, J_W] }; print c.time }";
  std::string layers;
  for (int i = 0; i < 12; ++i) {
    const std::string a = std::to_string(i);
    const std::string b = std::to_string(i + 1);
    layers += "H" + a + "[B_?, D_?] ·_D P" + a + "[D_?, F_?] → K" + a + "[B_?, F_?]; K" + a +
              "[B_?, F_?] ·_F Q" + a + "[F_?, D_?] → H" + b + "[B_?, D_?]; ";
  }
  for (const std::string& input :
       {"q = 3; plan cheapest; " + chains, "q = 3; best 3 { " + layers + "}"}) {
    terminal.type(input + kEnter);
    terminal.await("q = 3");
    terminal.await("\n");
    std::this_thread::sleep_for(std::chrono::milliseconds(1000));
    const auto asked = std::chrono::steady_clock::now();
    terminal.type(kInterrupt);
    const std::string stopped = terminal.await(kPrompt);
    EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(2));
    EXPECT_TRUE(contains(stopped, "stopped: the session is as it was before")) << stopped;
    const std::string answer = terminal.enter("print 3 + 4, q");
    EXPECT_TRUE(contains(answer, "[UnknownName]")) << answer;
  }
}

TEST_F(Repl, AnOpenBracketContinues) {
  Ready terminal(state_);
  terminal.type(std::string("print (2 +") + kEnter);
  terminal.await(kContinued);
  const std::string answer = terminal.enter("40)");
  EXPECT_TRUE(contains(answer, "42")) << answer;
}

TEST_F(Repl, ABlankLineEndsAnOpenInput) {
  Ready terminal(state_);
  terminal.type(std::string("print (2 +") + kEnter);
  terminal.await(kContinued);
  const std::string answer = terminal.enter("");
  EXPECT_TRUE(contains(answer, "error")) << answer;
}

TEST_F(Repl, TabCompletesAKeyword) {
  Ready terminal(state_);
  terminal.type(std::string("hardw") + kTab);
  terminal.await("hardware ");
  const std::string answer = terminal.enter("TPUv5p 4x4x4");
  EXPECT_FALSE(contains(answer, "error")) << answer;
}

TEST_F(Repl, TabCompletesANameOfTheSession) {
  Ready terminal(state_);
  terminal.enter("Batch = 512");
  terminal.type(std::string("print 2*Bat") + kTab);
  terminal.await("2*Batch");
  const std::string answer = terminal.enter("");
  EXPECT_TRUE(contains(answer, "1,024")) << answer;
}

TEST_F(Repl, ABlockGoesOnOverSeveralLinesAndComesBackAsItWas) {
  Ready terminal(state_);
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
  Ready terminal(state_);
  terminal.type(std::string(":help co") + kTab);
  terminal.await("collectives  combine  comm_bytes");
}

TEST_F(Repl, HelpShowsStatements) {
  Ready terminal(state_);
  const std::string all = terminal.enter(":help");
  EXPECT_TRUE(contains(all, "hardware")) << all;
  EXPECT_TRUE(contains(all, "expect")) << all;
  const std::string one = terminal.enter(":help AxisReused");
  EXPECT_TRUE(contains(one, "an axis is used twice in one layout")) << one;
  const std::string slip = terminal.enter(":help AxisReusd");
  EXPECT_TRUE(contains(slip, "did you mean `AxisReused`?")) << slip;
}

TEST_F(Repl, AnErrorLeavesTheSessionAsItWas) {
  Ready terminal(state_);
  terminal.enter("B = 512");
  const std::string wrong = terminal.enter("B = 3; print Q");
  EXPECT_TRUE(contains(wrong, "[UnknownName]")) << wrong;
  const std::string answer = terminal.enter("print B");
  EXPECT_TRUE(contains(answer, "512")) << answer;
}

// It was "a bug of Shard": the parameter was taken for an input of its own.
TEST_F(Repl, AFunctionTakesAnArray) {
  Ready terminal(state_);
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
  Ready terminal(state_);
  terminal.enter("B = 512");
  terminal.enter(blocks + "; return 1 }");
  const std::string deep = terminal.enter("print f(62)");
  EXPECT_TRUE(contains(deep, "[TooMuchRecursion]")) << deep;
  const std::string answer = terminal.enter("print B, f(3)");
  EXPECT_TRUE(contains(answer, "f(3) = 1")) << answer;
}

TEST_F(Repl, HistoryIsKeptBetweenSessions) {
  {
    Ready terminal(state_);
    terminal.enter("print 1000 + 234");
    EXPECT_EQ(terminal.leave(kEndOfFile), 0);
  }
  EXPECT_TRUE(fs::exists(state_ / "shard" / "history"));
  Ready terminal(state_);
  terminal.type(kUp);
  terminal.await("print 1000 + 234");
  const std::string answer = terminal.enter("");
  EXPECT_TRUE(contains(answer, "1,234")) << answer;
}

TEST_F(Repl, HistoryHoldsWhatWasTypedLast) {
  Ready terminal(state_);
  terminal.enter("print 5*3");
  terminal.enter("print 4*7");
  // Only what differs between two lines is drawn anew, so the answer tells which one it is.
  terminal.type(std::string(kUp) + kUp);
  const std::string answer = terminal.enter("");
  EXPECT_TRUE(contains(answer, "= 15")) << answer;
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
  std::string chains = "mesh {X: 2, Y: 2, Z: 2, U: 2, V: 2, W: 2}\n";  // none is as long as another
  for (int i = 1; i <= 500; ++i) {
    const std::string n = std::to_string(i);
    chains += "I" + n + " = 64 * " + n + ", J" + n + " = 64, K" + n + " = 64, L" + n + " = 64\nA" +
              n + "[I" + n + "_{XY}, J" + n + "_{ZU}] · B" + n + "[J" + n + "_{VW}, K" + n +
              "_{XY}] · C" + n + "[K" + n + "_{ZU}, L" + n + "_{VW}] → D" + n + "[I" + n + ", L" +
              n + "]\n";
  }
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
      {chains, {"--estimate"}},
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
