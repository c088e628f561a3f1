// The examples of grammar/diagnostics/diagnostics.def, which `shard help KIND` shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/interpreter/support/scripts.h"

namespace shard::diagnostic_examples_test {
namespace {

// Kinds whose example only stands for a script that draws them, and says so; ExecutionFailed needs
// a bug of ours.
const std::set<std::string_view> kStandIns = {"InvalidText", "TooDeep", "TooLarge", "ModuleCycle",
                                              "ExecutionFailed"};

SessionOptions options_for(std::string_view kind) {
  SessionOptions options = testing::running();
  options.interactive = kind == "ArraysDropped";
  options.must_execute = kind == "OutOfHostMemory" || kind == "TooMuchWork";
  return options;
}

TEST(DiagnosticExamples, EachDrawsItsKind) {
  int drawn = 0;
  for (const DiagnosticInfo& entry : diagnostic_catalogue()) {
    if (kStandIns.count(entry.name) != 0) continue;
    const testing::Ran ran(std::string(entry.example), options_for(entry.name));
    const auto kinds = testing::kinds_of(ran.outcome);
    const bool found = std::find(kinds.begin(), kinds.end(), entry.name) != kinds.end();
    drawn += found ? 1 : 0;
    EXPECT_TRUE(found) << entry.name << " is not drawn by its example:" << entry.example
                       << "which draws " << ::testing::PrintToString(kinds);
  }
  EXPECT_GT(drawn, 40);
}

TEST(DiagnosticExamples, EachKindIsExplained) {
  for (const DiagnosticInfo& entry : diagnostic_catalogue()) {
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    EXPECT_GT(entry.explanation.size(), 40U) << entry.name;
    EXPECT_FALSE(entry.example.empty()) << entry.name;
  }
}

}  // namespace
}  // namespace shard::diagnostic_examples_test
