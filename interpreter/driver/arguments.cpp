#include "interpreter/driver/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <thread>

#include "base/contains.h"
#include "base/plan_rule.h"
#include "base/rational.h"
#include "base/words.h"
#include "interpreter/driver/console.h"
#include "interpreter/driver/help.h"
#include "interpreter/testing/process.h"

namespace shard {

namespace {

const CLI::Validator kNotEmpty(
    [](const std::string& text) { return text.empty() ? std::string("it is empty") : ""; }, "", "");

// One of these words. CLI11's own check names no nearest one.
CLI::Validator one_of(std::vector<std::string> words) {
  return CLI::Validator(
      [words](const std::string& text) {
        if (contains(words, text)) return std::string();
        const auto near = nearest_name(text, words);
        return near ? fmt::format("`{}` is none of {}; did you mean `{}`?", text,
                                  fmt::join(words, ", "), *near)
                    : fmt::format("`{}` is none of {}", text, fmt::join(words, ", "));
      },
      fmt::format("{{{}}}", fmt::join(words, ",")));
}

void add_stdin_name(CLI::App& app, Arguments& arguments) {
  app.add_option("--stdin-name", arguments.stdin_name, "what messages call standard input")
      ->type_name("FILE")
      ->check(kNotEmpty);
}

void add_files(CLI::App& app, Arguments& arguments) {
  app.add_option("files", arguments.files, "scripts; - is standard input")->required();
  add_stdin_name(app, arguments);
}

// Those that a session has as well.
void add_session_options(CLI::App& app, Arguments& arguments) {
  CLI::Option* estimate =
      app.add_flag("--estimate", arguments.estimate, "costs only, nothing is executed");
  app.add_flag("--verify", arguments.verify,
               "compare every array with the unsharded fp64 computation")
      ->excludes(estimate);
  // 1024 is more than hosts have cores; a larger number is a usage error.
  app.add_option("--threads", arguments.threads, "threads to use")->check(CLI::Range(1, 1024));
  app.add_option("--inputs", arguments.inputs, "values of inputs")
      ->check(one_of({"integers", "normal"}));
  app.add_option("--model", arguments.model,
                 "how long collectives take: by formulas, or by their hops on the links")
      ->check(one_of({"book", "links"}));
  app.add_option("--plan", arguments.plan,
                 "how statements are planned: by the documents' cases, or for least of what: time "
                 "(cheapest), time on the timeline (overlap), bytes moved, memory")
      ->check(one_of(plan_rule_names()));
  app.add_option("--plan-time", arguments.plan_time,
                 "work that `best` may take to find layouts, in seconds of a usual host")
      ->check(CLI::Range(0.01, 1e6));
  app.add_flag("--hops", arguments.hops, "carry out collectives hop by hop on the links")
      ->excludes(estimate);
  app.add_flag(
         "--per-device", arguments.per_device,
         "every device does all of its work and holds its own blocks: equal work is not shared")
      ->excludes(estimate);
  app.add_option("--fault", arguments.faults, "what fails: \"link X[3] at 2 us\", \"device 5\"")
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--slow", arguments.slow, "what is slow: \"link X[3] by 10\", \"device 5 by 2\"")
      ->take_all()
      ->allow_extra_args(false);
  app.add_option(
         "--scale", arguments.scale,
         "executes the same plan on smaller arrays: 1/64 of each length, as far as it can be cut")
      ->check(kNotEmpty)
      ->excludes(estimate);
  app.add_option("--set", arguments.sizes,
                 "executes the same plan with this length of a dimension: B=1Ki")
      ->take_all()
      ->allow_extra_args(false)
      ->excludes(estimate);
  app.add_option("--memory", arguments.memory,
                 "memory that executing may take (default: half of what is free)")
      ->check(kNotEmpty);
  app.add_option("--max-flops", arguments.max_flops, "work above which a script is only estimated")
      ->check(CLI::Validator(
          [](const std::string& text) {
            const auto number = Rational::parse(text);
            if (number && number->is_overflow()) return text + " is out of range";
            return number && *number > Rational(0) ? std::string()
                                                   : text + " is no positive number";
          },
          "FLOPS"));
}

void add_run_options(CLI::App& run, Arguments& arguments) {
  add_files(run, arguments);
  add_session_options(run, arguments);
  CLI::Option* estimate = run.get_option("--estimate");
  CLI::Option* json = run.add_flag("--json", arguments.json, "the report as JSON");
  CLI::Option* csv = run.add_flag("--csv", arguments.csv,
                                  "the tables that `print` makes in loops as CSV, and nothing else")
                         ->excludes(json);
  run.add_flag("--verbose", arguments.verbose,
               "a row for each step, and error figures of --verify");
  run.add_flag("--execute", arguments.execute, "what is too large to execute is an error")
      ->excludes(estimate);
  run.add_flag("--timeline", arguments.timeline, "a picture of which step runs when")
      ->excludes(json)
      ->excludes(csv);
  run.add_flag("--memory-profile", arguments.memory_profile,
               "what each device holds at the peak, and while each step runs")
      ->excludes(json)
      ->excludes(csv);
  run.add_option("--svg", arguments.svg, "write the picture of `plot` as SVG")->check(kNotEmpty);
  run.add_option("--trace", arguments.trace, "write the timeline as a trace for Perfetto")
      ->check(kNotEmpty);
}

void add_read_options(CLI::App& read, Arguments& arguments) {
  read.add_option("files", arguments.files, "articles, Markdown or plain text; - is standard input")
      ->required();
  add_stdin_name(read, arguments);
  read.add_option("--preamble", arguments.preamble,
                  "a script with the declarations that the documents need: a mesh, sizes, a chip")
      ->check(kNotEmpty);
  read.add_option("--with", arguments.with, "such declarations: \"mesh {X: 4, Y: 2}; B = 1024\"")
      ->take_all()
      ->allow_extra_args(false);
  read.add_option("--model", arguments.model,
                  "how long collectives take: by formulas, or by their hops on the links")
      ->check(one_of({"book", "links"}));
  CLI::Option* json = read.add_flag("--json", arguments.json, "the statements as JSON");
  read.add_flag("--update", arguments.update,
                "write what scripts print to the fences below them, and say where")
      ->excludes(json);
}

void add_test_options(CLI::App& test, Arguments& arguments) {
  test.add_option("paths", arguments.files,
                  "scripts, documents with scripts in fences, and folders of them")
      ->required()
      ->check(kNotEmpty);
  test.add_option("--threads", arguments.thread_counts,
                  "counts of threads that each script is run with, which all must print the same")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  arguments.timeout = test::kDefaultTimeout;
  test.add_option("--timeout", arguments.timeout, "seconds after which a script is stopped")
      ->check(CLI::Validator(
          [](const std::string& text) {
            const auto number = Rational::parse(text);
            return number && *number > Rational(0) ? std::string()
                                                   : text + " is no positive number";
          },
          "SECONDS"))
      ->capture_default_str();
  arguments.jobs = std::max(1U, std::thread::hardware_concurrency());
  test.add_option("--jobs", arguments.jobs, "scripts at a time (default: one for each processor)")
      ->check(CLI::Range(1, 1024));
  test.add_option("--filter", arguments.filter, "only scripts with this word in their path")
      ->check(kNotEmpty);
  test.add_flag("--update", arguments.update,
                "write what the scripts print to the expected files, and say to which");
  test.add_flag("--tap", arguments.tap, "the report in the Test Anything Protocol");
  test.add_option("--junit", arguments.junit, "write a report in JUnit's format to this file")
      ->check(kNotEmpty);
}

// The command or option that a word was probably meant to be; nullopt if it is one, or none is near.
std::optional<std::string> meant(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> commands;
  std::vector<std::string> options = {"--help", "--version"};
  const auto add = [&](const CLI::App& one) {
    for (const CLI::Option* option : one.get_options()) {
      for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
    }
  };
  add(app);
  for (const CLI::App* command : app.get_subcommands({})) {
    commands.push_back(command->get_name());
    add(*command);
  }
  for (int i = 1; i < argc; ++i) {
    const std::string word(argv[i]);
    const std::string name = word.substr(0, word.find('='));
    const bool is_option = name.starts_with("--");
    if (!is_option && i > 1) continue;
    const auto& known = is_option ? options : commands;
    if (contains(known, name)) continue;
    if (auto near = nearest_name(name, known)) return near;
  }
  return std::nullopt;
}

// One line that says what is wrong and what would be right.
int usage_error(const CLI::ParseError& error, const CLI::App& app, int argc, char** argv) {
  std::string message = error.what();
  if (argc > 1 && std::filesystem::exists(argv[1])) {
    message = fmt::format("`{0}` is a file; to run it: shard run {0}", argv[1]);
  } else if (const auto near = meant(app, argc, argv)) {
    message += fmt::format("; did you mean `{}`?", *near);
  } else if (app.got_subcommand("test")) {
    message += "; `shard test --help` lists what it takes";
  } else if (message.find("did you mean") == std::string::npos) {
    message += "; `shard --help` lists the commands, `shard run --help` their options";
  }
  return fail(message);
}

}  // namespace

