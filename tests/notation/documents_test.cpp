// What the documents state as operations, run as it stands there: the displayed formulas of the text on sharded
// matrices, and the algorithms of the text on training with list numbers and remarks.
#include <gtest/gtest.h>

#include "grammar/diagnostics/render.h"
#include "interpreter/report/text_report.h"
#include "tests/interpreter/support/scripts.h"
#include "tests/notation/cells.h"

namespace shard::documents_test {
namespace {

using testing::Ran;
using testing::running;

const std::string kMachine = R"(hardware TPUv5p 4x4x4
mesh {X: 4x4, Y: 4}
)";

std::string complaints(const Ran& ran) {
  std::string text;
  for (const Diagnostic& diagnostic : ran.outcome.diagnostics) {
    if (info(diagnostic.kind).severity == Severity::Error)
      text += render(diagnostic, ran.session.sources(), false);
  }
  return text;
}

void expect_verified(const Ran& ran, const std::string& what) {
  EXPECT_EQ(complaints(ran), "") << what;
  EXPECT_EQ(ran.outcome.status, ExitStatus::Fine) << what;
  ASSERT_EQ(ran.outcome.programs.size(), 1U) << what;
  const Execution& execution = ran.outcome.programs.front().execution;
  EXPECT_TRUE(execution.executed) << what << execution.reason;
  EXPECT_FALSE(execution.comparisons.empty()) << what;
  for (const Comparison& comparison : execution.comparisons) EXPECT_TRUE(comparison.within) << what;
}

std::string report_of(const Ran& ran) {
  return text_report(ran.outcome, ran.session.state(), {.verbose = false});
}

// ------------------------------------------------------------ displayed formulas

TEST(DisplayedFormulas, RunAndCostWhatTheirCanonicalFormsCost) {
  const auto formulas = testing::table("displayed.tsv", 2);
  EXPECT_GE(formulas.size(), 20U);
  const std::string head = kMachine + "I = 64, J = 128, K = 64, A = 64, B = 128\n";
  for (const auto& formula : formulas) {
    const Ran displayed(head + formula[0] + "\n", running());
    const Ran canonical(head + testing::replaced(formula[1], " ; ", "\n") + "\n", running());
    expect_verified(displayed, formula[0]);
    EXPECT_EQ(complaints(canonical), "") << formula[1];
    EXPECT_EQ(report_of(displayed), report_of(canonical));
  }
}

// ------------------------------------------------------------ algorithms

// The lines of a script from the first that contains `from` on, without the copies it drops.
std::string steps_of(const std::string& path, const std::string& from) {
  std::string text;
  bool begun = false;
  for (const std::string& line : testing::split(testing::text_of_file(path), '\n')) {
    begun = begun || line.find(from) != std::string::npos;
    if (begun && line.rfind("drop", 0) != 0) text += line + "\n";
  }
  return text;
}

void expect_same_costs(const std::string& pasted_name, const std::string& example_name,
                       const std::string& loss_gradient) {
  const std::string head = kMachine + "B = 512, D = 256, F = 1024\n" + loss_gradient;
  const std::string pasted = steps_of("tests/golden/run/" + pasted_name, "  1. ");
  const std::string example = steps_of("examples/" + example_name, "# Forward pass");
  ASSERT_FALSE(pasted.empty());
  ASSERT_FALSE(example.empty());
  const Ran verbatim(head + pasted, running());
  const Ran canonical(head + example, running());
  expect_verified(verbatim, pasted_name);
  expect_verified(canonical, example_name);
  EXPECT_EQ(report_of(verbatim), report_of(canonical));
}

TEST(Algorithms, OfTheTextCostWhatTheCanonicalExamplesCost) {
  expect_same_costs("pasted-data-parallel.shard", "training/data-parallel.shard",
                    "dOut: bf16[B_X, D]\n");
  expect_same_costs("pasted-fsdp.shard", "training/fsdp.shard", "dOut: bf16[B_X, D]\n");
  expect_same_costs("pasted-tensor-parallel.shard", "training/tensor-parallel.shard",
                    "dOut: bf16[B, D_Y]\n");
  expect_same_costs("pasted-fsdp-and-tensor-parallel.shard",
                    "training/fsdp-and-tensor-parallel.shard", "dOut: bf16[B_X, D_Y]\n");
}

}  // namespace
}  // namespace shard::documents_test
