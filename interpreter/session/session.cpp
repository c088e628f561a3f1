#include "interpreter/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <span>

#include "base/cancellation.h"
#include "base/check_failure.h"
#include "base/format.h"
#include "base/words.h"
#include "grammar/parse/parser.h"
#include "interpreter/estimate/device_limits.h"
#include "interpreter/session/settle_requests.h"
#include "interpreter/session/statement_stream.h"
#include "interpreter/suggest/misspelling.h"
#include "runtime/machine/fault.h"
#include "runtime/network/link_time_cache.h"

namespace shard {

namespace {

Span span_of(const Program& program, int statement) {
  return statement >= 0 && statement < static_cast<int>(program.statements.size())
             ? program.statements[static_cast<std::size_t>(statement)].span
             : Span{};
}

// Consequences are not reported: what is computed of a wrong array is judged by that array as it is.
Diagnostic difference(const Comparison& comparison, const Program& program, const Scope& scope) {
  return {.kind = DiagnosticKind::ExecutionFailed,
          .span = comparison.statement >= 0 ? span_of(program, comparison.statement)
                                            : scope.store.arrays[comparison.array].span,
          .message = difference_text(comparison, program, scope),
          .help = {"this is a bug of Shard, and not of the script; please report it"}};
}

void report_execution(const Program& program, const Execution& execution, bool must_execute,
                      const Scope& scope, DiagnosticSink& sink) {
  if (execution.fault && !execution.is_planned_fault) {
    sink.report({.kind = DiagnosticKind::ExecutionFailed,
                 .span = span_of(program, execution.fault_statement),
                 .message = execution.fault->message});
  }
  if (execution.refusal && must_execute) {
    sink.report({.kind = *execution.refusal,
                 .span = span_of(program, 0),
                 .message = execution.reason,
                 .help = {"leave out --execute to have it estimated; --memory and --max-flops "
                          "raise their limits"}});
  }
  for (const Comparison& comparison : execution.comparisons) {
    if (!comparison.within) sink.report(difference(comparison, program, scope));
  }
}

// What an input adds to a program: statements, or arrays that it asks for.
bool has_more(const Program& program, std::size_t index, std::span<const Entry> entries,
              std::size_t first_entry) {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const Entry& entry) {
                       const auto* planned = std::get_if<PlannedEntry>(&entry);
                       return planned != nullptr && planned->program == index;
                     }) ||
         std::any_of(program.requests.begin(), program.requests.end(),
                     [&](const ArrayRequest& request) { return request.entry >= first_entry; });
}

bool is_undecided_expectation(const Entry& entry) {
  const auto* expected = boxed_in<ExpectedEntry>(entry);
  return expected != nullptr && !expected->pending && !expected->holds;
}

// Whether running it failed, or a question has no answer, as it would again with the lines that follow. An expectation that fails
// is an answer.
bool cannot_stay(const std::vector<Diagnostic>& diagnostics, std::span<const Entry> entries) {
  const bool expects_undecided =
      std::any_of(entries.begin(), entries.end(), is_undecided_expectation);
  return std::any_of(diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& diagnostic) {
    const DiagnosticKind kind = diagnostic.kind;
    return info(kind).phase == Phase::Running || kind == DiagnosticKind::NoLayoutFits ||
           kind == DiagnosticKind::NoOpenSize || kind == DiagnosticKind::SeveralOpenSizes ||
           (kind == DiagnosticKind::Undecidable && !expects_undecided);
  });
}

Wanted wanted_by(std::span<const Entry> entries, std::size_t program, std::size_t first_entry) {
  Wanted wanted{.first_entry = first_entry};
  for (const Entry& entry : entries) {
    const auto* planned = std::get_if<PlannedEntry>(&entry);
    if (planned != nullptr && planned->program == program)
      wanted.statements.insert(planned->statement);
  }
  return wanted;
}

