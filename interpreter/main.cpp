// The command: argument parsing only.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "base/unit.h"
#include "grammar/parser.h"
#include "grammar/printer.h"
#include "grammar/render.h"
#include "interpreter/file.h"
#include "interpreter/help.h"
#include "interpreter/interrupt.h"
#include "interpreter/repl.h"
#include "interpreter/report.h"
#include "interpreter/session.h"

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
  std::string memory;
  double max_flops = 2e11;  // NOLINT(readability-magic-numbers)
  bool ascii = false;
  bool latex = false;
  bool check = false;
  std::string topic;
};

int fail(const std::string& message) {
  std::cerr << "shard: " << message << "\n";
  return kUsage;
}

bool colour() { return isatty(STDERR_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr; }

void show(const std::vector<Diagnostic>& diagnostics, const SourceMap& sources) {
  std::cerr << render(diagnostics, sources, colour());
}

// "4 GB", "512 MiB", or a number of bytes.
std::optional<double> parse_size(const std::string& text) {
  const auto split = text.find_first_not_of("0123456789.eE+");
  const auto number = Rational::parse(text.substr(0, split));
  if (!number || !(*number > Rational(0))) return std::nullopt;
  if (split == std::string::npos) return number->to_double();
  const auto unit = parse_unit(text.substr(text.find_first_not_of(' ', split)));
  if (!unit || unit->unit != kBytes) return std::nullopt;
  return (*number * unit->factor).to_double();
}

int run_text(const std::string& name, const std::string& text, const Arguments& arguments,
             SessionOptions options) {
  Session session(std::move(options));
  const Outcome outcome = session.run(name, text);
  if (arguments.json) {
    std::cout << json_report(outcome, session.state(), session.sources()) << std::flush;
    return static_cast<int>(outcome.status);
  }
  if (is_sound(outcome.status)) {
    std::cout << (arguments.csv
                      ? csv_report(outcome)
                      : text_report(outcome, session.state(), {.verbose = arguments.verbose}))
              << std::flush;
  }
  show(outcome.diagnostics, session.sources());
  return static_cast<int>(outcome.status);
}

std::optional<SessionOptions> session_options(const Arguments& arguments) {
  SessionOptions options;
  options.must_execute = arguments.execute;
  ExecutionOptions& execution = options.execution;
  execution.estimate = arguments.estimate;
  execution.verify = arguments.verify;
  execution.inputs = arguments.inputs == "normal" ? InputValues::Normal : InputValues::Integers;
  execution.threads = arguments.threads;
  execution.max_flops = arguments.max_flops;
  execution.memory = default_memory();
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
    const auto text = read_text(path);
    status = worse(
        status, text ? run_one(path == "-" ? "<stdin>" : path, *text) : fail(text.error().message));
  }
  return status;
}

int command_run(const Arguments& arguments) {
  const auto options = session_options(arguments);
  if (!options)
    return fail(fmt::format("--memory {} is no size; write 4 GB or 512 MiB", arguments.memory));
  catch_interrupts();
  return for_each_file(arguments, [&](const std::string& name, const std::string& text) {
    return run_text(name, text, arguments, *options);
  });
}

int command_check(const Arguments& arguments) {
  SessionOptions options;
  options.check_only = true;
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
    std::cout << formatted << std::flush;
    return 0;
  }
  if (formatted == text) return 0;
  std::cerr << name << ": not in canonical spelling; `shard fmt "
            << (arguments.latex   ? "--latex "
                : arguments.ascii ? "--ascii "
                                  : "")
            << name << "` prints it\n";
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
  const auto near = nearest_topic(arguments.topic);
  return fail(near
                  ? fmt::format("no help on `{}`; did you mean `{}`?", arguments.topic, *near)
                  : fmt::format("no help on `{}`; `shard help` lists the topics", arguments.topic));
}

// Without a subcommand: a session at a terminal, a script from anything else.
int command_default(const Arguments& arguments) {
  if (isatty(STDIN_FILENO) == 0) {
    Arguments script = arguments;
    script.files = {"-"};
    return command_run(script);
  }
  SessionOptions options;
  options.execution.memory = default_memory();
  return run_repl(std::move(options));
}

void add_run_options(CLI::App& run, Arguments& arguments) {
  run.add_option("files", arguments.files, "scripts; - is standard input")->required();
  CLI::Option* estimate =
      run.add_flag("--estimate", arguments.estimate, "costs only, nothing is executed");
  run.add_flag("--verify", arguments.verify,
               "compare every array with the unsharded fp64 computation");
  CLI::Option* json = run.add_flag("--json", arguments.json, "the report as JSON");
  run.add_flag("--csv", arguments.csv,
               "the tables that `print` makes in loops as CSV, and nothing else")
      ->excludes(json);
  run.add_flag("--verbose", arguments.verbose, "error figures of --verify");
  run.add_flag("--execute", arguments.execute, "what is too large to execute is an error")
      ->excludes(estimate);
  run.add_option("--threads", arguments.threads, "threads to use")->check(CLI::Range(1, 1024));
  run.add_option("--inputs", arguments.inputs, "values of inputs")
      ->check(CLI::IsMember({"integers", "normal"}));
  run.add_option("--memory", arguments.memory,
                 "memory that executing may take (default: half of what is free)");
  run.add_option("--max-flops", arguments.max_flops, "work above which a script is only estimated")
      ->check(CLI::Validator(
          [](const std::string& text) {
            const auto number = Rational::parse(text);
            return number && *number > Rational(0) ? std::string()
                                                   : text + " is no positive number";
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
  help->add_option(
      "topic", arguments.topic,
      "statements, notation, functions, loops, collectives, cost, repl, errors, AxisReused, …");
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

}  // namespace

int main(int argc, char** argv) {
  const int status = dispatch(argc, argv);
  std::cout.flush();
  if (std::cout) return status;
  std::cerr << "shard: the output cannot be written\n";
  return static_cast<int>(ExitStatus::RunFailed);
}
