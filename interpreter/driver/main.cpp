// The command: argument parsing only.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <new>
#include <string>
#include <vector>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/cancellation.h"
#include "base/unit.h"
#include "grammar/diagnostics/render.h"
#include "grammar/parse/parser.h"
#include "grammar/print/printer.h"
#include "grammar/source/visible.h"
#include "interpreter/check/run_files.h"
#include "interpreter/driver/help.h"
#include "interpreter/driver/repl.h"
#include "interpreter/emulate/emulation.h"
#include "interpreter/host/file.h"
#include "interpreter/host/interrupt.h"
#include "interpreter/report/text_report.h"
#include "interpreter/report/timeline_report.h"
#include "interpreter/session/session.h"

namespace {

using namespace shard;  // NOLINT(google-build-using-namespace)

constexpr int kUsage = static_cast<int>(ExitStatus::Usage);

struct Arguments {
  std::vector<std::string> files;
  bool estimate = false;
  bool verify = false;
  bool json = false;
  bool csv = false;
  bool verbose = false;
  bool execute = false;
  int threads = 0;
  std::string inputs = "integers";
  std::string model = "book";
  bool hops = false;
  bool per_device = false;
  bool timeline = false;
  bool memory_profile = false;
  std::string trace;
  std::vector<std::string> faults;
  std::vector<std::string> slow;
  std::string memory;
  double max_flops = 2e11;  // NOLINT(readability-magic-numbers)
  bool ascii = false;
  bool latex = false;
  bool check = false;
  std::string topic;
};

// A message may quote arguments and file names, which can contain anything.
void say(const std::string& message) { std::cerr << visible_line(message) << "\n"; }

int fail(const std::string& message) {
  say("shard: " + message);
  return kUsage;
}

bool colour() { return isatty(STDERR_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr; }

void show(const std::vector<Diagnostic>& diagnostics, const SourceMap& sources) {
  std::cerr << render(diagnostics, sources, colour());
}

bool is_positive(const Rational& number) { return !number.is_overflow() && number > Rational(0); }

// "4 GB", "512 MiB", or a number of bytes.
std::optional<double> parse_size(const std::string& text) {
  const auto split = text.find_first_not_of("0123456789.eE+");
  auto number = Rational::parse(text.substr(0, split));
  if (!number) return std::nullopt;
  if (split != std::string::npos) {
    const auto unit = parse_unit(text.substr(text.find_first_not_of(' ', split)));
    if (!unit || unit->unit != kBytes) return std::nullopt;
    number = *number * unit->factor;
  }
  if (!is_positive(*number)) return std::nullopt;
  return number->to_double();
}

// Reports if the output could not be written completely: a partial output is not a report.
int finish(int status) {
  std::cout.flush();
  // Some file systems report a full disk only on close.
  const int copy = ::dup(STDOUT_FILENO);
  const bool closed = copy < 0 || ::close(copy) == 0;
  if (std::cout && closed) return status;
  return fail("the output cannot be written");
}

// An opened file gets the lowest free descriptor. If a standard stream is closed, the file would take its place and
// receive its output.
void hold_standard_numbers() {
  int opened = 0;
  do opened = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  while (opened >= 0 && opened <= STDERR_FILENO);
  if (opened >= 0) ::close(opened);
}

// The message if memory runs out where nobody can say for what; there is no memory left to say more.
template <class Run>
int within_memory(const Run& run) {
  try {
    return run();
  } catch (const std::bad_alloc&) {
    std::cerr << "shard: there is not enough memory to go on\n";
    return static_cast<int>(ExitStatus::RunFailed);
  }
}

// Ends the process. The system reclaims its memory at once, which for long scripts is much faster than freeing it piece
// by piece.
[[noreturn]] void leave(int status) { std::_Exit(finish(status)); }

FileClaim trace_claim(const Arguments& arguments) { return {FileUse::Trace, arguments.trace, {}}; }

TraceReport write_trace(const Outcome& outcome, const Session& session,
                        const Arguments& arguments) {
  TraceReport trace{.path = arguments.trace};
  if (const std::string why = why_no_trace(outcome); !why.empty()) {
    trace.reason = fmt::format("{} is not written, for there is no timeline: {}", trace.path, why);
    return trace;
  }
  if (const auto other = session.files().in_the_way(trace_claim(arguments))) {
    trace.failed = true;
    trace.reason = fmt::format("{} is not written over: it is {}", trace.path, described(*other));
    return trace;
  }
  const auto written = write_file(trace.path, trace_json(outcome, session.state()));
  trace.written = written.has_value();
  trace.failed = !trace.written;
  if (trace.failed) trace.reason = written.error().message;
  return trace;
}

// The exit status. The trace is written first, because its outcome is part of the report. Throws Cancelled before it
// prints anything.
int write_report(Outcome& outcome, const Session& session, const Arguments& arguments) {
  std::optional<TraceReport> trace;
  const bool sound = is_sound(outcome.status);
  if (!arguments.trace.empty() && sound) trace = write_trace(outcome, session, arguments);
  if (trace && trace->failed) outcome.status = ExitStatus::Usage;
  if (outcome.stopped) say("shard: stopped before anything was run");
  if (arguments.json) {
    std::cout << json_report(outcome, session.state(), session.sources(), trace) << std::flush;
    return static_cast<int>(outcome.status);
  }
  if (sound) {
    std::cout << (arguments.csv ? csv_report(outcome)
                                : text_report(outcome, session.state(),
                                              {.verbose = arguments.verbose,
                                               .timeline = arguments.timeline,
                                               .memory = arguments.memory_profile}))
              << std::flush;
  }
  show(outcome.diagnostics, session.sources());
  if (trace && !trace->written) say("shard: " + trace->reason);
  return static_cast<int>(outcome.status);
}

// The exit status.
int report(Outcome& outcome, const Session& session, const Arguments& arguments) {
  // The interrupt that ended a run must not also stop its report.
  const Cancellation until(outcome.was_cancelled() ? nullptr : std::function(interrupted));
  try {
    return write_report(outcome, session, arguments);
  } catch (const Cancelled&) {
    say("shard: stopped before the report was there");
    return static_cast<int>(ExitStatus::RunFailed);
  }
}

// What it wrote is known to the next script, through `options`.
int run_text(const std::string& name, const std::string& text, const Arguments& arguments,
             SessionOptions& options) {
  Session session(options);
  Outcome outcome = session.run(name, text);
  const int status = report(outcome, session, arguments);
  if (arguments.files.size() == 1) leave(status);
  options.files = session.files();
  options.files.next_script();
  return status;
}

std::optional<SessionOptions> session_options(const Arguments& arguments) {
  SessionOptions options;
  options.executor = &emulated_devices();
  options.must_execute = arguments.execute;
  options.model = arguments.model == "links" ? CostModel::Links : CostModel::Book;
  for (const std::string& fault : arguments.faults) options.faults.push_back("fault " + fault);
  for (const std::string& slow : arguments.slow) options.faults.push_back("slow " + slow);
  ExecutionOptions& execution = options.execution;
  execution.estimate = arguments.estimate;
  execution.verify = arguments.verify;
  execution.inputs = arguments.inputs == "normal" ? InputValues::Normal : InputValues::Integers;
  execution.threads = arguments.threads;
  execution.hops = arguments.hops;
  execution.per_device = arguments.per_device;
  execution.max_flops = arguments.max_flops;
  execution.memory = options.executor->default_memory();
  execution.cancelled = interrupted;
  if (!arguments.memory.empty()) {
    const auto bytes = parse_size(arguments.memory);
    if (!bytes) return std::nullopt;
    execution.memory = *bytes;
  }
  return options;
}

int worse(int a, int b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

// Each file is a script of its own.
template <class RunOne>
int for_each_file(const Arguments& arguments, const RunOne& run_one) {
  int status = 0;
  for (const std::string& path : arguments.files) {
    status = worse(status, within_memory([&] {
                     const auto text = read_text(path);
                     return text ? run_one(path == "-" ? "<stdin>" : path, *text)
                                 : fail(text.error().message);
                   }));
  }
  return status;
}

// What is wrong with a text that should be one `fault` or `slow`.
std::optional<std::string> mistake_in_fault(const std::string& text) {
  SourceMap sources;
  Names names;
  DiagnosticSink sink;
  const ast::Module module = parse(sources, sources.add("", text), names, sink);
  const std::string option = "--" + text.substr(0, text.find(' '));
  if (sink.has_errors()) return fmt::format("{}: {}", option, sink.all().front().message);
  const auto& statements = module.statements;
  const bool is_one =
      statements.size() == 1 && (std::holds_alternative<ast::Fault>(statements.front().node) ||
                                 std::holds_alternative<ast::Slow>(statements.front().node));
  if (is_one) return std::nullopt;
  return fmt::format("{} takes a link or a device, such as \"link X[3]\"", option);
}

// The files of the command itself. Fails if the trace would overwrite one of them.
Result<RunFiles> files_of(const Arguments& arguments) {
  RunFiles files;
  files.claim_open(FileUse::Output, STDOUT_FILENO, "standard output");
  files.claim_open(FileUse::Output, STDERR_FILENO, "standard error");
  for (const std::string& path : arguments.files) {
    if (path == "-")
      files.claim_open(FileUse::Script, STDIN_FILENO, "standard input");
    else
      files.claim({FileUse::Script, path, {}});
  }
  if (arguments.trace.empty()) return files;
  if (const auto other = files.claim(trace_claim(arguments)))
    return failure(fmt::format("--trace {} would be written over: it is {}", arguments.trace,
                               described(*other)));
  return files;
}

int command_run(const Arguments& arguments) {
  if (!arguments.trace.empty() && arguments.files.size() > 1)
    return fail("--trace is one file, and several scripts are given; run them one by one");
  auto files = files_of(arguments);
  if (!files) return fail(files.error().message);
  auto options = session_options(arguments);
  if (!options)
    return fail(fmt::format("--memory {} is no size; write 4 GB or 512 MiB", arguments.memory));
  for (const std::string& fault : options->faults) {
    if (const auto mistake = mistake_in_fault(fault)) return fail(*mistake);
  }
  options->files = *std::move(files);
  catch_interrupts(Interrupts::First);
  return for_each_file(arguments, [&](const std::string& name, const std::string& text) {
    return run_text(name, text, arguments, *options);
  });
}

int command_check(const Arguments& arguments) {
  auto files = files_of(arguments);
  if (!files) return fail(files.error().message);
  SessionOptions options;
  options.check_only = true;
  options.files = *std::move(files);
  return for_each_file(arguments, [&](const std::string& name, const std::string& text) {
    Session session(options);
    const Outcome outcome = session.run(name, text);
    show(outcome.diagnostics, session.sources());
    return static_cast<int>(outcome.status);
  });
}

int format_one(const std::string& name, const std::string& text, const Arguments& arguments) {
  SourceMap sources;
  Names names;
  DiagnosticSink sink;
  const FileId file = sources.add(name, text);
  const ast::Module module = parse(sources, file, names, sink);
  const ExitStatus status = status_of(sink.all());
  show(sink.take_sorted(), sources);
  if (!is_sound(status)) return static_cast<int>(status);
  const Spelling spelling = arguments.latex   ? Spelling::Latex
                            : arguments.ascii ? Spelling::Ascii
                                              : Spelling::Unicode;
  const std::string formatted = print(module, spelling);
  if (!arguments.check) {
    // A file gets the comments unchanged; on a terminal their control characters are made visible.
    std::cout << (isatty(STDOUT_FILENO) == 1 ? visible_text(formatted) : formatted) << std::flush;
    return 0;
  }
  if (formatted == text) return 0;
  say(fmt::format("{0}: not in canonical spelling; `shard fmt {1}{0}` prints it", name,
                  arguments.latex   ? "--latex "
                  : arguments.ascii ? "--ascii "
                                    : ""));
  return 1;
}

int command_fmt(const Arguments& arguments) {
  return for_each_file(arguments, [&](const std::string& name, const std::string& text) {
    return format_one(name, text, arguments);
  });
}

int command_help(const Arguments& arguments) {
  if (arguments.topic.empty()) {
    std::cout << help_overview();
    return 0;
  }
  if (const auto text = help_topic(arguments.topic)) {
    std::cout << *text;
    return 0;
  }
  return fail(no_help_on(arguments.topic));
}

// Without a subcommand: an interactive session at a terminal, otherwise a script from standard input.
int command_default(const Arguments& arguments) {
  if (isatty(STDIN_FILENO) == 0) {
    Arguments script = arguments;
    script.files = {"-"};
    return command_run(script);
  }
  SessionOptions options;
  options.executor = &emulated_devices();
  options.execution.memory = options.executor->default_memory();
  return run_repl(std::move(options));
}

const CLI::Validator kNotEmpty(
    [](const std::string& text) { return text.empty() ? std::string("it is empty") : ""; }, "", "");

void add_run_options(CLI::App& run, Arguments& arguments) {
  run.add_option("files", arguments.files, "scripts; - is standard input")->required();
  CLI::Option* estimate =
      run.add_flag("--estimate", arguments.estimate, "costs only, nothing is executed");
  run.add_flag("--verify", arguments.verify,
               "compare every array with the unsharded fp64 computation")
      ->excludes(estimate);
  CLI::Option* json = run.add_flag("--json", arguments.json, "the report as JSON");
  CLI::Option* csv = run.add_flag("--csv", arguments.csv,
                                  "the tables that `print` makes in loops as CSV, and nothing else")
                         ->excludes(json);
  run.add_flag("--verbose", arguments.verbose, "error figures of --verify");
  run.add_flag("--execute", arguments.execute, "what is too large to execute is an error")
      ->excludes(estimate);
  // 1024 is more than hosts have cores; a larger number is a usage error.
  run.add_option("--threads", arguments.threads, "threads to use")->check(CLI::Range(1, 1024));
  run.add_option("--inputs", arguments.inputs, "values of inputs")
      ->check(CLI::IsMember({"integers", "normal"}));
  run.add_option("--model", arguments.model,
                 "how long collectives take: by formulas, or by their hops on the links")
      ->check(CLI::IsMember({"book", "links"}));
  run.add_flag("--hops", arguments.hops, "carry out collectives hop by hop on the links")
      ->excludes(estimate);
  run.add_flag(
         "--per-device", arguments.per_device,
         "every device does all of its work and holds its own blocks: equal work is not shared")
      ->excludes(estimate);
  run.add_flag("--timeline", arguments.timeline, "a picture of which step runs when")
      ->excludes(json)
      ->excludes(csv);
  run.add_flag("--memory-profile", arguments.memory_profile,
               "what each device holds at the peak, and while each step runs")
      ->excludes(json)
      ->excludes(csv);
  run.add_option("--trace", arguments.trace, "write the timeline as a trace for Perfetto")
      ->check(kNotEmpty);
  run.add_option("--fault", arguments.faults, "what fails: \"link X[3] at 2 us\", \"device 5\"")
      ->take_all()
      ->allow_extra_args(false);
  run.add_option("--slow", arguments.slow, "what is slow: \"link X[3] by 10\", \"device 5 by 2\"")
      ->take_all()
      ->allow_extra_args(false);
  run.add_option("--memory", arguments.memory,
                 "memory that executing may take (default: half of what is free)")
      ->check(kNotEmpty);
  run.add_option("--max-flops", arguments.max_flops, "work above which a script is only estimated")
      ->check(CLI::Validator(
          [](const std::string& text) {
            const auto number = Rational::parse(text);
            if (number && number->is_overflow()) return text + " is out of range";
            return number && is_positive(*number) ? std::string() : text + " is no positive number";
          },
          "FLOPS"));
}

// One line that says what is wrong and what would be right.
int usage_error(const CLI::ParseError& error, int argc, char** argv) {
  std::string message = error.what();
  if (argc > 1 && std::filesystem::exists(argv[1])) {
    message = fmt::format("`{0}` is a file; to run it: shard run {0}", argv[1]);
  } else {
    message += "; `shard --help` lists the commands, `shard run --help` their options";
  }
  return fail(message);
}

int dispatch(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Shard, an interpreter for the sharding notation", "shard");
  app.set_version_flag("--version", "shard " SHARD_VERSION);
  app.require_subcommand(0, 1);
  CLI::App* run = app.add_subcommand("run", "check, execute on emulated devices, report");
  add_run_options(*run, arguments);
  CLI::App* check = app.add_subcommand("check", "diagnostics only");
  check->add_option("files", arguments.files, "scripts; - is standard input")->required();
  CLI::App* fmt = app.add_subcommand("fmt", "canonical text");
  fmt->add_option("files", arguments.files, "scripts; - is standard input")->required();
  CLI::Option* ascii = fmt->add_flag("--ascii", arguments.ascii, "in ASCII: *, -> for ·, →");
  fmt->add_flag("--latex", arguments.latex, "in LaTeX: \\cdot, \\rightarrow")->excludes(ascii);
  fmt->add_flag("--check", arguments.check,
                "exit with 1 if a file is not canonical; prints nothing");
  CLI::App* help = app.add_subcommand("help", "help on a topic or a kind of diagnostic");
  help->add_option("topic", arguments.topic, join(help_topics(), ", ") + ", AxisReused, …");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return error.get_exit_code() == 0 ? app.exit(error) : usage_error(error, argc, argv);
  }
  if (run->parsed()) return command_run(arguments);
  if (check->parsed()) return command_check(arguments);
  if (fmt->parsed()) return command_fmt(arguments);
  if (help->parsed()) return command_help(arguments);
  return command_default(arguments);
}

// Large arrays come and go all the time, and fresh memory from the system costs a fault per page. glibc therefore keeps
// up to 256 MiB of freed memory and maps only arrays above 32 MiB separately.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kLargestKept = 32 << 20;  // bytes; the largest threshold that glibc accepts
  constexpr int kKept = 256 << 20;
  mallopt(M_MMAP_THRESHOLD, kLargestKept);
  mallopt(M_TRIM_THRESHOLD, kKept);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  hold_standard_numbers();
  leave_no_parts();
  // A file at its size limit makes the write fail, which is reported, instead of ending the process.
  std::signal(SIGXFSZ, SIG_IGN);
  return finish(within_memory([&] { return dispatch(argc, argv); }));
}
