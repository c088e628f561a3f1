// Statements, one after the other: each is checked, planned and priced against the tables as they are at that point.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "grammar/ast.h"
#include "grammar/diagnostic.h"
#include "interpreter/evaluator.h"
#include "interpreter/lower.h"
#include "interpreter/scope.h"

namespace shard {

// What a script says in the order in which it says it.
struct PlannedEntry {  // a statement of a program
  std::size_t program = 0;
  std::size_t statement = 0;
};
struct PrintedEntry {
  std::vector<std::string> names;  // as written, canonical
  std::vector<std::string> values;
};
struct ExpectedEntry {
  std::string text;
  std::optional<bool> holds;
  std::string left;  // values of both sides of a comparison, empty otherwise
  std::string right;
  bool pending = false;  // of arrays: judged when the run is over, and not at all if there is none
  std::size_t program = 0;  // of a pending one
};
// `save A "a.npy"`.
struct SavedEntry {
  std::size_t program = 0;
  std::string array;
  std::string path;
  bool written = false;
};
struct WhyEntry {
  std::string statement;
  std::vector<WeighedWay> ways;
  bool reference_sizes = false;
};
using Entry = std::variant<PlannedEntry, PrintedEntry, ExpectedEntry, SavedEntry, WhyEntry>;

struct RunnerOptions {
  bool interactive =
      false;  // a size may be bound anew: arrays that used it are dropped with a note
  bool judge_expects = true;  // report an `expect` that does not hold
};

// Runs statements against a scope. A value: a REPL copies it, runs an input and keeps the copy if all went well.
struct RunnerState {
  Scope scope;
  std::vector<Program> programs;  // one for each machine, the last one growing
  bool program_ended = false;     // a size changed: what follows is another program
  std::vector<Entry> entries;
};

// Reports everything that is wrong, and goes on behind each mistake.
void run_statements(const std::vector<ast::Statement>& statements, RunnerState& state,
                    const RunnerOptions& options, DiagnosticSink& sink);

}  // namespace shard
