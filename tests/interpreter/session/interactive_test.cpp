// A session that is told input after input: what it remembers, and what an input that fails leaves.
#include <gtest/gtest.h>

#include <filesystem>

#include "interpreter/host/npy.h"
#include "interpreter/report/text_report.h"
#include "interpreter/session/session.h"
#include "tests/interpreter/support/scripts.h"

namespace shard::interactive_test {
namespace {

using testing::interactive;
using testing::Kinds;
using testing::kinds_of;

const std::string kMesh = "mesh {X: 4, Y: 2}\nI = 64, J = 64, K = 64\n";

TEST(InteractiveSession, RemembersWhatWasSaid) {
  Session session(interactive());
  EXPECT_EQ(session.run("1", "B = 512").status, ExitStatus::Fine);
  const Outcome outcome = session.run("2", "print 2*B");
  ASSERT_EQ(outcome.entries.size(), 1U);
  EXPECT_EQ(std::get<Box<PrintedEntry>>(outcome.entries.front())->values, Kinds{"1,024"});
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
  EXPECT_FALSE(scope.names.find_array("D").has_value());
  EXPECT_FALSE(scope.names.find_array("E").has_value());
  EXPECT_FALSE(scope.names.find_dimension("Nothing").has_value());
  EXPECT_TRUE(scope.names.find_array("A").has_value());
  EXPECT_TRUE(scope.mesh().find("X").has_value());
  EXPECT_FALSE(scope.mesh().find("Q").has_value());
  EXPECT_EQ(session.names().arrays, names_before);
  EXPECT_TRUE(session.state().programs.empty());
}

// What a script would end at is no input. An expectation that fails, or that nobody can judge, is an answer.
TEST(InteractiveSession, AQuestionWithoutAnAnswerLeavesItUnchanged) {
  Session session(interactive());
  session.run("1", kMesh + "Y = 4");
  for (const char* line :
       {"best { A[P_?, Q] ·_Q B[Q, R_?] → C[P_?, R_?] }", "minimize 1/Y over X with Y = N / X",
        "q = cost { D[I_X, J] → E[I, J] }; plot q.time against Z9 from 1 to 2",
        "if P9 > 4 { x = 3 }"}) {
    const Outcome outcome = session.run("line", line);
    EXPECT_FALSE(outcome.stays) << line;
    EXPECT_NE(outcome.status, ExitStatus::Fine) << line;
  }
  session.run("2", "A9[P, Q] → C9[P, Q]");
  for (const char* line : {"expect Y = 5", "expect 2*P < 3*Q"}) {
    const Outcome outcome = session.run("line", line);
    EXPECT_TRUE(outcome.stays) << line;
    EXPECT_NE(outcome.status, ExitStatus::Fine) << line;
  }
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
  EXPECT_FALSE(scope.names.find_array("B").has_value());
  EXPECT_TRUE(scope.names.find_array("C").has_value());  // an input without I
  EXPECT_EQ(testing::kinds_of(session.run("3", "expect I = 128")), Kinds{});
}

TEST(InteractiveSession, AnInputThatFailsWhileItRunsLeavesItUnchanged) {
  Session session(interactive());
  session.run("1", "D = 4, B = 4\nT: int32[D]\nT2[D] = T + 50\nA[D, B] = ones");
  const Outcome outcome = session.run("2", "C[D] = A[D, B][B = T2]");
  EXPECT_EQ(testing::kinds_of(outcome), Kinds{"ExecutionFailed"});
  EXPECT_FALSE(session.state().scope.names.find_array("C").has_value());
  EXPECT_EQ(testing::kinds_of(session.run("3", "Z[D] = T + 1")), Kinds{});
}

// The copy that never came stayed, was used by the next line, and a later one told the failure again.
TEST(InteractiveSession, AnInputThatAFaultEndsLeavesItUnchanged) {
  Session session(interactive());
  session.run("input 1",
              "hardware TPUv5p\nmesh {X: 4 line}\nI = 16\nfault link X[0]\nfault device 1 at 1 s");
  EXPECT_EQ(testing::kinds_of(session.run("input 2", "AllGather_X A[I_X] → A[I]")),
            Kinds{"LinkFailed"});
  EXPECT_EQ(session.run("input 3", "B[I_X] = A[I_X] + 1").status, ExitStatus::Fine);
  EXPECT_EQ(testing::kinds_of(session.run("input 4", "Shift_X B[I_X] → C[I_X]")),
            Kinds{"LinkFailed"});
  EXPECT_FALSE(session.state().scope.names.find_array("C").has_value());
  EXPECT_EQ(testing::kinds_of(session.run("input 5", "AllGather_X B[I_X] → B[I]")),
            Kinds{"LinkFailed"});
  EXPECT_EQ(session.run("input 6", "D[I_X] = B[I_X] + 1").status, ExitStatus::Fine);
}

TEST(InteractiveSession, AnInputThatAFailedDeviceEndsLeavesItUnchanged) {
  Session session(interactive());
  session.run("input 1", "hardware TPUv5p\nmesh {X: 4 line}\nI = 16\nfault device 1");
  EXPECT_EQ(testing::kinds_of(session.run("input 2", "B[I_X] = A[I_X] + 1")),
            Kinds{"DeviceFailed"});
  EXPECT_EQ(session.run("input 3", "print 1").status, ExitStatus::Fine);
  EXPECT_EQ(testing::kinds_of(session.run("input 4", "C[I_X] = A[I_X] + 2")),
            Kinds{"DeviceFailed"});
}

// The line stayed, and each later one was told its BadFault again, even with the size.
TEST(InteractiveSession, AnInputWithoutTimesForAFaultLeavesItUnchanged) {
  Session session(interactive());
  session.run("input 1", "hardware TPUv5p\nmesh {X: 4}\nfault link X[0] at 1 us");
  EXPECT_EQ(testing::kinds_of(session.run("input 2", "A[I_X] → B[I]")), Kinds{"BadFault"});
  EXPECT_FALSE(session.state().scope.names.find_array("B").has_value());
  EXPECT_EQ(testing::kinds_of(session.run("input 3", "I = 64")), Kinds{});
  EXPECT_EQ(testing::kinds_of(session.run("input 4", "A[I_X] → B[I]")), Kinds{});
}

TEST(InteractiveSession, ASizeThatChangesLeavesArraysThatDidNotUseIt) {
  Session session(interactive());
  session.run("1", "D = 4, E = 8\nT2[D] = T[D] + 50\nU[D] = sum_E(A[D, E])\nU2 = U + 1");
  EXPECT_EQ(testing::kinds_of(session.run("2", "E = 4")), Kinds{"ArraysDropped"});
  EXPECT_EQ(testing::kinds_of(session.run("3", "V[D] = T2 + 1")), Kinds{});
  EXPECT_EQ(testing::kinds_of(session.run("4", "U2 + 1")), Kinds{"DroppedArray"});
  EXPECT_EQ(testing::kinds_of(session.run("5", "R[D] = sum_E(A[D, E])\nexpect E = 4")), Kinds{});
}

TEST(InteractiveSession, TheFirstSizeDropsWhatWasComputedWithoutIt) {
  Session session(interactive());
  session.run("1", "A: bf16[D, E]\nU[D] = sum_E(A[D, E])");
  EXPECT_EQ(testing::kinds_of(session.run("2", "D = 4")), Kinds{"ArraysDropped"});
  const Outcome lost = session.run("3", "U2 = U + 1");
  ASSERT_EQ(testing::kinds_of(lost), Kinds{"DroppedArray"});
  EXPECT_NE(lost.diagnostics.front().help.front().find("again"), std::string::npos);
  EXPECT_EQ(testing::kinds_of(session.run("4", "E = 8\nU[D] = sum_E(A[D, E])")), Kinds{});
}

TEST(InteractiveSession, AnInputTakesTheNewSizeAndKeepsItsTypeAndValues) {
  Session session(interactive());
  session.run("1", "mesh {X: 2}\nA: fp32[I_X]\nA[I_X] = random(3)\nI = 4\nA[I_X] → B[I]");
  EXPECT_EQ(testing::kinds_of(session.run("2", "I = 8")), Kinds{"ArraysDropped"});
  const Outcome outcome = session.run("3", "A[I_X] → B[I]");
  EXPECT_EQ(testing::kinds_of(outcome), Kinds{});
  const Copy& copy = session.state().programs.back().plan.copies.end()[-1];
  EXPECT_EQ(copy.dtype, DType::Fp32);
  EXPECT_EQ(copy.shape, std::vector<Amount>{8});
}

TEST(InteractiveSession, AnotherSizeOrMeshDropsTheCopiesThatWereMadeOfAnInput) {
  for (const std::string change : {"I = 128", "mesh {X: 2}", "hardware TPUv5e"}) {
    Session session(interactive());
    session.run("1", "hardware TPUv5p\nmesh {X: 4}\nI = 64, J = 64\nA[I_X, J] → A[I, J]");
    const Outcome outcome = session.run("2", change);
    if (change == "I = 128") {
      ASSERT_EQ(kinds_of(outcome), Kinds{"ArraysDropped"});
      EXPECT_EQ(outcome.diagnostics.front().message,
                "the size of `I` changes, so `A[I, J]` is dropped");
    }
    const Scope& scope = session.state().scope;
    ASSERT_TRUE(scope.names.find_array("A").has_value()) << change;
    const LiveCopies& copies = scope.held.of(*scope.names.find_array("A"));
    ASSERT_EQ(copies.size(), 1U) << change;
    EXPECT_FALSE(copies.front().layout.dims.front().empty()) << change;
    session.run("3", "B[I, J] = A + 1");
    const auto& steps = session.state().programs.back().plan.steps;
    EXPECT_TRUE(std::any_of(steps.begin(), steps.end(), [](const Step& step) {
      return std::holds_alternative<CollectiveStep>(step.action);
    })) << change;
  }
}

TEST(InteractiveSession, AnInputWhoseOwnCopyWasDroppedIsDroppedByANewSize) {
  Session session(interactive());
  session.run("1", "mesh {X: 4}\nI = 64\nA[I_X] → A[I]\ndrop A[I_X]");
  EXPECT_EQ(testing::kinds_of(session.run("2", "I = 128")), Kinds{"ArraysDropped"});
  EXPECT_EQ(testing::kinds_of(session.run("3", "B = A + 1")), Kinds{"DroppedArray"});
}

TEST(InteractiveSession, AFirstSizeLeavesWhatHadAllSizes) {
  Session session(interactive());
  session.run("1", "L = 4\nT[L] = S[L] + 1\nR[P] = Q[P] + 1\nP = 4");
  EXPECT_EQ(testing::kinds_of(session.run("2", "T2 = T + 1")), Kinds{});
  EXPECT_EQ(testing::kinds_of(session.run("3", "R2 = R + 1")), Kinds{"DroppedArray"});
}

// Whether an input without mistakes was executed, and not only estimated.
bool executed(Session& session, const std::string& input) {
  const Outcome outcome = session.run("1", input);
  EXPECT_EQ(testing::kinds_of(outcome), Kinds{}) << input;
  return !outcome.programs.empty() && outcome.programs.back().execution.executed;
}

TEST(InteractiveSession, ALineIsJudgedByTheWorkThatItNeedsItself) {
  SessionOptions options = interactive();
  options.execution.max_flops = 1000;
  Session session(options);
  EXPECT_FALSE(executed(session, "I = 64, J = 4, K = 64\nA[I, J] · B[J, K] → C[I, K]"));
  EXPECT_TRUE(executed(session, "R[J] = Q[J] + 1"));
  EXPECT_TRUE(executed(session, "R2[J] = R + 1"));
  EXPECT_FALSE(executed(session, "D = C + 1"));
}

TEST(InteractiveSession, SizesThatAreOpenDoNotStopWhatNeedsNoneOfThem) {
  Session session(interactive());
  EXPECT_TRUE(executed(session, "D = 4\nB[D] = A[D] + 1"));
  EXPECT_FALSE(executed(session, "Q[K] = P[K] + 1\nR[K, D] = Q[K] + A[D]"));
  EXPECT_TRUE(executed(session, "C[D] = A[D] + B[D]"));
  EXPECT_FALSE(executed(session, "S = Q + 1"));
  EXPECT_TRUE(executed(session, "E[D] = C + 1\nexpect equal(E, E)"));
}

TEST(InteractiveSession, AFailedExpectKeepsTheInput) {
  Session session(interactive());
  EXPECT_EQ(session.run("1", "T = 3\nexpect T = 4").status, ExitStatus::RunFailed);
  EXPECT_NE(session.state().scope.find_binding("T"), nullptr);
}

// What an input saves as a file, executed without mistakes.
NpyArray saved(Session& session, const std::string& input) {
  const auto path = (std::filesystem::temp_directory_path() / "shard_session_test.npy").string();
  std::filesystem::remove(path);
  EXPECT_TRUE(executed(session, input + " \"" + path + "\"")) << input;
  const auto file = read_npy(path);
  std::filesystem::remove(path);
  return file ? *file : NpyArray{};
}

TEST(InteractiveSession, AnInputThatNothingUsedIsSavedAndCompared) {
  Session session(interactive());
  session.run("1", "mesh {X: 4}\nI = 64\nA[I_X]");
  const NpyArray array = saved(session, "save A");
  EXPECT_EQ(array.shape, std::vector<std::int64_t>{64});
  EXPECT_TRUE(executed(session, "expect equal(A, A)"));
  Session other(interactive());
  other.run("1", "mesh {X: 4}\nI = 64\nA[I_X]");
  EXPECT_TRUE(executed(other, "B[I_X] = A[I_X] + 0"));
  EXPECT_EQ(saved(other, "save B").values, array.values);
}

TEST(InteractiveSession, AnInputIsSavedBehindAnotherSizeOrMesh) {
  Session session(interactive());
  session.run("1", "mesh {X: 4}\nI = 64\nB[I_X] = A[I_X] + 1\nI = 128");
  EXPECT_EQ(saved(session, "save A").shape, std::vector<std::int64_t>{128});
  session.run("2", "mesh {X: 2}");
  EXPECT_EQ(saved(session, "save A").shape, std::vector<std::int64_t>{128});
  EXPECT_TRUE(executed(session, "C[I_X] = A[I_X] + 1\nexpect equal(A, A)"));
}

TEST(InteractiveSession, SavingAnInputDoesNotRunTheStatementBehindIt) {
  SessionOptions options = interactive();
  options.execution.max_flops = 1000;
  Session session(options);
  session.run("1", "I = 64, J = 4, K = 64\nA[I]");
  EXPECT_EQ(saved(session, "save A").values.size(), 64U);
  EXPECT_FALSE(executed(session, "P[I, J] · Q[J, K] → C[I, K]"));
  EXPECT_EQ(saved(session, "save A").values.size(), 64U);
}

}  // namespace
}  // namespace shard::interactive_test
