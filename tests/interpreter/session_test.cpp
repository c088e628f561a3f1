#include "interpreter/session.h"

#include <gtest/gtest.h>

#include "interpreter/report.h"
#include "tests/interpreter/scripts.h"

namespace shard {
namespace {

using testing::interactive;
using testing::Kinds;
using testing::kinds_of;
using testing::Ran;
using testing::running;

const std::string kMesh = "mesh {X: 4, Y: 2}\nI = 64, J = 64, K = 64\n";

// ---------------------------------------------------------------- exit statuses

TEST(ExitStatus, IsFineForASoundScript) {
  EXPECT_EQ(Ran(kMesh + "A[I_X, J] → B[I, J]", running()).outcome.status, ExitStatus::Fine);
  EXPECT_EQ(Ran("", running()).outcome.status, ExitStatus::Fine);
}

TEST(ExitStatus, IsFineWithWarningsAndNotes) {
  const Ran ran(kMesh + "A[I_X, J] → B[I_X, J]\nA[I, J] → C[I, J]", running());
  EXPECT_EQ(kinds_of(ran.outcome), Kinds{"SecondInputLayout"});
  EXPECT_EQ(ran.outcome.status, ExitStatus::Fine);
}

TEST(ExitStatus, IsOneForAProgramWithErrors) {
  EXPECT_EQ(Ran("A[I_X, J_X] → B[I, J]", running()).outcome.status, ExitStatus::ProgramErrors);
  EXPECT_EQ(Ran("print Q", running()).outcome.status, ExitStatus::ProgramErrors);
}

TEST(ExitStatus, IsThreeForAnExpectThatFails) {
  EXPECT_EQ(Ran("expect 2 + 2 = 5", running()).outcome.status, ExitStatus::RunFailed);
  EXPECT_EQ(Ran("expect 2 + 2 = 4", running()).outcome.status, ExitStatus::Fine);
  EXPECT_EQ(Ran("expect error AxisReused { A[I_X] → B[I_X] }", running()).outcome.status,
            ExitStatus::RunFailed);
}

TEST(ExitStatus, IsThreeForTooLittleDeviceMemory) {
  const Ran ran("hardware TPUv5e 2x2 {HBM: 1 kB}\nmesh {X: 2, Y: 2}\nI = 4096\nA[I_X] → B[I_X]",
                running());
  EXPECT_EQ(kinds_of(ran.outcome), Kinds{"OutOfDeviceMemory"});
  EXPECT_EQ(ran.outcome.status, ExitStatus::RunFailed);
}

TEST(ExitStatus, AnErrorOutweighsAFailedExpect) {
  EXPECT_EQ(Ran("expect 2 + 2 = 5\nprint Q", running()).outcome.status, ExitStatus::ProgramErrors);
}

TEST(ExitStatus, CheckingDoesNotJudgeExpects) {
  EXPECT_EQ(Ran("expect 2 + 2 = 5").outcome.status, ExitStatus::Fine);
}

// ---------------------------------------------------------------- expectations

TEST(Expect, AllRunAndShowBothSides) {
  const Ran ran("expect 1 = 2\nexpect 3 = 3\nexpect 4 GB < 2 GB", running());
  EXPECT_EQ(kinds_of(ran.outcome), (Kinds{"ExpectFailed", "ExpectFailed"}));
  ASSERT_EQ(ran.outcome.entries.size(), 3U);
  const auto& last = std::get<ExpectedEntry>(ran.outcome.entries.back());
  EXPECT_EQ(last.holds, false);
  EXPECT_EQ(last.left, "4.000 GB");
  EXPECT_EQ(last.right, "2.000 GB");
}

TEST(Expect, ErrorBlocksDoNotTouchTheScript) {
  const Ran ran(kMesh + "expect error AxisReused { T[I_X, J_X] → V[I, J] }\nT → W[I, J]",
                running());
  EXPECT_EQ(kinds_of(ran.outcome), Kinds{"UnknownName"});
}

// ---------------------------------------------------------------- running

TEST(Session, ExecutesAndVerifies) {
  const Ran ran(kMesh + "A[I_X, J] · B[J, K_Y] → C[I_X, K_Y]\nC[I_X, K_Y] → D[I, K]", running());
  ASSERT_EQ(ran.outcome.programs.size(), 1U);
  const Execution& execution = ran.outcome.programs.front().execution;
  EXPECT_TRUE(execution.executed) << execution.reason;
  EXPECT_GE(execution.comparisons.size(), 3U);
  for (const Comparison& comparison : execution.comparisons) EXPECT_TRUE(comparison.within);
}

TEST(Session, SaysWhyItDoesNotExecute) {
  const Ran ran("A[I_X, J] → B[I, J]", running());
  ASSERT_EQ(ran.outcome.programs.size(), 1U);
  EXPECT_FALSE(ran.outcome.programs.front().execution.executed);
  EXPECT_NE(ran.outcome.programs.front().execution.reason, "");
}

TEST(Session, EstimatesWhatIsTooLarge) {
  SessionOptions options = running();
  options.execution.memory = 1000;
  const Ran ran(kMesh + "A[I_X, J] → B[I, J]", options);
  EXPECT_EQ(ran.outcome.status, ExitStatus::Fine);
  EXPECT_TRUE(ran.outcome.programs.front().execution.refusal.has_value());
}

TEST(Session, RefusesWhatIsTooLargeIfItMustExecute) {
  SessionOptions options = running();
  options.execution.memory = 1000;
  options.must_execute = true;
  const Ran ran(kMesh + "A[I_X, J] → B[I, J]", options);
  EXPECT_EQ(kinds_of(ran.outcome), Kinds{"OutOfHostMemory"});
  EXPECT_EQ(ran.outcome.status, ExitStatus::RunFailed);
}

TEST(Session, CheckingOnlyExecutesNothing) {
  const Ran ran(kMesh + "A[I_X, J] → B[I, J]");
  ASSERT_EQ(ran.outcome.programs.size(), 1U);
  EXPECT_FALSE(ran.outcome.programs.front().execution.executed);
}

TEST(Session, DiagnosticsAreSortedByPlace) {
  const Ran ran("print Q\nA[I_X, J_X] → B[I, J]\nprint 1 GB + 1 s");
  for (std::size_t i = 1; i < ran.outcome.diagnostics.size(); ++i)
    EXPECT_LE(ran.outcome.diagnostics[i - 1].span.begin, ran.outcome.diagnostics[i].span.begin);
}

TEST(Session, DiagnosticsNameTheText) {
  Session session(testing::checking());
  const Outcome outcome = session.run("mine.shard", "print Q");
  ASSERT_EQ(outcome.diagnostics.size(), 1U);
  EXPECT_EQ(session.sources().name(outcome.diagnostics.front().span.file), "mine.shard");
}

// ---------------------------------------------------------------- interactive sessions

TEST(InteractiveSession, RemembersWhatWasSaid) {
  Session session(interactive());
  EXPECT_EQ(session.run("1", "B = 512").status, ExitStatus::Fine);
  const Outcome outcome = session.run("2", "print 2*B");
  ASSERT_EQ(outcome.entries.size(), 1U);
  EXPECT_EQ(std::get<PrintedEntry>(outcome.entries.front()).values, Kinds{"1,024"});
}

TEST(InteractiveSession, ReportsOnlyTheEntriesOfAnInput) {
  Session session(interactive());
  session.run("1", "print 1\nprint 2");
  EXPECT_EQ(session.run("2", "print 3").entries.size(), 1U);
}

TEST(InteractiveSession, AFailedInputLeavesItUnchanged) {
  Session session(interactive());
  session.run("1", kMesh + "A: bf16[I_X, J]");
  const auto names_before = session.names().arrays;
  EXPECT_EQ(session.run("2", "T = 3\nD[I_X, J] → E[I_X, J]\nmesh {Q: 8}\nprint Nothing").status,
            ExitStatus::ProgramErrors);
  const Scope& scope = session.state().scope;
  EXPECT_EQ(scope.find_binding("T"), nullptr);
  EXPECT_FALSE(scope.find_array("D").has_value());
  EXPECT_FALSE(scope.find_array("E").has_value());
  EXPECT_FALSE(scope.find_dimension("Nothing").has_value());
  EXPECT_TRUE(scope.find_array("A").has_value());
  EXPECT_TRUE(scope.mesh().find("X").has_value());
  EXPECT_FALSE(scope.mesh().find("Q").has_value());
  EXPECT_EQ(session.names().arrays, names_before);
  EXPECT_TRUE(session.state().programs.empty());
}

TEST(InteractiveSession, AfterAFailedInputTheReportIsAsIfItHadNotBeen) {
  Session plain(interactive());
  Session disturbed(interactive());
  plain.run("1", kMesh);
  disturbed.run("1", kMesh);
  disturbed.run("wrong", "A[I_X, J_X] → B[I, J]\nC[I, J] → D[I_X, J]");
  const std::string line = "A[I_X, J] → B[I, J]";
  const Outcome a = plain.run("2", line);
  const Outcome b = disturbed.run("2", line);
  EXPECT_EQ(text_report(a, plain.state(), {.verbose = false, .incremental = true}),
            text_report(b, disturbed.state(), {.verbose = false, .incremental = true}));
}

TEST(InteractiveSession, ASyntaxErrorLeavesItUnchanged) {
  Session session(interactive());
  session.run("1", "B = 512");
  EXPECT_EQ(session.run("2", "B = \nD = 3").status, ExitStatus::ProgramErrors);
  EXPECT_EQ(session.state().scope.find_binding("D"), nullptr);
  EXPECT_EQ(session.run("3", "print B").status, ExitStatus::Fine);
}

TEST(InteractiveSession, ASizeMayBeBoundAnewWhichDropsItsArrays) {
  Session session(interactive());
  session.run("1", kMesh + "A[I_X, J] → B[I_X, J]\nC[K] → D[K]");
  const Outcome outcome = session.run("2", "I = 128");
  EXPECT_EQ(outcome.status, ExitStatus::Fine) << ::testing::PrintToString(kinds_of(outcome));
  const Scope& scope = session.state().scope;
  EXPECT_FALSE(scope.find_array("B").has_value());
  EXPECT_TRUE(scope.find_array("C").has_value());  // an input without I
  EXPECT_EQ(testing::kinds_of(session.run("3", "expect I = 128")), Kinds{});
}

TEST(InteractiveSession, AnInputThatFailsWhileItRunsLeavesItUnchanged) {
  Session session(interactive());
  session.run("1", "D = 4, B = 4\nT: int32[D]\nT2[D] = T + 50\nA[D, B] = ones");
  const Outcome outcome = session.run("2", "C[D] = A[D, B][B = T2]");
  EXPECT_EQ(testing::kinds_of(outcome), Kinds{"ExecutionFailed"});
  EXPECT_FALSE(session.state().scope.find_array("C").has_value());
  EXPECT_EQ(testing::kinds_of(session.run("3", "Z[D] = T + 1")), Kinds{});
}

TEST(InteractiveSession, ASizeThatChangesLeavesArraysThatDidNotUseIt) {
  Session session(interactive());
  session.run("1", "D = 4, E = 8\nT2[D] = T[D] + 50\nU[D] = sum_E(A[D, E])\nU2 = U + 1");
  EXPECT_EQ(testing::kinds_of(session.run("2", "E = 4")), Kinds{"ArraysDropped"});
  EXPECT_EQ(testing::kinds_of(session.run("3", "V[D] = T2 + 1")), Kinds{});
  EXPECT_EQ(testing::kinds_of(session.run("4", "U2 + 1")), Kinds{"DroppedArray"});
  EXPECT_EQ(testing::kinds_of(session.run("5", "R[D] = sum_E(A[D, E])\nexpect E = 4")), Kinds{});
}

TEST(InteractiveSession, SizesThatAreOpenDoNotStopWhatNeedsNoneOfThem) {
  Session session(interactive());
  const auto executed = [&](const std::string& input) {
    const Outcome outcome = session.run("1", input);
    EXPECT_EQ(testing::kinds_of(outcome), Kinds{}) << input;
    return !outcome.programs.empty() && outcome.programs.back().execution.executed;
  };
  EXPECT_TRUE(executed("D = 4\nB[D] = A[D] + 1"));
  EXPECT_FALSE(executed("Q[K] = P[K] + 1\nR[K, D] = Q[K] + A[D]"));
  EXPECT_TRUE(executed("C[D] = A[D] + B[D]"));
  EXPECT_FALSE(executed("S = Q + 1"));
  EXPECT_TRUE(executed("E[D] = C + 1\nexpect equal(E, E)"));
}

TEST(InteractiveSession, AFailedExpectKeepsTheInput) {
  Session session(interactive());
  EXPECT_EQ(session.run("1", "T = 3\nexpect T = 4").status, ExitStatus::RunFailed);
  EXPECT_NE(session.state().scope.find_binding("T"), nullptr);
}

}  // namespace
}  // namespace shard
