#include "interpreter/driver/run_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <optional>

#include "base/cancellation.h"
#include "base/line_width.h"
#include "base/plan_rule.h"
#include "grammar/parse/parser.h"
#include "interpreter/driver/colour.h"
#include "interpreter/driver/console.h"
#include "interpreter/driver/script_files.h"
#include "interpreter/driver/settings.h"
#include "interpreter/driver/size_options.h"
#include "interpreter/emulate/emulation.h"
#include "interpreter/host/file.h"
#include "interpreter/host/interrupt.h"
#include "interpreter/report/plot_files.h"
#include "interpreter/report/text_report.h"
#include "interpreter/report/timeline_report.h"
#include "interpreter/session/session.h"

namespace shard {

namespace {

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
  std::vector<std::string> unsaved;
  if (sound) unsaved = save_plots(outcome, session.files(), arguments.svg);
  if ((trace && trace->failed) || !unsaved.empty()) outcome.status = ExitStatus::Usage;
  if (outcome.stopped) say("shard: stopped before anything was run");
  if (arguments.json) {
    std::cout << json_report(outcome, session.state(), session.sources(), trace) << std::flush;
    for (const std::string& why : unsaved) say("shard: " + why);
    return static_cast<int>(outcome.status);
  }
  bool lacks_tables = false;
  if (sound) {
    const LineWidth width(columns_of(STDOUT_FILENO));
    const std::string text = arguments.csv ? csv_report(outcome)
                                           : text_report(outcome, session.state(),
                                                         {.verbose = arguments.verbose,
                                                          .verify = arguments.verify,
                                                          .timeline = arguments.timeline,
                                                          .memory = arguments.memory_profile,
                                                          .sources = &session.sources()});
    lacks_tables = arguments.csv && text.empty();
    std::cout << (!arguments.csv && shows_colour(STDOUT_FILENO) ? coloured_report(text) : text)
              << std::flush;
  }
  show(outcome.diagnostics, session.sources());
  if (lacks_tables) say(fmt::format("shard: {}", kNoTables));
  if (trace && !trace->written) say("shard: " + trace->reason);
  for (const std::string& why : unsaved) say("shard: " + why);
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

// False after saying what is wrong.
bool read_sizes(const Arguments& arguments, SizeCut& cut) {
  if (!arguments.scale.empty()) {
    const auto scale = parse_scale(arguments.scale);
    if (!scale) return fail("--scale " + scale.error().message) == 0;
    cut.scale = *scale;
  }
  for (const std::string& text : arguments.sizes) {
    auto lengths = parse_sizes(text);
    if (!lengths) return fail("--set " + lengths.error().message) == 0;
    cut.lengths.insert(cut.lengths.end(), lengths->begin(), lengths->end());
  }
  return true;
}

}  // namespace

std::optional<SessionOptions> session_options(const Arguments& arguments) {
  SessionOptions options;
  options.executor = &emulated_devices();
  options.must_execute = arguments.execute;
  options.model = arguments.model == "links" ? CostModel::Links : CostModel::Book;
  options.plan = plan_rule_named(arguments.plan).value_or(PlanRule::Cases);
  options.plan_time = arguments.plan_time;
  for (const std::string& fault : arguments.faults) options.faults.push_back("fault " + fault);
  for (const std::string& slow : arguments.slow) options.faults.push_back("slow " + slow);
  ExecutionOptions& execution = options.execution;
  execution.estimate = arguments.estimate;
  execution.verify = arguments.verify;
  execution.inputs = arguments.inputs == "normal" ? InputValues::Normal : InputValues::Integers;
  execution.threads = arguments.threads;
  execution.hops = arguments.hops;
  execution.per_device = arguments.per_device;
  if (arguments.max_flops) execution.max_flops = *arguments.max_flops;
  execution.memory = options.executor->default_memory();
  execution.cancelled = interrupted;
  if (!arguments.memory.empty()) {
    const auto bytes = parse_memory(arguments.memory);
    if (!bytes) {
      fail(fmt::format("--memory {} is no size; write 4 GB or 512 MiB", arguments.memory));
      return std::nullopt;
    }
    execution.memory = *bytes;
  }
  if (!read_sizes(arguments, execution.cut)) return std::nullopt;
  for (const std::string& fault : options.faults) {
    if (const auto mistake = mistake_in_fault(fault)) {
      fail(*mistake);
      return std::nullopt;
    }
  }
  return options;
}

int command_run(const Arguments& arguments) {
  if (!arguments.trace.empty() && arguments.files.size() > 1)
    return fail("--trace is one file, and several scripts are given; run them one by one");
  if (!arguments.svg.empty() && arguments.files.size() > 1)
    return fail("--svg is one file, and several scripts are given; run them one by one");
  auto files = files_of(arguments);
  if (!files) return fail(files.error().message);
  auto options = session_options(arguments);
  if (!options) return static_cast<int>(ExitStatus::Usage);
  options->files = *std::move(files);
  catch_interrupts(Interrupts::First);
  return for_each_script(arguments, [&](const std::string& name, const std::string& text) {
    return run_text(name, text, arguments, *options);
  });
}

}  // namespace shard
