// The golden cases: which files there are, and how each is run.
//
// A case is a script with the expected standard output in `.out` and standard error in `.err`
// beside it; a missing file means that nothing is written. Where it lies says how it is run:
//   tests/golden/parse/*.shard        shard fmt FILE
//   tests/golden/check/*.shard        shard check FILE
//   tests/golden/diagnostics/*.shard  shard check FILE
//   tests/golden/diagnostics/{habits,newcomers,fresh,strangers,outsiders,blindfold,visitors,passersby}/*.shard  the same; grades.tsv says how good the messages are
//   tests/golden/run/*.shard          shard run --verify --threads N FILE, for several N
//   examples/*.shard                  the same
//   tests/golden/repl/*.in            shard < FILE
// A script must print the same bytes for all N. Comments at the very top of a case may change how
// it is run (examples have none): `# exit: 3` is the exit status, else 0; `# args: run --json`
// are other arguments than those of the folder.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace shard::golden {

struct Case {
  std::string script;  // path, seen from the project's root
  std::string text;
  std::vector<std::string> arguments;
  bool on_standard_input = false;
  int status = 0;
  bool is_example = false;

  // Whether the thread count is varied.
  bool runs() const { return !arguments.empty() && arguments.front() == "run"; }
  // Whether it is a script for `shard fmt`.
  bool formats() const { return arguments == std::vector<std::string>{"fmt"} && status == 0; }
  // "tests/golden/run/ffn.out" for ".out".
  std::string beside(const std::string& extension) const;
};

// All cases whose path contains `word`, sorted by path. Seen from the current folder, the project's
// root. Fails if there are none, and if files lie where no rule says how to run them.
Result<std::vector<Case>> find_cases(const std::string& word);

// The content of a file; empty if it does not exist.
std::string read_file(const std::string& path);

}  // namespace shard::golden
