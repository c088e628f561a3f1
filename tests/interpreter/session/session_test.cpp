#include "interpreter/session/session.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "interpreter/host/npy.h"
#include "interpreter/report/text_report.h"
#include "tests/interpreter/support/scripts.h"

namespace shard::session_test {
namespace {

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
  // It was empty, and so was the report's "reason" as JSON.
  EXPECT_EQ(ran.outcome.programs.front().execution.reason,
            "each device would hold 8.192 kB, and a TPUv5e has 1.000 kB");
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
  const auto& last = *std::get<Box<ExpectedEntry>>(ran.outcome.entries.back());
  EXPECT_EQ(last.holds, false);
  EXPECT_EQ(last.left, "4.000 GB");
  EXPECT_EQ(last.right, "2.000 GB");
}

TEST(Expect, ErrorBlocksDoNotTouchTheScript) {
  const Ran ran(kMesh + "expect error AxisReused { T[I_X, J_X] → V[I, J] }\nT → W[I, J]",
                running());
  EXPECT_EQ(kinds_of(ran.outcome), Kinds{"UnknownName"});
}

// ---------------------------------------------------------------- rates

TEST(RateMissing, NamesTheTypeAndTheFigureThatTheChipLacks) {
  for (const std::string dtype :
       {"fp64", "fp32", "fp16", "fp8", "fp8e5m2", "int32", "uint32", "int4"}) {
    const std::string script = "mesh {X: 4}\nA[I_X]: " + dtype + "\nB[I_X] = A[I_X] + 1";
    const Ran ran("chip Bare {C: 1e14 FLOP/s}\nhardware Bare\n" + script);
    ASSERT_EQ(kinds_of(ran.outcome), Kinds{"RateMissing"}) << dtype;
    const Diagnostic& note = ran.outcome.diagnostics.front();
    EXPECT_NE(note.message.find(" for " + dtype + ";"), std::string::npos) << note.message;
    const std::string help = note.help.front();
    const std::string chip = help.substr(help.find("chip Mine"));
    EXPECT_EQ(testing::kinds("chip Bare {C: 1e14 FLOP/s}\n" + chip + "\nhardware Mine\n" + script),
              Kinds{})
        << help;
  }
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

// What is saved, compared or loaded is an array in fp64 besides those on the devices, and was not counted: 8 MB here.
TEST(Session, CountsWholeArraysThatFilesAndComparisonsTake) {
  const auto path =
      (std::filesystem::temp_directory_path() / "shard_session_memory_test.npy").string();
  const std::string flow = "mesh {X: 2}\nI = 1000000\nA: int8[I_X]\n";
  const std::string quoted = "\"" + path + "\"";
  SessionOptions options = running();
  options.execution.verify = false;
  ASSERT_TRUE(Ran(flow + "B[I_X] = A + 1\nsave B " + quoted, options)
                  .outcome.programs.front()
                  .execution.executed);
  options.execution.memory = 7e6;
  const auto refused = [&](const std::string& lines) {
    return Ran(flow + lines, options).outcome.programs.front().execution.refusal.has_value();
  };
  EXPECT_FALSE(refused("B[I_X] = A + 1"));
  EXPECT_TRUE(refused("B[I_X] = A + 1\nsave B " + quoted));
  EXPECT_TRUE(refused("B[I_X] = A + 1\nexpect equal(B, A)"));
  EXPECT_TRUE(refused("A = load(" + quoted + ")\nB[I_X] = A + 1"));
  std::filesystem::remove(path);
}

// "takes 8.000 MB of memory, more than --memory 8.000 MB".
TEST(Session, SizesThatReadAlikeAreToldToTheByte) {
  SessionOptions options = running();
  options.execution.verify = false;
  options.execution.memory = 1999999;
  const Ran ran("mesh {X: 2}\nI = 1000000\nA: int8[I_X]\nB[I_X] = A + 1", options);
  EXPECT_EQ(ran.outcome.programs.front().execution.reason,
            "running it takes 2,000,000 B of memory, more than --memory 1,999,999 B");
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

}  // namespace
}  // namespace shard::session_test
