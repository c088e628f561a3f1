// What the devices keep between the inputs of a session.
#include "interpreter/session/session_arrays.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/check.h"
#include "base/check_failure.h"
#include "interpreter/emulate/emulation.h"
#include "interpreter/session/session.h"
#include "tests/interpreter/support/scripts.h"

namespace shard::session_arrays_test {
namespace {

using testing::interactive;

// Runs on emulated devices, and remembers what it was given to run.
class Watched final : public ProgramExecutor {
 public:
  Execution run(const ProgramRun& run, const ExecutionOptions& options) const override {
    steps.push_back(run.program.plan.steps.size());
    held.push_back(run.held.size());
    return emulated_devices().run(run, options);
  }
  bool has_room(const ProgramRun& run, const ExecutionOptions& options) const override {
    return emulated_devices().has_room(run, options);
  }
  double default_memory() const override { return emulated_devices().default_memory(); }

  mutable std::vector<std::size_t> steps;
  mutable std::vector<std::size_t> held;
};

SessionOptions watched(const Watched& executor) {
  SessionOptions options = interactive();
  options.executor = &executor;
  options.execution.verify = true;
  return options;
}

bool all_within(const Outcome& outcome) {
  if (outcome.programs.empty()) return false;
  const Execution& execution = outcome.programs.back().execution;
  return execution.executed &&
         std::all_of(execution.comparisons.begin(), execution.comparisons.end(),
                     [](const Comparison& comparison) {
                       return comparison.within && comparison.drift < 0.1;
                     });
}

const std::string kBegin =
    "hardware TPUv5e 4x2\nmesh {X: 4, Y: 2}\nI = 64, J = 64\nA0[I_X, J] = ones\n";

TEST(SessionArrays, ALineRunsItsOwnStatementsAlone) {
  const Watched executor;
  Session session(watched(executor));
  session.run("begin", kBegin);
  for (int i = 1; i <= 40; ++i) {
    const Outcome outcome =
        session.run("line", fmt::format("A{}[I_X, J] = A{}[I_X, J] * 0.5 + A0[I_X, J]", i, i - 1));
    ASSERT_EQ(outcome.status, ExitStatus::Fine) << i;
    ASSERT_TRUE(all_within(outcome)) << i;
  }
  ASSERT_EQ(executor.steps.size(), 40U);
  // The two operands that are held, and the product of the line.
  EXPECT_EQ(executor.steps.back(), executor.steps[2]);
  EXPECT_EQ(executor.held.back(), 2U);
}

TEST(SessionArrays, WhatIsHeldIsWhatAScriptComputes) {
  const std::vector<std::string> lines = {
      "A[I_X, J_Y] · B[J_Y, K] → C[I_X, K]{U_Y}", "AllReduce_Y C[I_X, K]{U_Y} → C[I_X, K]",
      "D[I, K] = relu(C) + 1", "s[I] = sum_K(D[I, K])", "E[I, K_Y] = D[I, K] / s[I]"};
  const std::string begin = "mesh {X: 4, Y: 2}\nI = 64, J = 64, K = 64\n";
  const Watched executor;
  Session session(watched(executor));
  session.run("begin", begin);
  std::string script;
  for (const std::string& line : lines) {
    EXPECT_TRUE(all_within(session.run("line", line))) << line;
    script += line + "\n";
  }
  // The same names stand for the same arrays, computed at once.
  const Outcome outcome =
      session.run("check",
                  "fn again(A[i, j], B[j, k]) { C[i, k] = A · B; D[i, k] = relu(C) + 1; s[i] = "
                  "sum_k(D); return D "
                  "/ s }\nF[I, K] = again(A[I_X, J_Y], B[J_Y, K])\nexpect equal(E, F, 1e-2)");
  EXPECT_EQ(outcome.status, ExitStatus::Fine);
}

TEST(SessionArrays, AnInputThatFailsLeavesThemAsTheyWere) {
  const Watched executor;
  Session session(watched(executor));
  session.run("begin", kBegin);
  session.run("1", "B[I_X, J] = A0 + 1");
  // The copies that it made are numbered anew by the next input.
  EXPECT_NE(session.run("2", "C[I_X, J] = B + 1\nD[I, J] = B[I]").status, ExitStatus::Fine);
  EXPECT_TRUE(all_within(session.run("3", "C[I_X, J] = B * 3")));
  const Outcome outcome = session.run("4", "D[I_X, J] = C - 5");
  EXPECT_TRUE(all_within(outcome));
  EXPECT_EQ(session.run("5", "T[I_X, J] = A0\nexpect equal(D, T)").status, ExitStatus::Fine);
}

TEST(SessionArrays, WhatHasNoRoomIsComputedAgain) {
  const Watched executor;
  SessionOptions options = watched(executor);
  options.execution.memory =
      1e6;  // bytes: some ten arrays of 64 x 64, with what verifying keeps of them
  Session session(options);
  session.run("begin", kBegin);
  for (int i = 1; i <= 30; ++i) {
    ASSERT_TRUE(all_within(session.run("line", fmt::format("A{}[I_X, J] = A0 * {}", i, i)))) << i;
  }
  const Outcome outcome = session.run("old",
                                      "B[I_X, J] = A1 + A2 + A30\nT[I_X, J] = A0 * 33\n"
                                      "expect equal(B, T)");
  EXPECT_EQ(outcome.status, ExitStatus::Fine);
  EXPECT_GT(executor.steps.back(), executor.held.back() + 2);  // A1 and A2 were made anew
}

TEST(SessionArrays, FaultsAreThoseOfTheWholeSession) {
  const Watched executor;
  SessionOptions options = watched(executor);
  options.execution.hops = true;
  Session session(options);
  session.run("begin",
              "hardware TPUv5p\nmesh {X: 4 ring, Y: 2}\nfault link X[2]\nfault device 3 at 11 us\n"
              "I = 64, J = 32\nA: bf16[I_X, J]");
  // Each line runs its own steps alone, whose copies are numbered from 0 on: the faults go by those of the session.
  for (const char* line : {"B[I_X, J] = A * 2", "C[I, J] = AllGather_X B[I_X, J]",
                           "S[J]{U_X} = sum_I(B[I_X, J])", "T[J] = AllReduce_X S[J]{U_X}"}) {
    const Outcome outcome = session.run("line", line);
    EXPECT_EQ(outcome.status, ExitStatus::Fine) << line;
    EXPECT_TRUE(all_within(outcome)) << line;
  }
  // It would end after the device has stopped.
  const Outcome outcome = session.run("line", "D[I, J] = AllGather_X B[I_X, J]");
  ASSERT_EQ(outcome.diagnostics.size(), 1U);
  EXPECT_EQ(outcome.diagnostics.front().kind, DiagnosticKind::DeviceFailed);
  EXPECT_TRUE(outcome.programs.empty());
  // It has not happened, and what ends earlier can.
  EXPECT_TRUE(all_within(session.run("line", "E[I_X, J] = B * 3")));
  EXPECT_EQ(executor.steps.back(), 2U);
}

TEST(SessionArrays, ASizeThatChangesMakesOthers) {
  const Watched executor;
  Session session(watched(executor));
  session.run("begin", kBegin);
  session.run("1", "B[I_X, J] = A0 + 1");
  session.run("2", "I = 128");
  const Outcome outcome = session.run("3", "C[I_X, J] = A0 + 1");
  ASSERT_TRUE(all_within(outcome));
  EXPECT_EQ(outcome.programs.back().execution.comparisons.back().elements, 128U * 64U);
}

// Fails at every line that runs, as a bug would.
class Broken final : public ProgramExecutor {
 public:
  Execution run(const ProgramRun& run, const ExecutionOptions& options) const override {
    SHARD_CHECK(run.program.plan.steps.empty());
    return emulated_devices().run(run, options);
  }
  bool has_room(const ProgramRun& run, const ExecutionOptions& options) const override {
    return emulated_devices().has_room(run, options);
  }
  double default_memory() const override { return emulated_devices().default_memory(); }
};

TEST(SessionArrays, AFailedCheckLosesTheLineAndNotTheSession) {
  const ThrownChecks checks;
  const Broken executor;
  SessionOptions options = interactive();
  options.executor = &executor;
  Session session(options);
  session.run("1", kBegin + "x = 3");
  EXPECT_THROW(session.run("2", "B[I_X, J] = A0 + 1; x = 4"), CheckFailure);
  EXPECT_FALSE(session.state().scope.names.find_array("B").has_value());
  const Outcome outcome = session.run("3", "print x");
  ASSERT_EQ(outcome.entries.size(), 1U);
  EXPECT_EQ(std::get<Box<PrintedEntry>>(outcome.entries.front())->values.front(), "3");
  EXPECT_TRUE(session.undo());
}

// A line that needs what another statement has moved does not need what else that one reads.
TEST(SessionArrays, AMovedOperandIsNotItsStatement) {
  const Watched executor;
  Session session(watched(executor));
  session.run("begin", "mesh {X: 2, Y: 2}\nI = 4, J = 4, K = 4, L = 4\n");
  session.run("1", "A[I, J] · B[J, K] → T[I, K]");
  session.run("2", "T[I, K] · G[K, L_X] → U[I, L]");
  session.run("3", "G[K, L] · H[L, J] → V[K, J]");
  session.forget_arrays();
  EXPECT_TRUE(all_within(session.run("4", "V + V → W[K, J]")));
}

TEST(SessionArrays, AnUpdateOfWhatABackwardPassReadIsComputedAgain) {
  const Watched executor;
  Session session(watched(executor));
  session.run("1", "mesh {X: 2, Y: 2}; B = 4, D = 4, F = 4");
  session.run("2", "In[B_X, D_Y] ·_D Win[D_X, F_Y] → Tmp[B_X, F_Y]");
  session.run("3", "Tmp ·_F Wout[F_Y, D_X] → Out[B_X, D_Y]");
  session.run("4", "backward Out");
  session.run("5", "Win = Win - dWin");
  session.run("6", "1 + 1");
  ASSERT_TRUE(session.undo());
  const Outcome printed = session.run("7", "print Win");
  EXPECT_EQ(printed.status, ExitStatus::Fine);
  EXPECT_TRUE(all_within(printed));
}

TEST(SessionArrays, FiguresOfABlockThatReadsAnotherFollowItsSizes) {
  Session session(interactive());
  session.run("1",
              "I = 64\na = cost { X1[I] + X1[I] → Y1[I] }\nb = cost { N = a.flops / (1 FLOP); "
              "Z1[N] + Z1[N] → "
              "W1[N] }\nc = cost { M = b.flops / (1 FLOP); V1[M] * 2 → U1[M] }");
  const auto flops = [&](const char* name) {
    const Outcome outcome = session.run("print", fmt::format("print {}.flops", name));
    return outcome.entries.empty()
               ? std::string()
               : std::get<Box<PrintedEntry>>(outcome.entries.back())->values.front();
  };
  EXPECT_EQ(flops("c"), "64 FLOPs");
  session.run("2", "I = 128");
  EXPECT_EQ(flops("c"), "128 FLOPs");
  EXPECT_EQ(flops("b"), "128 FLOPs");
  EXPECT_EQ(flops("c"), "128 FLOPs");
}

}  // namespace
}  // namespace shard::session_arrays_test
