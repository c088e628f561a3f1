// Statements, one after the other: each is checked, planned and priced against the tables as they are at that point.
//
// In this folder:
//   runner.h                           statement after statement
//   statement.h                        one function for each kind of statement
//   run_context.h                      what these functions run with
//   flow.h                             flows become statements of the program
//   missing_figures.h                  what the chip lacks for the times of a flow
//   recorder.h                         the checked program, written down meanwhile
//   bindings.h                         names of scalars
//   functions/call.h, functions/bind_arguments.h  calls of functions, and their arguments
//   functions/open_target.h                        what brackets in the body of a function gather
//   use.h, questions/layout_search.h, questions/strategies.h, questions/block_pricer.h  modules; what `best` asks
//   loops/loop_values.h                what a loop over a list runs over
//   block_end.h, block_entries.h       the layout in which a cost block ends; its figures and steps as entries
//   print.h, loops/printed_pieces.h    values that are shown, as lines or as rows of a loop's table
//   wanted_array.h                     arrays whose contents are asked for
//   entries.h                          what a script says, in order
//   retell.h, line_trial.h             mistakes, said with what names mean; lines run on a copy of the tables
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/match.h"
#include "grammar/diagnostics/diagnostic.h"
#include "grammar/parse/parser.h"
#include "grammar/tree/ast.h"
#include "interpreter/check/operation.h"
#include "interpreter/evaluate/evaluator.h"
#include "interpreter/ir/budget.h"
#include "interpreter/ir/symbols.h"
#include "interpreter/lower/lower.h"
#include "interpreter/statements/entries.h"
#include "interpreter/statements/use.h"

namespace shard {

class Recorder;

// Where the result of a call goes.
struct ResultTarget {
  const ast::ArrayRef* array = nullptr;  // as written by the caller; nullptr: it has no name
  TargetHint hint;                       // its brackets, looked up by the caller
  std::optional<DType> dtype;            // that the caller declared for it
  std::string text;                      // the caller's statement
  bool wanted = false;                   // something is done with it
};

// What a call gave: nothing, an array, or a scalar.
using CallResult = std::variant<std::monostate, ArrayId, Value>;

// A call that runs.
struct CallFrame {
  std::shared_ptr<const ast::Function> function;
  std::vector<ResultTarget> targets;  // at least one: where one result goes, or several of as many
  std::size_t first_array = 0;        // arrays from here on were made by it
  Span span = {};                     // where it stands
  bool returned = false;
  bool failed = false;
  std::vector<CallResult> results = {};  // of `return`, one after the other
};

// A call outside of other calls, with the statements that it ran.
struct EndedCall {
  std::string function;
  Span span = {};           // where it stands
  std::size_t program = 0;  // in RunnerState::programs
  std::size_t first = 0;    // in Program::statements
  std::size_t end = 0;
};

// A table of the outermost loop that runs.
struct LoopTable {
  // The array of a cell: Program::requests[request] of RunnerState::programs[program].
  struct WantedArray {
    std::size_t program = 0;
    std::size_t request = 0;
  };
  Span print;  // that fills it
  PrintedTable table;
  std::vector<WantedArray> arrays = {};
};

struct RunnerOptions {
  bool interactive =
      false;  // a size may be bound anew: arrays that used it are dropped with a note
  bool judge_expects = true;  // report an `expect` that does not hold
  bool try_help = false;      // lines of a help are run before they are shown
  bool check_only = false;    // nobody asks for the figures of the whole program
  double memory = 0;          // bytes that the values of files may take; 0: nothing will be run
  Budget* budget = nullptr;   // nullptr: unlimited
  double plan_time =
      1;  // work that `best` may take, in seconds of a usual machine (docs/language.md)
  Modules* modules = nullptr;  // nullptr: only those of the library
  RunFiles* files = nullptr;   // nullptr: none is read that must not be written, and none written
  // nullptr: nobody asks for the checked program. Cost blocks and lines of help are not written down.
  Recorder* recorder = nullptr;
  // `fault` and `slow` of the command line: they hold for every program. nullptr: none.
  const std::vector<ast::Statement>* faults = nullptr;
};

// Runs statements against a scope. A value: a REPL copies it, runs an input and keeps the copy if all went well.
struct RunnerState {
  Scope scope;
  std::vector<Program> programs;     // one for each machine, the last one growing
  std::size_t current = 0;           // the one that grows
  std::set<DimensionId> open_sizes;  // dimensions without a size that statements computed with
  bool program_ended = false;        // a size changed: what follows is another program
  bool derives = false;              // the statements that run are gradients'
  bool in_kernel = false;            // those of a `fused` block, which are priced when it is over
  bool incomplete = false;  // a flow is missing, for a mistake that was reported here or before
  std::vector<Entry> entries;
  std::vector<CallFrame> calls = {};  // that run, the innermost last
  std::vector<EndedCall> ended_calls = {};
  std::vector<LoopTable> tables = {};
  // Of all runs over this state and its copies, as passes of a loop and calls are.
  std::shared_ptr<BracketsCache> brackets = std::make_shared<BracketsCache>();
  // The words of functions that were asked for them, as names are looked for in them.
  using FunctionWords = std::map<std::shared_ptr<const ast::Function>, std::set<std::string>>;
  std::shared_ptr<FunctionWords> function_words = std::make_shared<FunctionWords>();
};

// Gives one statement after the other; null at the end.
using NextStatement = std::function<const ast::Statement*()>;

// Reports everything that is wrong, and goes on after each mistake. All statements are asked for.
void run_statements(const NextStatement& next, RunnerState& state, const RunnerOptions& options,
                    DiagnosticSink& sink);
void run_statements(const std::vector<ast::Statement>& statements, RunnerState& state,
                    const RunnerOptions& options, DiagnosticSink& sink);

}  // namespace shard
