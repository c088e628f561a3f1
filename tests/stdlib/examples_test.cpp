// The examples in the library's comments run behind `use MODULE`, and are what the unsharded computation gives.
#include <gtest/gtest.h>

#include <algorithm>

#include "grammar/parse/parser.h"
#include "grammar/print/printer.h"
#include "stdlib/library.h"
#include "tests/interpreter/support/scripts.h"

namespace shard::library_examples_test {
namespace {

TEST(LibraryExamples, RunAndHaveNothingToSay) {
  for (const LibraryFunction& function : library_functions()) {
    const testing::Ran ran("use " + function.module + "\n" + function.example, testing::running());
    auto kinds = testing::kinds_of(ran.outcome);
    std::erase(kinds, "RateMissing");
    EXPECT_EQ(kinds, std::vector<std::string>()) << function.name;
    EXPECT_EQ(ran.outcome.status, ExitStatus::Fine) << function.name;
    for (const ProgramReport& program : ran.outcome.programs) {
      for (const Comparison& comparison : program.execution.comparisons)
        EXPECT_TRUE(comparison.within) << function.name;
    }
  }
}

TEST(LibraryExamples, ModulesAreInCanonicalSpelling) {
  for (const std::string_view module : library_modules()) {
    if (module == "hardware") continue;  // its chips stand in columns
    SourceMap sources;
    Names names;
    DiagnosticSink sink;
    const FileId file = sources.add("module", std::string(*library_module(module)));
    EXPECT_EQ(print(parse(sources, file, names, sink), Spelling::Unicode), *library_module(module))
        << module;
  }
}

}  // namespace
}  // namespace shard::library_examples_test
