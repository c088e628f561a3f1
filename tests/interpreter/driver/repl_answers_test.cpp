// What a session answers to those who come from elsewhere, about names, and about settings.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/interpreter/driver/repl.h"

namespace shard::repl_test {
namespace {

struct Typed {
  std::string_view line;
  std::string_view answer;
};

constexpr Typed kAnswers[] = {
    {"\\c", "`hardware TPUv5e 4x2`"},
    {"\\x on", "`:set width N`"},
    {"\\a", "`:set width N`"},
    {"\\p", "Up brings back"},
    {"\\echo 3", "here it is written `print 3`"},
    {"-- a comment", "a comment begins with `#`"},
    {"%history -n", "input 1"},
    {"%time", "`:time LINE`"},
    {"@time", "`:time LINE`"},
    {"A ?", "A: bf16[I_X]"},
    {"?A?", "A: bf16[I_X]"},
    {"help(\"print\")", "figures and scalars"},
    {"run nowhere.shard", "there is no file nowhere.shard"},
    {"source nowhere", "there is no file nowhere"},
    {"cat a/b.shard", "this is no shell"},
    {":wq", "`:save FILE` writes the session"},
    {".help", "here it is written `:help`"},
    {"_1", "`_` is the last value"},
    {"In[1]", "`:history` lists"},
    {"Out[12]", "`_` is the last value"},
    {"@which A", "A: bf16[I_X]"},
    {"1:3", "a range is `1..3`"},
    {"true", "a comparison gives"},
    {"pi", "pi = 3.14159"},
    {">>> 2 + 3", "= 5"},
    {"julia> A?", "A: bf16[I_X]"},
    {":undo x", "`:undo 3` the last 3"},
    {":reset now", "`:reset` stands alone"},
    {":history -n", "`:history` stands alone"},
    {":set memory 4G", "memory is 4.000 GB"},
    {":set memory 512Mi", "memory is 536.9 MB"},
    {":set memory 1T", "memory is 1.000 TB"},
    {":set memory 4", "in which nothing is executed; write `4 GB`"},
    {":set memory much", "it takes a size, such as `4 GB` or `512 MiB`"},
    {":set threads 4000", "it takes a number from 1 to 1024 or auto"},
    {":set width 0", "it takes a number from 1 to 1024 or auto"},
    {":help set", "LENGTHS | off       executes"},
    {"TPUv5e?", "its bandwidth"},
    {"hardware?", "TPUv5e, TPUv5p"},
    {"x?", "no help on `x`"},
    {"I?", "I = 8, the length of a dimension"},
};

TEST_F(Repl, HabitsSettingsAndNamesAreAnswered) {
  Ready terminal(state_);
  terminal.enter("mesh {X: 2}; I = 8");
  terminal.enter("A[I_X] → B[I]");
  for (const Typed& typed : kAnswers) {
    const std::string answer = terminal.enter(std::string(typed.line));
    EXPECT_TRUE(contains(answer, std::string(typed.answer))) << typed.line << ": " << answer;
    EXPECT_FALSE(contains(answer, "error:")) << typed.line << ": " << answer;
  }
  EXPECT_FALSE(contains(terminal.enter("I?"), "in `help")) << terminal.rest();
  EXPECT_FALSE(contains(terminal.enter(":time foo"), "took")) << terminal.rest();
  // Nothing of it became an input.
  EXPECT_FALSE(contains(terminal.enter(":ls"), "Out")) << terminal.rest();
  for (const std::string leaving : {"exit 0", "%exit", ".quit", ">>> exit()"}) {
    Ready one(state_);
    EXPECT_EQ(one.leave(leaving + kEnter), 0) << leaving;
  }
}

// It was said to be made where the function stands, which may be long before.
TEST_F(Repl, WhatAFunctionMadeIsThereSinceItsCall) {
  Ready terminal(state_);
  terminal.enter("mesh {X: 2}; I = 8; fn f(x[I]) { y = x + x; return y }");
  terminal.enter("fn g(x[I]) { return f(x) + 1 }");
  terminal.enter("A: fp32[I_X]");
  terminal.enter("C = f(A)");
  std::string answer = terminal.enter("C?");
  EXPECT_TRUE(contains(answer, "made in input 4: C = f(A)")) << answer;
  EXPECT_TRUE(contains(answer, "by f, in input 1: mesh")) << answer;
  terminal.enter("D = g(A)");
  answer = terminal.enter("D?");
  EXPECT_TRUE(contains(answer, "made in input 5: D = g(A)")) << answer;
  EXPECT_FALSE(contains(answer, "by ")) << answer;
  // What only moves an array does not make it.
  terminal.enter("B = A + 1");
  terminal.enter("fn h(x[I]) { x[I]; return x[I] }");
  terminal.enter("E = h(B)");
  answer = terminal.enter("B?");
  EXPECT_TRUE(contains(answer, "made in input 6: B = A + 1")) << answer;
  EXPECT_TRUE(contains(terminal.enter("A?"), "first read in input 3: A: fp32[I_X]"));
}

TEST_F(Repl, RowsOfALoopHaveFewElements) {
  Ready terminal(state_);
  terminal.enter("mesh {X: 2}; I = 2; J = 4");
  terminal.enter("A: fp32[I_X, J] = iota");
  const std::string answer = terminal.enter("for i in 0..2 { print i, A[i, :] }");
  EXPECT_TRUE(contains(answer, "1  4  5  6  7")) << answer;
  EXPECT_FALSE(contains(answer, "not run")) << answer;
  // An input of its own asks for them anew.
  EXPECT_TRUE(contains(terminal.enter("for i in 0..2 { print A[i, 2] }"), "6"));
}

TEST_F(Repl, ElementsAndStepsAreShown) {
  Ready terminal(state_);
  terminal.enter("mesh {X: 2}; I = 4, J = 2");
  terminal.enter("A: fp32[I_X, J] = iota");
  EXPECT_TRUE(contains(terminal.enter("A[0, 1]"), "1")) << terminal.rest();
  EXPECT_TRUE(contains(terminal.enter("A[-1, :]"), "6  7")) << "a length is never below 0";
  EXPECT_TRUE(contains(terminal.enter("print A[-1, :]"), "6  7")) << terminal.rest();
  EXPECT_TRUE(contains(terminal.enter("A[2:, :]"), "4  5")) << terminal.rest();
  terminal.enter("c = cost { A[I_X, J] → A[I, J] }");
  EXPECT_TRUE(contains(terminal.enter(":why c"), "AllGather_X")) << terminal.rest();
}

// Of an array, `_` was the number before it, and its elements were to be printed.
TEST_F(Repl, TheLastValueIsAnArrayToo) {
  Ready terminal(state_);
  for (const char* line : {"mesh {X: 2}; I = 2, J = 2", "A: fp32[I_X, J]", "A[I_X, J] = 3", "7"})
    terminal.enter(line);
  EXPECT_TRUE(contains(terminal.enter("A[0, 0]"), "= 3"));
  EXPECT_TRUE(contains(terminal.enter("_ + 1"), "= 4"));
  EXPECT_TRUE(contains(terminal.enter("sum_{I,J}(A)"), "fp32[] = 12"));
  EXPECT_TRUE(contains(terminal.enter("_ / 2"), "= 6"));
  EXPECT_TRUE(contains(terminal.enter("A + 1"), "4  4"));
  EXPECT_TRUE(contains(terminal.enter("AllGather_X _"), "fp32[I, J]"));
  EXPECT_TRUE(contains(terminal.enter("print A"), "3  3"));
  EXPECT_TRUE(contains(terminal.enter("_ · 2"), "A · 2"));
  EXPECT_TRUE(contains(terminal.enter("A"), "3  3"));
  EXPECT_TRUE(contains(terminal.enter("_ ⊙ A"), "9  9"));
  EXPECT_TRUE(contains(terminal.enter("ans"), "`ans` is `_`"));
  EXPECT_TRUE(contains(terminal.enter("2 + 3"), "= 5"));
  EXPECT_TRUE(contains(terminal.enter("_"), "= 5"));
  terminal.enter(":undo 3");
  EXPECT_TRUE(contains(terminal.enter("_"), "9  9"));
  for (const auto& [word, answer] : {std::pair("ans", "`_`"), std::pair("T_comms", "c.comms"),
                                     std::pair("T_math", "c.math"), std::pair("@", "A · B")})
    EXPECT_TRUE(contains(terminal.enter(std::string(":help ") + word), answer)) << word;
}

TEST_F(Repl, WhatAFunctionReturnsIsTheLastValue) {
  Ready terminal(state_);
  EXPECT_TRUE(contains(terminal.enter("_ + 1"), "there is none so far"));
  for (const char* line : {"mesh {X: 2}; I = 2, J = 2", "A: fp32[I_X, J]", "A[I_X, J] = 3",
                           "fn twice(x[I, J]) { return 2 ⊙ x }", "fn half(n) { return n / 2 }",
                           "fn none(x[I, J]) { y = x + 1 }"})
    terminal.enter(line);
  EXPECT_TRUE(contains(terminal.enter("twice(A)"), "6  6"));
  EXPECT_TRUE(contains(terminal.enter("print twice(_)"), "12  12"));
  EXPECT_TRUE(contains(terminal.enter("_ + 1"), "13  13"));
  EXPECT_TRUE(contains(terminal.enter("half(8)"), "= 4"));
  EXPECT_FALSE(contains(terminal.enter("none(A)"), "error"));
  EXPECT_TRUE(contains(terminal.enter("_"), "= 4"));
}

TEST_F(Repl, TabOffersWhatCanStandThere) {
  Ready terminal(state_);
  terminal.enter("mesh {data: 2, X: 2}; I = 8");
  terminal.enter("A[I] → Bee[I_X]; c = cost { A[I] → Cee[I_X] }");
  for (const Typed& typed :
       {Typed{"A[I_", "X  data\n"}, Typed{"AllGather_", "X  data\n"},
        Typed{"AllGather_{X,", "X  data\n"}, Typed{"C[I]{U_", "X  data\n"},
        Typed{"drop ", "A  Bee\n"}, Typed{"show ", "A  Bee\n"}, Typed{":why ", "A  Bee  c\n"},
        Typed{":help AllG", ":help AllGather"}, Typed{"hardware TPUv5", "TPUv5e"}}) {
    terminal.type(std::string(typed.line) + kTab);
    terminal.await(std::string(typed.answer));
    terminal.type(kInterrupt);
    terminal.await(kPrompt);
  }
}

TEST_F(Repl, TabListsFilesWithoutTheirFolder) {
  for (const char* name : {"one1.shard", "one2.shard"}) std::ofstream(state_ / name) << "x = 1\n";
  Ready terminal(state_);
  terminal.type(":load " + state_.string() + "/on" + kTab + kTab);
  terminal.await("\none1.shard  one2.shard");
}

// It waited for another line.
TEST_F(Repl, AnIncrementIsAMistakeAtOnce) {
  Ready terminal(state_);
  terminal.enter("x = 1");
  EXPECT_TRUE(contains(terminal.enter("x++"), "a session takes `x = x + 1`, too"));
  EXPECT_TRUE(contains(terminal.enter("x = x + 1; x"), "x = 2"));
}

TEST_F(Repl, TheBannerAndHelpFitTheWindow) {
  for (const unsigned short columns : {60, 80}) {
    Terminal terminal(state_, {}, {.columns = columns});
    std::string text = terminal.await(kPrompt);
    for (const char* line : {":set", ":help set", ":help"}) text += terminal.enter(line);
    std::size_t used = 0;
    for (const char c : text) {
      used = c == '\n' ? 0 : used + ((c & 0xc0) != 0x80 ? 1 : 0);
      EXPECT_LE(used, columns) << text;
      if (used > columns) break;
    }
  }
}

// Tables, charts and messages of a script, too, and COLUMNS has the last word.
TEST_F(Repl, RunFitsTheWindow) {
  std::ofstream(state_ / "script.shard")
      << "hardware TPUv5p 4x4\nmesh {X: 4, Y: 4}\nI = 4096, Jay = 4096, Kay = 4096\n"
         "A_long_name[I_X, Jay_Y], Another[Jay, Kay]: fp32\n"
         "The_result[I_X, Kay_Y] = A_long_name[I_X, Jay_Y] · Another[Jay, Kay] + 1\n"
         "why\n";
  for (const unsigned short columns : {60, 80, 200}) {
    if (columns == 200)
      setenv("COLUMNS", "70", 1);
    else
      unsetenv("COLUMNS");
    Terminal terminal(
        state_, {"run", "--estimate", "--timeline", "--memory-profile", state_ / "script.shard"},
        {.columns = columns});
    EXPECT_EQ(terminal.leave(""), 0);
    const std::string text = terminal.rest();
    EXPECT_TRUE(contains(text, "peak memory")) << text;
    std::size_t used = 0;
    std::size_t most = 0;
    for (const char c : text) {
      used = c == '\n' ? 0 : used + ((c & 0xc0) != 0x80 ? 1 : 0);
      most = std::max(most, used);
    }
    EXPECT_LE(most, columns == 200 ? 70 : columns) << text;
  }
  unsetenv("COLUMNS");
}

// Figures below their labels took 66 lines.
TEST_F(Repl, EightyLayersFitAScreenOfEightyColumns) {
  unsetenv("COLUMNS");
  Terminal terminal(state_, {"run", "--estimate", SHARD_EXAMPLES "/stories/eighty-layers.shard"},
                    {.columns = 80});
  EXPECT_EQ(terminal.leave(""), 0);
  const std::string text = terminal.rest();
  EXPECT_TRUE(contains(text, "AllGather_X, 1 local ")) << text;
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 50) << text;
}

// A help that is to be typed stays in one line.
TEST_F(Repl, LongMessagesAreBrokenAtBlanks) {
  Terminal terminal(state_, {}, {.columns = 60});
  terminal.await(kPrompt);
  const std::string answer = terminal.enter("foo(3)");
  EXPECT_TRUE(contains(answer, "help: the functions are ")) << answer;
  EXPECT_TRUE(contains(answer, "\n    ")) << answer;
  const std::string kSum = "aaaaaaaaaaaaaaa + bbbbbbbbbbbbbbbbbbbb + ccccccccccccccc + dddd";
  const std::string slip = terminal.enter("x = " + kSum + "; x = " + kSum);
  EXPECT_TRUE(contains(slip, "UnknownName")) << slip;
}

TEST_F(Repl, LoadFindsTheHomeFolder) {
  std::ofstream(state_ / "home.shard") << "x = 31\n";
  setenv("HOME", state_.c_str(), 1);
  Ready terminal(state_);
  terminal.type(std::string(":load ~/ho") + kTab);
  terminal.await(":load ~/home.shard");
  terminal.enter("");
  EXPECT_TRUE(contains(terminal.enter("x"), "x = 31"));
}

}  // namespace
}  // namespace shard::repl_test
