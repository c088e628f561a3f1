#include "interpreter/driver/commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <utility>

#include "grammar/parse/parser.h"
#include "grammar/print/printer.h"
#include "grammar/source/visible.h"
#include "interpreter/driver/console.h"
#include "interpreter/driver/help.h"
#include "interpreter/driver/read_command.h"
#include "interpreter/driver/repl.h"
#include "interpreter/driver/run_command.h"
#include "interpreter/driver/script_files.h"
#include "interpreter/driver/shell.h"
#include "interpreter/host/interrupt.h"
#include "interpreter/session/session.h"
#include "interpreter/testing/test_suite.h"

namespace shard {

namespace {

int command_check(const Arguments& arguments) {
  auto files = files_of(arguments);
  if (!files) return fail(files.error().message);
  SessionOptions options;
  options.check_only = true;
  options.files = *std::move(files);
  return for_each_script(arguments, [&](const std::string& name, const std::string& text) {
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
  return for_each_script(arguments, [&](const std::string& name, const std::string& text) {
    return format_one(name, text, arguments);
  });
}

int command_test(const Arguments& arguments) {
  test::TestSuite suite;
  suite.shard = own_path();
  suite.paths = arguments.files;
  suite.filter = arguments.filter;
  suite.thread_counts = arguments.thread_counts;
  suite.timeout = arguments.timeout;
  suite.jobs = arguments.jobs;
  suite.update = arguments.update;
  suite.form = arguments.tap ? test::ReportForm::Tap : test::ReportForm::Text;
  suite.junit = arguments.junit;
  suite.style.colour = shows_colour(STDOUT_FILENO);
  suite.style.columns = columns_of(STDOUT_FILENO);
  suite.at_terminal = isatty(STDOUT_FILENO) == 1;
  catch_interrupts(Interrupts::First);
  catch_ends();
  const int status = test::run_tests(suite, std::cout, std::cerr);
  end_if_asked();
  return status;
}

int command_help(const Arguments& arguments) {
  if (arguments.source && arguments.topic.empty())
    return fail(
        "--source prints the text of a module or a function of the library: shard help --source "
        "rms_norm");
  if (arguments.source) {
    const auto text = source_of(arguments.topic);
    if (!text) return fail(no_source_of(arguments.topic));
    std::cout << *text;
    return 0;
  }
  if (arguments.topic.empty()) {
    std::cout << help_overview();
    return 0;
  }
  if (const auto text = help_on(arguments.topic)) {
    std::cout << *text;
    return 0;
  }
  return fail(no_help_on(arguments.topic));
}

// Those of a session at a terminal; nullopt after saying what is wrong with one.
std::optional<SessionOptions> options_at_terminal(const Arguments& arguments) {
  auto options = session_options(arguments);
  if (!options) return options;
  options->interactive = true;
  ExecutionOptions& execution = options->execution;
  execution.verify = !execution.estimate;
  // A line is answered at once, execution and comparison together; docs/language.md states the limits. What would take
  // longer is estimated.
  constexpr double kMaxFlops = 5e7;
  constexpr double kMaxBytes = 6.4e7;
  if (!arguments.max_flops) execution.max_flops = kMaxFlops;
  if (arguments.memory.empty()) execution.memory = std::min(execution.memory, kMaxBytes);
  return options;
}

int command_transcript(const Arguments& arguments) {
  const auto options = options_at_terminal(arguments);
  if (!options) return static_cast<int>(ExitStatus::Usage);
  catch_interrupts(Interrupts::First);
  return for_each_script(arguments, [&](const std::string& /*name*/, const std::string& text) {
    std::cout << typed_again(text, *options) << std::flush;
    return 0;
  });
}

// Without a subcommand: an interactive session at a terminal, otherwise a script from standard input.
int command_default(const Arguments& arguments) {
  if (isatty(STDIN_FILENO) == 0) {
    if (!arguments.files.empty())
      return fail(fmt::format("-i is for a session at a terminal; `shard run {}` runs the script",
                              arguments.files.front()));
    Arguments script = arguments;
    script.files = {"-"};
    return command_run(script);
  }
  auto options = options_at_terminal(arguments);
  if (!options) return static_cast<int>(ExitStatus::Usage);
  return run_repl(*std::move(options), arguments.files);
}

}  // namespace

int carry_out(const Arguments& arguments) {
  switch (arguments.command) {
    case Command::Run:
      return command_run(arguments);
    case Command::Check:
      return command_check(arguments);
    case Command::Format:
      return command_fmt(arguments);
    case Command::Read:
      return command_read(arguments);
    case Command::Test:
      return command_test(arguments);
    case Command::Transcript:
      return command_transcript(arguments);
    case Command::Help:
      return command_help(arguments);
    case Command::Default:
      break;
  }
  return command_default(arguments);
}

}  // namespace shard