// Whether all statements that were planned with these entries are in that part of the program.
bool has_newest(const Program& part, std::span<const Entry> entries, const Program& whole) {
  std::size_t planned = 0;
  for (const Entry& entry : entries) planned += std::holds_alternative<PlannedEntry>(entry) ? 1 : 0;
  const std::size_t newest = std::min(planned, whole.statements.size());
  if (part.statements.size() < newest) return false;
  for (std::size_t i = 1; i <= newest; ++i) {
    if (part.statements[part.statements.size() - i].span !=
        whole.statements[whole.statements.size() - i].span)
      return false;
  }
  return true;
}

// A text that is longer was written by a program, which makes no slips of the finger.
void look_for_misspellings(const SourceMap& sources, FileId file, DiagnosticSink& sink) {
  constexpr std::size_t kLongest = std::size_t{1} << 16;
  if (sources.text(file).size() > kLongest) return;
  DiagnosticSink told_already;
  Names names;
  warn_of_misspellings(parse(sources, file, names, told_already).statements, sink);
}

}  // namespace

Session::Session(SessionOptions options)
    : options_(std::move(options)), arrays_(options_.execution.memory) {
  if (options_.executor == nullptr) options_.execution.estimate = true;
  Machine& machine = state_.scope.machine.machine;
  machine.model = options_.model;
  state_.scope.rule = options_.plan;
  machine.link_times = std::make_shared<LinkTimes>();
}

bool Outcome::was_cancelled() const {
  return stopped || std::any_of(programs.begin(), programs.end(), [](const ProgramReport& program) {
           return program.execution.cancelled;
         });
}

// Each is a text of its own, so that mistakes are shown in it.
std::vector<ast::Statement> Session::given_faults(DiagnosticSink& sink) {
  std::vector<ast::Statement> statements;
  for (const std::string& text : options_.faults) {
    Names names;
    const std::string name = text.starts_with("slow") ? "<--slow>" : "<--fault>";
    const ast::Module module = parse(sources_, sources_.add(name, text), names, sink);
    statements.insert(statements.end(), module.statements.begin(), module.statements.end());
  }
  return statements;
}

Span Session::span_of_option(const std::string& option, const std::string& text) {
  const FileId file = sources_.add(option, text);
  return {.file = file, .begin = 0, .end = static_cast<std::uint32_t>(text.size())};
}

void Session::run_statements_of(FileId file, Budget& budget, Span& at, bool try_help,
                                DiagnosticSink& sink) {
  const std::vector<ast::Statement> faults = given_faults(sink);
  Modules modules(sources_, options_.files);
  StatementStream stream(sources_, file, names_, sink, options_.execution.cancelled);
  std::size_t told = 0;  // before the statement that runs
  const auto next = [&]() -> const ast::Statement* {
    if (budget.interrupted) return nullptr;
    const ast::Statement* statement = stream.next();
    told = sink.all().size();
    if (statement != nullptr) at = statement->at.span;
    return statement;
  };
  const ExecutionOptions& execution = options_.execution;
  const bool reads = !options_.check_only && (!execution.estimate || execution.reads_files);
  run_statements(next, state_,
                 {.interactive = options_.interactive,
                  .judge_expects = !options_.check_only,
                  .try_help = try_help,
                  .check_only = options_.check_only,
                  .memory = reads ? execution.memory : 0,
                  .budget = &budget,
                  .plan_time = options_.plan_time,
                  .modules = &modules,
                  .files = &options_.files,
                  .faults = &faults},
                 sink);
  if (budget.interrupted) sink.keep(told);
}

void Session::go_back_to(Before before) {
  state_ = std::move(before.state);
  names_.go_back_to(std::move(before.names));
  counted_ = before.counted;
  input_ = before.input;
}

void Session::accept(std::size_t first_entry, Outcome& outcome) {
  for (const NewArrays& made : new_arrays_)
    arrays_.add(made.program, made.copies, state_.programs[made.program], state_.scope);
  outcome.entries.assign(state_.entries.begin() + static_cast<std::ptrdiff_t>(first_entry),
                         state_.entries.end());
  outcome.stays = options_.interactive;
}

