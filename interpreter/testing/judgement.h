// One script: run, and compared with what is expected.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpreter/testing/difference.h"
#include "interpreter/testing/test_script.h"

namespace shard::test {

enum class Verdict { Passed, Failed, TimedOut, Crashed, NotRun };

struct Judgement {
  Verdict verdict = Verdict::NotRun;
  std::string problems;              // lines, with differences
  std::vector<std::string> written;  // expected files that were rewritten
  // Of a fence: what is to stand in the document in the place of what it says; who judged all of its fences writes it.
  std::optional<std::string> output;
  double seconds = 0;
};

struct JudgingOptions {
  std::string shard;  // the command, by its full path
  std::vector<std::string> thread_counts;
  double timeout = 0;  // seconds
  // What comes out is written to the expected files instead of being compared with them, if it is the same on all thread counts
  // and the script ends as it should.
  bool update = false;
  DifferenceStyle style;
};

// NotRun after an interrupt.
Judgement judge(const TestScript& script, const JudgingOptions& options);

}  // namespace shard::test
