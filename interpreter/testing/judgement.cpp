#include "interpreter/testing/judgement.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/contains.h"
#include "grammar/diagnostics/diagnostic.h"
#include "grammar/source/visible.h"
#include "interpreter/host/file.h"
#include "interpreter/testing/process.h"

namespace shard::test {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kLegend = ": - expected, + printed\n";

// What went wrong apart from the script's own doing; empty if it came to its end.
std::string end_of(const Execution& execution, double timeout) {
  switch (execution.ended) {
    case Ended::Signalled:
      return fmt::format("ended by signal {} ({})", execution.signal, strsignal(execution.signal));
    case Ended::TimedOut:
      return fmt::format("stopped after {:.4g} s; --timeout SECONDS gives it more", timeout);
    case Ended::WroteTooMuch:
      return fmt::format("stopped as it wrote more than {} MiB", kMostOutput >> 20);
    case Ended::NotStarted:
      return "the command cannot be started";
    case Ended::Exited:
    case Ended::Interrupted:
      break;
  }
  return "";
}

Verdict verdict_of(Ended ended) {
  switch (ended) {
    case Ended::TimedOut:
      return Verdict::TimedOut;
    case Ended::Signalled:
      return Verdict::Crashed;
    case Ended::Interrupted:
      return Verdict::NotRun;
    case Ended::WroteTooMuch:
    case Ended::NotStarted:
      return Verdict::Failed;
    case Ended::Exited:
      break;
  }
  return Verdict::Passed;
}

// The last lines of what was written to standard error, indented.
std::string last_errors(const std::string& errors) {
  constexpr int kMost = 12;
  std::size_t begin = errors.size();
  for (int line = 0; line < kMost && begin > 0; ++line) {
    const std::size_t end = begin < 2 ? std::string::npos : errors.rfind('\n', begin - 2);
    begin = end == std::string::npos ? 0 : end + 1;
  }
  std::string text = begin > 0 ? "    ⋮\n" : "";
  while (begin < errors.size()) {
    const std::size_t end = std::min(errors.find('\n', begin), errors.size());
    text += "    " + visible_line(errors.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return text;
}

class Judge {
 public:
  Judge(const TestScript& script, const JudgingOptions& options)
      : script_(script), options_(options) {}

  Judgement judge() {
    if (!script_.stray.empty()) {
      complain(script_.stray + "\n");
    } else if (const auto first = run_script(options_.thread_counts.front())) {
      check_status(*first);
      if (check_thread_counts(*first)) settle(*first);
    }
    return std::move(judgement_);
  }

 private:
  void complain(const std::string& problem) {
    judgement_.problems += problem;
    if (judgement_.verdict == Verdict::Passed) judgement_.verdict = Verdict::Failed;
  }

  // nullopt after saying why there is nothing to compare.
  std::optional<Execution> run(const Words& arguments, const std::string& input,
                               const std::string& of) {
    Launch launch{.command = {options_.shard},
                  .input = input,
                  .folder = script_.folder,
                  .timeout = options_.timeout};
    launch.command.insert(launch.command.end(), arguments.begin(), arguments.end());
    Execution execution = execute(launch);
    if (execution.ended == Ended::Exited) return execution;
    judgement_.verdict = verdict_of(execution.ended);
    if (const std::string end = end_of(execution, options_.timeout); !end.empty())
      judgement_.problems += end + of + "\n" + last_errors(execution.errors);
    return std::nullopt;
  }

  bool varies() const { return script_.runs() && !contains(script_.arguments, "--threads"); }

  std::optional<Execution> run_script(const std::string& threads) {
    Words arguments = script_.arguments;
    if (varies()) arguments.insert(arguments.end(), {"--threads", threads});
    if (script_.is_fence() && !script_.asks()) {
      if (!script_.types()) arguments.insert(arguments.end(), {"--stdin-name", script_.name});
      arguments.emplace_back("-");
    } else if (!script_.on_standard_input && !script_.asks()) {
      arguments.push_back(script_.name);
    }
    return run(arguments, script_.on_standard_input || script_.is_fence() ? script_.text : "",
               varies() && threads != options_.thread_counts.front()
                   ? fmt::format(", with {} threads", threads)
                   : "");
  }

  bool compares() const { return script_.strict || script_.has_expectation(); }

  void check_status(const Execution& execution) {
    if (!script_.draws.empty()) return check_drawn(execution);
    if (script_.is_silent && execution.status == 0 && !execution.errors.empty())
      return complain("it is not silent\n" + last_errors(execution.errors));
    if (execution.status == script_.status) return;
    complain(fmt::format("exit status {} instead of {}\n", execution.status, script_.status));
    if (!compares()) complain(last_errors(execution.errors));
  }

  // Whether the kind of diagnostic is there that a fence wants, and decides how the run ends.
  void check_drawn(const Execution& execution) {
    const auto& catalogue = diagnostic_catalogue();
    const bool is_error =
        std::any_of(catalogue.begin(), catalogue.end(), [&](const DiagnosticInfo& info) {
          return info.name == script_.draws && info.severity == Severity::Error;
        });
    if (execution.errors.find("[" + script_.draws + "]") == std::string::npos)
      complain(
          fmt::format("it does not draw {}\n{}", script_.draws, last_errors(execution.errors)));
    else if (is_error != (execution.status != 0))
      complain(fmt::format("exit status {}\n{}", execution.status, last_errors(execution.errors)));
  }

  // False if a run did not come to its end.
  bool check_thread_counts(const Execution& first) {
    if (!varies()) return true;
    for (std::size_t at = 1; at < options_.thread_counts.size(); ++at) {
      const std::string& threads = options_.thread_counts[at];
      const auto again = run_script(threads);
      if (!again) return false;
      const std::string excerpt =
          difference(first.output + first.errors, again->output + again->errors, options_.style);
      if (!excerpt.empty())
        complain(fmt::format("- threads: {}, + threads: {}\n{}", options_.thread_counts.front(),
                             threads, excerpt));
      if (again->status != first.status)
        complain(fmt::format("exit status {} with {} threads, {} with {}\n", again->status, threads,
                             first.status, options_.thread_counts.front()));
    }
    return true;
  }

  void settle(const Execution& execution) {
    if (script_.is_fence()) return settle_fence(execution.output + execution.errors);
    settle(".out", execution.output);
    settle(".err", execution.errors);
    if (script_.canonical || script_.formats()) check_formatting();
  }

  // Compares with what the document says, or says what is to stand there.
  void settle_fence(const std::string& actual) {
    if (!script_.output) return;
    const FenceOutput& expected = *script_.output;
    const std::string comparable = with_drifts_of(expected.text, actual);
    if (comparable == expected.text) return;
    if (options_.update && judgement_.verdict == Verdict::Passed) {
      judgement_.output = comparable;
      return;
    }
    DifferenceStyle style = options_.style;
    style.first_line = expected.line + 1;
    complain(script_.path + kLegend + difference(expected.text, comparable, style));
  }

  // Compares with the expected file, or writes it.
  void settle(const char* extension, const std::string& actual) {
    const std::string path = script_.beside(extension);
    const std::string expected = read_bytes(path);
    const std::string comparable = with_drifts_of(expected, actual);
    const bool writes = options_.update && (compares() || script_.is_named);
    if (writes && judgement_.verdict == Verdict::Passed)
      return write_expected(path, expected, comparable);
    if (!compares()) return;
    const std::string excerpt = difference(expected, comparable, options_.style);
    if (!excerpt.empty()) complain(path + kLegend + excerpt);
  }

  void write_expected(const std::string& path, const std::string& expected,
                      const std::string& text) {
    if (text == expected) return;
    // Without the other file an empty one says that something is expected.
    std::error_code error;
    if (text.empty() && script_.strict) {
      std::filesystem::remove(path, error);
    } else if (const auto written = write_file(path, text); !written) {
      return complain(written.error().message + "\n");
    }
    judgement_.written.push_back(path);
  }

  // Every spelling is a fixed point of its own formatter and leads back to the same Unicode.
  void check_formatting() {
    const auto format = [&](Words arguments, const std::string& input) {
      arguments.emplace_back(input.empty() ? script_.name : "-");
      const auto execution = run(arguments, input, ", in `shard fmt`");
      return execution ? execution->output : "";
    };
    const std::string unicode = format({"fmt"}, "");
    if (script_.canonical && script_.text != unicode)
      complain("not in canonical form: - as it is, + as `shard fmt` writes it\n" +
               difference(script_.text, unicode, options_.style));
    if (script_.canonical) check_form();
    for (const Words& spelling : {Words{"fmt"}, Words{"fmt", "--ascii"}}) {
      const std::string once = spelling.size() == 1 ? unicode : format(spelling, "");
      if (once.empty()) continue;
      const std::string again = difference(once, format(spelling, once), options_.style);
      if (!again.empty()) complain("`" + spelling.back() + "` of its own output differs\n" + again);
      if (spelling.size() == 1) continue;
      const std::string back = difference(unicode, format({"fmt"}, once), options_.style);
      if (!back.empty()) complain("`" + spelling.back() + "` and back to Unicode differs\n" + back);
    }
  }

  void check_form() {
    const auto execution = run({"fmt", "--check", script_.name}, "", ", in `shard fmt --check`");
    if (execution && execution->status != 0) complain("`shard fmt --check` refuses it\n");
  }

  const TestScript& script_;
  const JudgingOptions& options_;
  Judgement judgement_{.verdict = Verdict::Passed};
};

}  // namespace

Judgement judge(const TestScript& script, const JudgingOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  Judgement judgement = Judge(script, options).judge();
  judgement.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return judgement;
}

}  // namespace shard::test