std::variant<Arguments, int> read_arguments(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Shard, an interpreter for the sharding notation", "shard");
  app.set_version_flag("--version", "shard " SHARD_VERSION);
  app.require_subcommand(0, 1);
  app.add_option("-i", arguments.files, "runs the script and stays in a session")
      ->type_name("FILE")
      ->expected(1);
  add_session_options(app, arguments);
  CLI::App* run = app.add_subcommand("run", "check, execute on emulated devices, report");
  add_run_options(*run, arguments);
  CLI::App* check = app.add_subcommand("check", "diagnostics only");
  add_files(*check, arguments);
  CLI::App* fmt = app.add_subcommand("fmt", "canonical text");
  add_files(*fmt, arguments);
  CLI::Option* ascii = fmt->add_flag("--ascii", arguments.ascii, "in ASCII: *, -> for ·, →");
  fmt->add_flag("--latex", arguments.latex, "in LaTeX: \\cdot, \\rightarrow")->excludes(ascii);
  fmt->add_flag("--check", arguments.check,
                "exit with 1 if a file is not canonical; prints nothing");
  CLI::App* read = app.add_subcommand("read", "check the notation in articles");
  add_read_options(*read, arguments);
  CLI::App* test = app.add_subcommand("test", "run scripts, compare what they print");
  add_test_options(*test, arguments);
  CLI::App* transcript =
      app.add_subcommand("transcript", "a session, with what is typed in it and answered");
  transcript->add_option("files", arguments.files, "transcripts; - is standard input")->required();
  add_session_options(*transcript, arguments);
  CLI::App* help = app.add_subcommand("help", "help on a topic or a kind of diagnostic");
  help->add_option("topic", arguments.topic, join(help_topics(), ", ") + ", AxisReused, …");
  help->add_flag("--source", arguments.source, "the text of a module or a function of the library");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return error.get_exit_code() == 0 ? app.exit(error) : usage_error(error, app, argc, argv);
  }
  if (run->parsed()) arguments.command = Command::Run;
  if (check->parsed()) arguments.command = Command::Check;
  if (fmt->parsed()) arguments.command = Command::Format;
  if (read->parsed()) arguments.command = Command::Read;
  if (test->parsed()) arguments.command = Command::Test;
  if (transcript->parsed()) arguments.command = Command::Transcript;
  if (help->parsed()) arguments.command = Command::Help;
  return arguments;
}

}  // namespace shard
