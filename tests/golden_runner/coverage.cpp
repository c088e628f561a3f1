#include "tests/golden_runner/coverage.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "base/words.h"
#include "grammar/diagnostics/diagnostic.h"

namespace shard::golden {
namespace {

constexpr const char* kExceptions = "tests/golden/uncovered.txt";

std::set<std::string> drawn_kinds(const std::vector<Case>& cases) {
  std::string errors;
  for (const Case& golden : cases) errors += read_file(golden.beside(".err"));
  std::set<std::string> drawn;
  for (const DiagnosticInfo& info : diagnostic_catalogue()) {
    const std::string mark = "[" + std::string(info.name) + "]";
    if (errors.find(mark) != std::string::npos) drawn.emplace(info.name);
  }
  return drawn;
}

// Kind to reason; `#` begins a comment.
std::map<std::string, std::string> read_exceptions() {
  std::map<std::string, std::string> exceptions;
  std::istringstream lines(read_file(kExceptions));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::size_t colon = std::min(line.find(':'), line.size());
    exceptions[line.substr(0, colon)] = line.substr(std::min(colon + 2, line.size()));
  }
  return exceptions;
}

}  // namespace

std::string check_coverage(const std::vector<Case>& cases) {
  const std::set<std::string> drawn = drawn_kinds(cases);
  std::map<std::string, std::string> exceptions = read_exceptions();
  std::string problems;
  std::vector<std::string> missing;
  for (const DiagnosticInfo& info : diagnostic_catalogue()) {
    const std::string name(info.name);
    const auto exception = exceptions.extract(name);
    if (drawn.contains(name)) {
      if (exception)
        problems +=
            std::string(kExceptions) + ": " + name + " is drawn by a case, take the line out\n";
    } else if (!exception) {
      missing.push_back(name);
    } else if (exception.mapped().empty()) {
      problems += std::string(kExceptions) + ": " + name + " needs a reason behind a colon\n";
    }
  }
  if (!missing.empty()) {
    problems +=
        "add cases to tests/golden/diagnostics, no expected .err has: " + join(missing, ", ") +
        "\n";
  }
  for (const auto& [name, reason] : exceptions) {
    problems += std::string(kExceptions) + ": " + name + " is no kind of diagnostic\n";
  }
  return problems;
}

}  // namespace shard::golden
