// Whether the golden cases draw every diagnostic there is.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>

#include "grammar/diagnostics/diagnostic.h"
#include "interpreter/testing/test_script.h"

namespace shard::coverage_test {
namespace {

namespace fs = std::filesystem;

// All that the cases write to standard error.
std::string expected_errors() {
  std::string errors;
  for (const char* folder : {SHARD_GOLDEN, SHARD_GOLDEN "/../../examples"}) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".err") errors += test::read_bytes(entry.path().string());
    }
  }
  return errors;
}

// Of tests/golden/uncovered.txt: kind to reason; `#` begins a comment.
std::map<std::string, std::string> exceptions() {
  std::map<std::string, std::string> exceptions;
  std::istringstream lines(test::read_bytes(SHARD_GOLDEN "/uncovered.txt"));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::size_t colon = std::min(line.find(':'), line.size());
    exceptions[line.substr(0, colon)] = line.substr(std::min(colon + 2, line.size()));
  }
  return exceptions;
}

TEST(GoldenCases, DrawEveryDiagnostic) {
  const std::string errors = expected_errors();
  std::map<std::string, std::string> excepted = exceptions();
  for (const DiagnosticInfo& info : diagnostic_catalogue()) {
    const std::string name(info.name);
    const bool is_drawn = errors.find("[" + name + "]") != std::string::npos;
    const auto exception = excepted.extract(name);
    EXPECT_NE(is_drawn, !exception.empty())
        << name
        << (is_drawn ? " is drawn by a case; take it out of tests/golden/uncovered.txt"
                     : " is drawn by no case; add one to tests/golden/diagnostics");
    EXPECT_TRUE(exception.empty() || !exception.mapped().empty())
        << name << " needs a reason in tests/golden/uncovered.txt";
  }
  for (const auto& [name, reason] : excepted) ADD_FAILURE() << name << " is no kind of diagnostic";
}

}  // namespace
}  // namespace shard::coverage_test
