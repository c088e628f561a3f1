// Scripts as tests: which there are, how each is run, and what is said about it. docs/testing.md has the rules.
//
// In this folder:
//   test_suite.h    all of it: what `shard test` does
//   test_script.h   the scripts below paths, and how each is run
//   document.h      documents in Markdown: scripts in fences
//   judgement.h     one script: run, and compared with what is expected
//   process.h       running a command in a process of its own
//   difference.h    how two texts differ, for a person to read
//   test_report.h   what is said: text, TAP, JUnit
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "interpreter/testing/difference.h"

namespace shard::test {

enum class ReportForm { Text, Tap };

struct TestSuite {
  std::string shard;  // the command
  std::vector<std::string> paths;
  std::string filter;                      // a part of the titles of those wanted
  std::vector<std::string> thread_counts;  // the first one is compared with what is expected
  double timeout = 0;                      // seconds, for each run of a script
  unsigned jobs = 1;                       // scripts at a time
  bool update = false;
  ReportForm form = ReportForm::Text;
  std::string junit;  // a file; empty for none
  DifferenceStyle style;
  bool at_terminal = false;  // where people see how far it is, and how long it took
};

// Runs them and writes to `out` what came of it, failures in the order of the paths. Interrupts (interpreter/host/interrupt.h)
// stop it. The exit status: RunFailed where something differs or was not run, Usage, with a line on `errors`, where there is
// no script, a path or settings cannot be read, or the JUnit file cannot be written.
int run_tests(const TestSuite& suite, std::ostream& out, std::ostream& errors);

}  // namespace shard::test
