// Functions in sessions: what an input hangs on is run again, under the names that it has inside of calls.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/interpreter/support/scripts.h"

namespace shard::session_functions_test {
namespace {

using testing::interactive;
using testing::Kinds;

// Inputs one after the other. Each is to draw no diagnostics, and to be compared where arrays are made.
class Typed {
 public:
  explicit Typed(const std::vector<std::string>& inputs) : session_(interactive()) {
    for (const std::string& input : inputs) type(input);
  }

  void type(const std::string& input) {
    const Outcome outcome = session_.run("input " + std::to_string(++count_), input);
    EXPECT_EQ(testing::kinds_of(outcome), Kinds{}) << input;
    compared_.clear();
    for (const ProgramReport& program : outcome.programs) {
      for (const Comparison& comparison : program.execution.comparisons)
        compared_.push_back(session_.state().scope.store.arrays[comparison.array].name);
    }
  }

  Kinds mistakes(const std::string& input) {
    return testing::kinds_of(session_.run("input " + std::to_string(++count_), input));
  }

  // Whether the last input compared an array of that name.
  bool compared(const std::string& name) const {
    return std::find(compared_.begin(), compared_.end(), name) != compared_.end();
  }

 private:
  Session session_;
  int count_ = 0;
  std::vector<std::string> compared_;
};

const std::string kLayer =
    "mesh {X: 2, Y: 2}\nB = 8, D = 16, F = 32\n"
    "fn mlp(x[b, d], W[d, f], V[f, d]) {\n  h = relu(x ·_d W)\n  return x + h ·_f V\n}";

// "`D` differs from the unsharded computation by 6.000": a parameter was taken for an input of its own name.
TEST(FunctionsInASession, TakeArrays) {
  Typed typed({"I = 8", "fn f(x[i]) { return x + x }", "D[I] = f(A[I])"});
  EXPECT_TRUE(typed.compared("D"));
  typed.type("E = D + f(f(D))");
  EXPECT_TRUE(typed.compared("E"));
}

TEST(FunctionsInASession, CallEachOtherAndTheirResultsAreUsedLater) {
  Typed typed({kLayer, "fn twice(x[b, d], W[d, f], V[f, d]) { return mlp(mlp(x, W, V), W, V) }",
               "y[B_X, D] = mlp(In[B_X, D], W1[D, F_Y], V1[F_Y, D])", "z = twice(y, W1, V1)",
               "w[B, D_Y] = twice(z, W1, V1)"});
  EXPECT_TRUE(typed.compared("w"));
  typed.type("q = y + z + w");
  EXPECT_TRUE(typed.compared("q"));
}

TEST(FunctionsInASession, AreCalledInLoopsAndByThemselves) {
  Typed typed({kLayer, "y[B_X, D] = mlp(In[B_X, D], W1[D, F_Y], V1[F_Y, D])",
               "for i in 0..3 { y = mlp(y, W1, V1) }", "u = y + y"});
  EXPECT_TRUE(typed.compared("u"));
  typed.type("fn rec(x[i, j], n) { if n > 0 { return rec(x + x, n - 1) } else { return x } }");
  typed.type("v = rec(u, 3)");
  typed.type("w = u + v");
  EXPECT_TRUE(typed.compared("w"));
}

TEST(FunctionsInASession, MayReturnWhatWasPassedAndChangeIt) {
  Typed typed({"mesh {X: 2}\nI = 8, J = 4", "fn id(x[i, j]) { return x }", "k = id(A[I_X, J])",
               "m = k + k"});
  EXPECT_TRUE(typed.compared("m"));
  typed.type("fn fill(x[i, j], v[j]) {\n  x[i = 0] = v\n  return x\n}");
  typed.type("f = fill(m, V[J])");
  typed.type("g = f + id(m)");
  EXPECT_TRUE(typed.compared("g"));
}

TEST(FunctionsInASession, AreDefinedAnew) {
  Typed typed({"I = 8", "fn f(x[i]) { return x + x }", "D[I] = f(A[I])",
               "fn f(x[i]) { return x ⊙ x }", "E[I] = f(D)", "G = D + E"});
  EXPECT_TRUE(typed.compared("G"));
}

TEST(FunctionsInASession, WithAMistakeInsideLeaveEverythingAsItWas) {
  Typed typed({"I = 8", "fn bad(x[i]) {\n  y = x + x\n  return y + nothing\n}", "D[I] = A[I] + 1"});
  EXPECT_EQ(typed.mistakes("E = bad(D)"), Kinds{"UnknownName"});
  EXPECT_EQ(typed.mistakes("G = E + 1"), Kinds{"UnknownName"});
  typed.type("fn bad(x[i]) {\n  y = x + x\n  return y + 1\n}");
  typed.type("E = bad(D)");
  EXPECT_TRUE(typed.compared("E"));
}

TEST(FunctionsInASession, HaveBlocksOfCost) {
  Typed typed({"I = 8",
               "fn f(x[i]) {\n  c = cost { g = x + x }\n  print c.flops\n  return x + 1\n}",
               "D[I] = f(A[I])"});
  typed.type("E = D + f(D)");
  EXPECT_TRUE(typed.compared("E"));
}

TEST(FunctionsInASession, WaitForSizesThatAreMissing) {
  Typed typed({"fn f(x[i]) { return x + x }", "D[I] = f(A[I])", "J = 8", "E[J] = f(B[J])"});
  EXPECT_TRUE(typed.compared("E"));
  typed.type("G = f(D)");
  EXPECT_FALSE(typed.compared("G"));
}

// The process ended: the pass was run, with a length that had ended with it.
TEST(InteractiveSession, PassesOverAListAreNotRun) {
  Typed typed({"mesh {X: 4}\nI = 8", "A[I_X] → A[I]", "for K in [8] { B[K_X] → B[K] }"});
  EXPECT_FALSE(typed.compared("B"));
  typed.type("C = A + A");
  EXPECT_TRUE(typed.compared("C"));
}

}  // namespace
}  // namespace shard::session_functions_test
