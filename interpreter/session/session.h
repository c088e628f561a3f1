// The one entry for the command line, the REPL and tests: text in, outcome out.
//
// In this folder:
//   session.h           text in, outcome out
//   session_arrays.h    what the devices hold between the inputs of a session
//   statement_stream.h  statements read ahead of the runner
//   settle_requests.h   `save` and `expect equal`, when the run is over
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/plan_rule.h"
#include "grammar/diagnostics/diagnostic.h"
#include "grammar/source/source.h"
#include "grammar/tree/names.h"
#include "grammar/tree/statement.h"
#include "interpreter/estimate/figures.h"
#include "interpreter/execute/program_executor.h"
#include "interpreter/host/exit_status.h"
#include "interpreter/session/session_arrays.h"
#include "interpreter/statements/runner.h"
#include "runtime/machine/machine.h"

namespace shard {

struct SessionOptions {
  bool check_only = false;    // diagnostics, nothing else
  bool interactive = false;   // a REPL: an input with errors leaves the session as it was
  bool must_execute = false;  // what is too large to run is an error
  CostModel model = CostModel::Book;
  PlanRule plan = PlanRule::Cases;  // until a script says otherwise
  double plan_time = 1;             // as RunnerOptions
  std::vector<std::string> faults =
      {};  // statements that hold for every program: "fault link X[3]"
  // Runs the programs. Without one they are only estimated, as with execution.estimate.
  const ProgramExecutor* executor = nullptr;
  ExecutionOptions execution;
  RunFiles files = {};  // that inputs may not write over
};

// A program with everything that is known of it.
struct ProgramReport {
  // Of a session at a terminal only where the devices have not enough for all that was planned, or have faults: a line does not
  // cost what all lines before it do.
  Figures figures;
  Execution execution;
};

struct Outcome {
  std::vector<Diagnostic> diagnostics;  // sorted by place
  std::vector<Entry> entries;           // of this input
  std::vector<ProgramReport>
      programs;  // parallel to state().programs; empty with `check_only` or after errors
  ExitStatus status = ExitStatus::Fine;
  bool stopped = false;  // by Ctrl-C, before anything was run
  bool stays = false;    // of a session at a terminal: it goes on with this input

  // Whether Ctrl-C ended it, before or in a run.
  bool was_cancelled() const;
};

class Session {
 public:
  explicit Session(SessionOptions options);

  // Reads, checks, plans, prices and executes. `name` is what diagnostics call the text. Where memory runs out, the outcome
  // says so, and the session is as it was before; a script's is empty. It is as it was before a CheckFailure, too.
  Outcome run(std::string name, std::string text);

  // The same session where nothing is executed, and nothing that is done to it comes back: what an input would do.
  Session supposed() const;
  // Takes the last input back that stayed, of a session at a terminal; false if there is none, or it was too long ago.
  bool undo();
  // Lets go of what the devices hold. What names still reach is computed again when it is asked for.
  void forget_arrays();

  ExecutionOptions& execution() { return options_.execution; }
  const ExecutionOptions& execution() const { return options_.execution; }
  // Those of the options, and what the last input read and wrote.
  const RunFiles& files() const { return options_.files; }
  const SourceMap& sources() const { return sources_; }
  const RunnerState& state() const { return state_; }
  const Names& names() const { return names_; }

 private:
  // Bytes per device of the first copies of a program.
  struct CountedCopies {
    std::size_t program = 0;
    std::size_t count = 0;
    Rational bytes = 0;
  };
  // What an input that is not to stay leaves as it was.
  struct Before {
    RunnerState state;
    Names::Mark names;
    CountedCopies counted;
    FileId input;  // the last that stayed
  };

  void go_back_to(Before before);
  // The session goes on with the input whose entries begin there.
  void accept(std::size_t first_entry, Outcome& outcome);
  void keep_earlier(Before before);
  std::vector<ast::Statement> given_faults(DiagnosticSink& sink);
  // A place for what is wrong with a text of the command line.
  Span span_of_option(const std::string& option, const std::string& text);
  // Up to the end of the text; `at` is where the last statement is that was begun. What is said about a statement that
  // Ctrl-C stopped is forgotten: it saw parts of what it asked for.
  void run_statements_of(FileId file, Budget& budget, Span& at, bool try_help,
                         DiagnosticSink& sink);
  std::vector<ProgramReport> execute_programs(std::size_t first_entry, DiagnosticSink& sink);
  // A program of a script, or all of one where no part can be run.
  ProgramReport execute_whole(const Program& program, std::size_t first_entry,
                              DiagnosticSink& sink);
  // What the newest input adds to program number `index`.
  ProgramReport execute_input(std::size_t index, std::size_t first_entry, DiagnosticSink& sink);
  // Whether the devices hold all copies of the program at once, whatever the schedule; without faults nothing else can be in its
  // way.
  bool is_within_limits(std::size_t index);
  // On smaller arrays, if the options ask for them. Reports lengths that cannot be had.
  Execution execute_cut(const ProgramRun& run, DiagnosticSink& sink);
  // Reports lengths that are given to no dimension.
  void check_cut(DiagnosticSink& sink);
  void settle(const Program& program, ProgramReport& report, std::size_t first_entry,
              DiagnosticSink& sink);

  SessionOptions options_;
  SourceMap sources_;
  Names names_;
  RunnerState state_;
  SessionArrays arrays_;  // of a session at a terminal
  // Of an input that is not known to stay yet.
  struct NewArrays {
    std::size_t program = 0;
    KeptCopies copies;
  };
  std::vector<NewArrays> new_arrays_;
  CountedCopies counted_;
  FileId input_;                // the last that stayed: the next one goes on from it
  std::deque<Before> earlier_;  // of a session at a terminal: what the last inputs found
};

}  // namespace shard
