// What becomes of a session when it is saved, and taken back.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "tests/interpreter/driver/repl.h"

namespace shard::repl_test {
namespace {

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// `_` took what x was given last.
TEST_F(Repl, ASavedValueKeepsWhatItWas) {
  const std::string saved = (state_ / "saved.shard").string();
  {
    Ready terminal(state_);
    for (const char* line :
         {"x = 13", "x", "y = _", "x = 20", "x # twice(x) and \"x\"", "x; x = x + 1", "z = ans + x",
          "fn twice(a) { return 2 * a }", "t = twice(x)", "fn twice(a) { return 3 * a }",
          "twice(x)", "2*3; _ + 1; w = _", "v = 3; print v; v = 4; print v, _"})
      terminal.enter(line);
    const std::string answer = terminal.enter(":save " + saved);
    EXPECT_TRUE(contains(answer, "saved.shard has 13 inputs; it runs with shard run")) << answer;
  }
  EXPECT_TRUE(contains(text_of(saved), "# twice(x) and \"x\"")) << text_of(saved);
  Terminal run(state_, {"-i", saved});
  run.await(kPrompt);
  EXPECT_TRUE(
      contains(run.enter("print x, y, z, t, w, v"), "x = 21, y = 13, z = 41, t = 42, w = 7, v = 4"))
      << text_of(saved);
  EXPECT_TRUE(contains(run.enter("twice(1)"), "= 3"));
}

TEST_F(Repl, AnArrayThatWasTheLastValueIsSaved) {
  const std::string saved = (state_ / "saved.shard").string();
  {
    Ready terminal(state_);
    for (const char* line : {"mesh {X: 2}; I = 2, J = 2", "A: fp32[I_X, J]", "A + 1", "B = _ ⊙ _",
                             "A", "C = _ + 1", "AllGather_X A", "D = _", "A[0, 0]", "E = 2 ⊙ _"})
      terminal.enter(line);
    const std::string answer = terminal.enter(":save " + saved);
    EXPECT_TRUE(contains(answer, "it runs with shard run")) << answer << text_of(saved);
  }
  EXPECT_TRUE(contains(text_of(saved), " = A + 1")) << text_of(saved);
  EXPECT_TRUE(contains(text_of(saved), "C = A + 1")) << text_of(saved);
}

TEST_F(Repl, WhatAScriptCannotSayIsSaid) {
  const std::string saved = (state_ / "saved.shard").string();
  Ready terminal(state_);
  for (const char* line : {"mesh {X: 2}; I = 8", "A[I_X] → B[I]", "print 2*I", "I = 16"})
    terminal.enter(line);
  const std::string answer = terminal.enter(":save " + saved);
  EXPECT_TRUE(contains(answer, "but input 3 printed 16 and there it is 32")) << answer;
}

// A session takes a size behind the arrays that have it; in a script it stands before them.
TEST_F(Repl, ASizeThatCameLateIsSavedBeforeItsArrays) {
  const std::string saved = (state_ / "saved.shard").string();
  {
    Ready terminal(state_);
    for (const char* line : {"mesh {X: 2}; I = 8", "A[I_X, J] → B[I, J]", "K = 2; J = 4 * K"})
      terminal.enter(line);
    const std::string answer = terminal.enter(":save " + saved);
    EXPECT_TRUE(contains(answer, "it runs with shard run")) << answer << text_of(saved);
  }
  EXPECT_TRUE(contains(text_of(saved), "J = 8\nA[I_X, J] → B[I, J]\n")) << text_of(saved);
  Terminal run(state_, {"run", saved});
  EXPECT_EQ(run.leave(""), 0) << run.rest();
}

// One statement without sizes keeps a whole script from being executed, and a session only itself.
TEST_F(Repl, AScriptThatIsNotExecutedIsNotSaidToRun) {
  const std::string saved = (state_ / "saved.shard").string();
  Ready terminal(state_);
  for (const char* line : {"mesh {X: 2}; I = 4", "A: fp32[I_X] = iota", "A[2]", "C[K] = B[K] ⊙ 2"})
    terminal.enter(line);
  const std::string answer = terminal.enter(":save " + saved);
  EXPECT_TRUE(contains(answer, "no array is printed there")) << answer;
}

// A function finds what it calls by name, as the session gave it last.
TEST_F(Repl, AFunctionThatCallsOneGivenAnewIsSaved) {
  const std::string saved = (state_ / "saved.shard").string();
  Ready terminal(state_);
  for (const char* line :
       {"fn f(a) { return a }", "fn g(a) { return f(a) }", "fn f(a) { return 5 * a }", "y = g(2)"})
    terminal.enter(line);
  const std::string answer = terminal.enter(":save " + saved);
  EXPECT_TRUE(contains(answer, "it runs with shard run")) << answer;
}

// One that reads a value is written again behind the next one: it finds the value by its name.
TEST_F(Repl, AFunctionThatReadsAValueGivenAnewIsSaved) {
  const std::string saved = (state_ / "saved.shard").string();
  {
    Ready terminal(state_);
    for (const char* line : {"x = 5", "fn g(a) { return a + x }", "fn h(a) { return 2 * g(a) }",
                             "fn k(x) { return x }", "h(1)", "x = 100", "h(1)"})
      terminal.enter(line);
    const std::string answer = terminal.enter(":save " + saved);
    EXPECT_TRUE(contains(answer, "it runs with shard run")) << answer;
    EXPECT_TRUE(contains(text_of(saved), "x1 = 5\nfn g1(a) { return a + x1 }")) << text_of(saved);
    EXPECT_TRUE(contains(text_of(saved), "x = 100\nfn g(a) { return a + x }")) << text_of(saved);
  }
  Terminal run(state_, {"-i", saved});
  run.await(kPrompt);
  EXPECT_TRUE(contains(run.enter("h(1)"), "= 202")) << text_of(saved);
}

// `pad` stood twice on its line, and an element that was asked for alone on its own, where no script takes it. Then the values
// that were given anew lost their names.
TEST_F(Repl, WhatOnlyASessionTakesIsSavedAsAStatement) {
  const std::string saved = (state_ / "saved.shard").string();
  {
    Ready terminal(state_);
    for (const char* line :
         {"mesh {X: 2}; I = 30", "x = 1", "A[I] = ones", "pad I of A to 32", "A[0]", "x = 2", "A"})
      terminal.enter(line);
    const std::string answer = terminal.enter(":save " + saved);
    EXPECT_TRUE(contains(answer, "it runs with shard run")) << answer;
  }
  EXPECT_TRUE(contains(text_of(saved), "\npad I of A to 32\nprint A[0]\n")) << text_of(saved);
  EXPECT_TRUE(contains(text_of(saved), "x1 = 1\n")) << text_of(saved);
  Terminal run(state_, {"run", saved});
  EXPECT_EQ(run.leave(""), 0) << run.rest();
}

TEST_F(Repl, LinesThatFailAreNoInputs) {
  Ready terminal(state_);
  terminal.enter("mesh {X: 2}");
  terminal.enter("x = 3");
  EXPECT_TRUE(contains(terminal.enter("minimize 1/Y over X with Y = N / X"), "NoOpenSize"));
  EXPECT_FALSE(contains(terminal.enter(":history"), "minimize"));
  EXPECT_TRUE(contains(terminal.enter(":undo"), "taken back: x = 3"));
}

TEST_F(Repl, OtherInputsMakeOtherArrays) {
  const std::string saved = (state_ / "saved.shard").string();
  Ready terminal(state_);
  for (const char* line : {"I = 4", "A[I] + A[I] → C[I]"}) terminal.enter(line);
  const std::string first = terminal.enter("print C");
  EXPECT_TRUE(contains(terminal.enter(":set inputs normal"), "inputs have other values from here"));
  EXPECT_TRUE(contains(terminal.enter("print C"), "C: "));
  const std::string answer = terminal.enter(":save " + saved);
  EXPECT_TRUE(contains(answer, "but input 3 printed C with other values")) << answer;
  EXPECT_FALSE(contains(answer, "input 4")) << answer;
}

TEST_F(Repl, AFolderOrADeviceIsNoScript) {
  Ready terminal(state_);
  terminal.enter("x = 3");
  EXPECT_TRUE(contains(terminal.enter(":save " + state_.string()), "is a folder; a script"));
  EXPECT_TRUE(contains(terminal.enter(":save! /dev/full"), "is a device or a pipe; a script"));
  EXPECT_TRUE(contains(terminal.enter(":load -"), "`:load` takes a file"));
}

TEST_F(Repl, SeveralInputsAreTakenBackAtOnce) {
  Ready terminal(state_);
  for (const char* line : {"x = 1", "x = 2", "x = 3"}) terminal.enter(line);
  const std::string answer = terminal.enter(":undo 2");
  EXPECT_TRUE(contains(answer, "taken back: x = 3\ntaken back: x = 2\n")) << answer;
  EXPECT_TRUE(contains(terminal.enter("x"), "x = 1"));
  EXPECT_TRUE(contains(terminal.enter(":undo 0"), "`:undo 3` the last 3"));
}

TEST_F(Repl, SaveNamesTheOptionsOfTheSession) {
  const std::string saved = (state_ / "saved.shard").string();
  Terminal terminal(state_, {"--fault", "link X[3] at 2 us", "--slow", "device 1 by 2",
                             "--per-device", "--scale", "1/4", "--set", "I=4"});
  terminal.await(kPrompt);
  terminal.enter("mesh {X: 4}; I = 64");
  terminal.enter(":set hops on");
  const std::string kOptions =
      "--hops --scale 1/4 --set I=4 --per-device --fault \"link X[3] at 2 us\" --slow \"device 1 "
      "by 2\"";
  const std::string listed = terminal.enter(":ls");
  EXPECT_TRUE(contains(listed, "options    " + kOptions)) << listed;
  EXPECT_TRUE(contains(terminal.enter(":set"), "options   --per-device --fault"));
  const std::string answer = terminal.enter(":save " + saved);
  EXPECT_TRUE(contains(answer, "it runs with\n    shard run " + kOptions + " " + saved)) << answer;
}

TEST_F(Repl, AChangedFileIsNotWrittenOver) {
  const std::string saved = (state_ / "saved.shard").string();
  Ready terminal(state_);
  terminal.enter("x = 3");
  EXPECT_TRUE(contains(terminal.enter(":save " + saved), "1 input"));
  EXPECT_TRUE(contains(terminal.enter(":save " + saved), "1 input"));
  std::ofstream(saved, std::ios::app) << "y = 4\n";
  const std::string refused = terminal.enter(":save " + saved);
  EXPECT_TRUE(contains(refused, "has changed since it was saved; `:save! ")) << refused;
  EXPECT_TRUE(contains(text_of(saved), "y = 4"));
  EXPECT_TRUE(contains(terminal.enter(":save! " + saved), "1 input"));
  EXPECT_FALSE(contains(text_of(saved), "y = 4"));
}

TEST_F(Repl, AFailedExpectationIsSavedAsAComment) {
  const std::string saved = (state_ / "saved.shard").string();
  {
    Ready terminal(state_);
    EXPECT_TRUE(contains(terminal.enter("x = 3; expect x = 4; y = 5"), "failed"));
    EXPECT_TRUE(contains(terminal.enter("expect y = 5"), "1 of 1 expectations hold"));
    EXPECT_TRUE(contains(terminal.enter("y"), "y = 5"));
    terminal.enter(":save " + saved);
  }
  EXPECT_TRUE(contains(text_of(saved), "x = 3; # failed: expect x = 4\n y = 5\nexpect y = 5\n"))
      << text_of(saved);
  Terminal run(state_, {"run", saved});
  EXPECT_EQ(run.leave(""), 0) << run.rest();
}

// Two of them in a row lost what there was.
TEST_F(Repl, ASecondResetIsNoStep) {
  Ready terminal(state_);
  EXPECT_TRUE(contains(terminal.enter(":reset"), "there is nothing to end"));
  terminal.enter("x = 3");
  EXPECT_TRUE(contains(terminal.enter(":reset"), "begun anew"));
  EXPECT_TRUE(contains(terminal.enter(":reset"), "begun anew already"));
  EXPECT_TRUE(contains(terminal.enter(":undo"), "as it was before `:reset`"));
  EXPECT_TRUE(contains(terminal.enter("x"), "x = 3"));
}

TEST_F(Repl, LinesSayOnHowSmallArraysTheyWereExecuted) {
  Ready terminal(state_);
  terminal.enter("mesh {X: 2}; B = 1024, D = 256");
  const std::string scaled = terminal.enter(":set scale 1/64");
  EXPECT_TRUE(contains(scaled, "scale is 1/64")) << scaled;
  EXPECT_TRUE(contains(scaled, "executed on smaller arrays")) << scaled;
  const std::string line = terminal.enter("A[B_X, D] → C[B, D]");
  EXPECT_TRUE(contains(line, "executed on smaller arrays: B 1,024 → 16  D 256 → 4")) << line;
  EXPECT_TRUE(contains(terminal.enter(":set scale off"), "executed as they are planned"));
  const std::string sizes = terminal.enter(":set sizes B=512,D=64");
  EXPECT_TRUE(contains(sizes, "sizes is B=512,D=64")) << sizes;
  EXPECT_TRUE(contains(terminal.enter("C[B, D] → E[B_X, D]"), "B 1,024 → 512  D 256 → 64"));
  EXPECT_TRUE(contains(terminal.enter(":set sizes B=1Ki"), "sizes is B=1024"));
  EXPECT_TRUE(contains(terminal.enter(":set sizes=off"), "sizes is off"));
  EXPECT_FALSE(contains(terminal.enter("E + E → F[B_X, D]"), "smaller"));
}

// What was stopped stayed, though nobody could tell how much of it was done.
TEST_F(Repl, CtrlCWhileALineExecutesLeavesTheSessionAsItWas) {
  Ready terminal(state_);
  for (const char* line : {"mesh {X: 2}", ":set flops 1e15", ":set memory 8 GB", ":set verify off",
                           "I = 1024, J = 65536, K = 1024"})
    terminal.enter(line);
  terminal.type(std::string("for i in 0..300 { A[I_X, J] · B[J, K] → C[I_X, K] }") + kEnter);
  terminal.await("1 s; Ctrl-C stops it");
  terminal.type(kInterrupt);
  const std::string stopped = terminal.await(kPrompt);
  EXPECT_TRUE(contains(stopped, "stopped: the session is as it was before")) << stopped;
  EXPECT_TRUE(contains(terminal.enter(":ls"), "no arrays"));
  EXPECT_FALSE(contains(terminal.enter(":history"), "for i")) << terminal.rest();
}

TEST_F(Repl, NothingVanishesInANarrowWindow) {
  std::vector<std::string> told;
  for (const unsigned short columns : {60, 80, 84, 200}) {
    Terminal terminal(state_, {}, {.columns = columns});
    terminal.await(kPrompt);
    terminal.enter("hardware TPUv5e 4x2; mesh {X: 4, Y: 2}; I = 64, J = 64, K = 64");
    terminal.enter("A[I, J_X] · B[J_X, K] → C[I, K]");
    const std::string cost = terminal.enter(":cost");
    for (const char* part : {"timeline, what is", "exposed", "one after the other", "peak memory"})
      EXPECT_TRUE(contains(cost, part)) << columns << cost;
    terminal.enter("c = cost { A[I, J_X] · B[J_X, K] → D[I, K] }");
    std::string words;
    for (const char c : terminal.enter("c")) {
      if (c == '\n' || c == ' ') {
        if (!words.empty() && words.back() != ' ') words += ' ';
      } else {
        words += c;
      }
    }
    told.push_back(words);
  }
  for (const std::string& one : told) EXPECT_EQ(one, told.back());
}

}  // namespace
}  // namespace shard::repl_test