void Session::keep_earlier(Before before) {
  // Each shares what the inputs after it did not change, but has its own lists of steps.
  constexpr std::size_t kMost = 50;
  earlier_.push_back(std::move(before));
  if (earlier_.size() > kMost) earlier_.pop_front();
}

Session Session::supposed() const {
  Session other(options_);
  other.sources_ = sources_;
  other.names_ = names_;
  other.state_ = state_;
  other.counted_ = counted_;
  other.input_ = input_;
  other.options_.execution.estimate = true;
  return other;
}

bool Session::undo() {
  if (earlier_.empty()) return false;
  go_back_to(std::move(earlier_.back()));
  earlier_.pop_back();
  // Ids of copies are given anew from here on.
  forget_arrays();
  return true;
}

void Session::forget_arrays() { arrays_ = SessionArrays(options_.execution.memory); }

Outcome Session::run(std::string name, std::string text) {
  const FileId file = sources_.add(std::move(name), std::move(text), input_);
  DiagnosticSink sink;
  Before before{.state = state_, .names = names_.mark(), .counted = counted_, .input = input_};
  const std::size_t first_entry = state_.entries.size();
  new_arrays_.clear();
  options_.files.next_input();
  Budget budget{.cancelled = options_.execution.cancelled};
  Span at{.file = file};
  Outcome outcome;
  const Cancellation until(options_.execution.cancelled);
  // At most once: what is forgotten does not stay.
  const auto forget_input = [&] { go_back_to(std::move(before)); };
  try {
    run_statements_of(file, budget, at, false, sink);
    if (!is_sound(status_of(sink.all())) && !budget.stopped()) {
      // Once more for its mistakes: each line of a help is tried where it is to stand.
      go_back_to(before);
      sink.keep(0);
      options_.files.next_input();
      budget = Budget{.cancelled = options_.execution.cancelled};
      run_statements_of(file, budget, at, true, sink);
    }
    const auto sound = [&] { return is_sound(status_of(sink.all())); };
    if (sound() && !budget.interrupted && !options_.interactive)
      look_for_misspellings(sources_, file, sink);
    if (sound() && !budget.interrupted) outcome.programs = execute_programs(first_entry, sink);
    const std::span<const Entry> entries = std::span(state_.entries).subspan(first_entry);
    if (budget.interrupted ||
        (options_.interactive && (!sound() || cannot_stay(sink.all(), entries)))) {
      if (options_.interactive) forget_input();
      outcome.programs.clear();
    } else {
      accept(first_entry, outcome);
      input_ = file;
    }
  } catch (const Cancelled&) {
    // In the midst of a statement or of the figures. Of a script nobody asks for the rest, and taking apart what a long one has
    // made would take seconds.
    if (options_.interactive) forget_input();
    outcome = {};
    budget.interrupted = true;
    sink.keep(0);
  } catch (const CheckFailure&) {
    forget_input();
    forget_arrays();
    throw;
  } catch (const std::bad_alloc&) {
    // Of a script nothing is left, which makes room to say so.
    forget_input();
    outcome = {};
    sink.report({.kind = DiagnosticKind::OutOfHostMemory,
                 .span = at,
                 .message = "there is not enough memory to go on"});
  }
  outcome.diagnostics = sink.take_sorted();
  outcome.status = status_of(outcome.diagnostics);
  outcome.stopped = budget.interrupted;
  if (outcome.stays) keep_earlier(std::move(before));
  if (outcome.stopped || (outcome.was_cancelled() && outcome.status == ExitStatus::Fine))
    outcome.status = ExitStatus::RunFailed;
  return outcome;
}

std::vector<ProgramReport> Session::execute_programs(std::size_t first_entry,
                                                     DiagnosticSink& sink) {
  const std::span<const Entry> entries = std::span(state_.entries).subspan(first_entry);
  std::vector<ProgramReport> reports(state_.programs.size());
  if (!options_.interactive && !options_.check_only) check_cut(sink);
  for (std::size_t i = 0; i < reports.size(); ++i) {
    // A session goes on where it stopped: programs that this input adds nothing to have had their say.
    const Program& program = state_.programs[i];
    if (options_.interactive && !has_more(program, i, entries, first_entry)) continue;
    if (options_.check_only) {
      // Nobody asks for figures; as formulas in many sizes they would be long.
      if (program.machine.chip.hbm && has_all_sizes(program))
        check_device_memory(program, memory_of(program), sink);
    } else if (options_.interactive) {
      reports[i] = execute_input(i, first_entry, sink);
    } else {
      reports[i] = execute_whole(program, first_entry, sink);
    }
  }
  return reports;
}

ProgramReport Session::execute_whole(const Program& program, std::size_t first_entry,
                                     DiagnosticSink& sink) {
  ProgramReport report{.figures = figures_of(program), .execution = {}};
  report.execution.reason = check_device_limits(program, report.figures, sink);
  if (!report.execution.reason.empty()) return report;
  report.execution = execute_cut({.program = program,
                                  .scope = state_.scope,
                                  .whole = program,
                                  .faults = report.figures.faults},
                                 sink);
  settle(program, report, first_entry, sink);
  return report;
}

void Session::settle(const Program& program, ProgramReport& report, std::size_t first_entry,
                     DiagnosticSink& sink) {
  report_execution(program, report.execution, options_.must_execute, state_.scope, sink);
  settle_requests(program, report.execution, first_entry, options_.execution.cancelled,
                  options_.files, state_.entries, sink);
}

// What this input does not depend on was run before, or is too much, or lacks sizes.
ProgramReport Session::execute_input(std::size_t index, std::size_t first_entry,
                                     DiagnosticSink& sink) {
  const Program& whole = state_.programs[index];
  const std::span<const Entry> entries = std::span(state_.entries).subspan(first_entry);
  // How far a length is cut depends on everything it is tied to, which grows from input to input: cut arrays are not held.
  const bool is_cut = options_.execution.cut.changes_anything();
  const PartToRun part =
      part_to_run(whole, wanted_by(entries, index, first_entry),
                  [&](CopyId copy) { return !is_cut && arrays_.has(index, copy); });
  if (!has_newest(part.program, entries, whole)) return execute_whole(whole, first_entry, sink);
  ProgramReport report;
  if (!is_within_limits(index)) {
    report.figures = figures_of(whole);
    report.execution.reason = check_device_limits(whole, report.figures, sink);
    if (!report.execution.reason.empty()) return report;
  }
  const auto original = [&](CopyId copy) {
    return part.originals[static_cast<std::size_t>(copy.value)];
  };
  const auto keeps = [&](CopyId copy) {
    return !is_cut && !arrays_.has(index, original(copy)) &&
           is_reached(original(copy), whole, state_.scope);
  };
  report.execution = execute_cut({.program = part.program,
                                  .scope = state_.scope,
                                  .whole = whole,
                                  .faults = report.figures.faults,
                                  .originals = part.originals,
                                  .held = arrays_.inputs_of(part),
                                  .keeps = keeps},
                                 sink);
  NewArrays made{.program = index, .copies = {}};
  for (const auto& [copy, held] : report.execution.held) made.copies.emplace(original(copy), held);
  new_arrays_.push_back(std::move(made));
  settle(part.program, report, first_entry, sink);
  return report;
}

bool Session::is_within_limits(std::size_t index) {
  const Program& program = state_.programs[index];
  if (!fault_marks(program.machine).empty()) return false;
  if (!program.machine.chip.hbm) return true;
  const auto& copies = program.plan.copies;
  if (counted_.program != index || counted_.count > copies.size())
    counted_ = {.program = index, .count = 0, .bytes = 0};
  for (; counted_.count < copies.size(); ++counted_.count) {
    const Copy& copy = copies[CopyId{static_cast<std::int32_t>(counted_.count)}];
    const auto bytes =
        local_bytes(copy.shape, copy.dtype, copy.layout, program.machine.mesh).constant();
    if (!bytes) return false;
    counted_.bytes = counted_.bytes + *bytes;
  }
  return counted_.bytes <= *program.machine.chip.hbm;
}

}  // namespace shard
