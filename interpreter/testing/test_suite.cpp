#include "interpreter/testing/test_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <ostream>
#include <thread>

#include "grammar/source/visible.h"
#include "interpreter/host/exit_status.h"
#include "interpreter/host/file.h"
#include "interpreter/host/interrupt.h"
#include "interpreter/testing/document.h"
#include "interpreter/testing/judgement.h"
#include "interpreter/testing/test_report.h"
#include "interpreter/testing/test_script.h"

namespace shard::test {
namespace {

Judgement judge_within_memory(const TestScript& script, const JudgingOptions& options) {
  try {
    return judge(script, options);
  } catch (const std::bad_alloc&) {
    return {.verdict = Verdict::Failed, .problems = "there is not enough memory to compare it\n"};
  }
}

// Judges scripts on several threads, and hands the judgements out in the order of the scripts.
class Workers {
 public:
  Workers(const std::vector<TestScript>& scripts, const JudgingOptions& options, unsigned jobs)
      : scripts_(scripts), options_(options), judgements_(scripts.size()) {
    const std::size_t count = std::clamp<std::size_t>(jobs, 1, scripts.size());
    for (std::size_t worker = 0; worker < count; ++worker)
      threads_.emplace_back([this] { work(); });
  }

  // Waits until it is there.
  const Judgement& judgement(std::size_t at) {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return judgements_[at].has_value(); });
    return *judgements_[at];
  }

 private:
  void work() {
    for (std::size_t at = take(); at < scripts_.size(); at = take()) {
      Judgement judgement =
          interrupted() ? Judgement() : judge_within_memory(scripts_[at], options_);
      const std::lock_guard lock(mutex_);
      judgements_[at] = std::move(judgement);
      done_.notify_all();
    }
  }

  std::size_t take() {
    const std::lock_guard lock(mutex_);
    return next_++;
  }

  const std::vector<TestScript>& scripts_;
  const JudgingOptions& options_;
  std::mutex mutex_;
  std::condition_variable done_;
  std::size_t next_ = 0;
  std::vector<std::optional<Judgement>> judgements_;
  std::vector<std::jthread> threads_;  // last: they end before what they use
};

// What the fences of a document print, put into it. `last` is the last one of the document.
void write_document(const std::vector<TestScript>& scripts, std::vector<Judgement>& judgements,
                    std::size_t last) {
  const std::string& path = scripts[last].path;
  std::map<std::size_t, std::string> outputs;
  for (std::size_t at = last + 1; at > 0 && scripts[at - 1].path == path; --at) {
    if (auto& output = judgements[at - 1].output)
      outputs.emplace(scripts[at - 1].output->line, *std::move(output));
  }
  if (outputs.empty()) return;
  const auto text = read_text(path);
  const auto changed = text ? with_outputs(*text, outputs) : text;
  const auto written = changed ? write_file(path, *changed) : failure(changed.error().message);
  if (written) return judgements[last].written.push_back(path);
  judgements[last].problems += written.error().message + "\n";
  judgements[last].verdict = Verdict::Failed;
}

std::vector<Judgement> judge_all(const TestSuite& suite, const std::vector<TestScript>& scripts,
                                 std::ostream& out) {
  const JudgingOptions options{.shard = suite.shard,
                               .thread_counts = suite.thread_counts,
                               .timeout = suite.timeout,
                               .update = suite.update,
                               .style = suite.style};
  const bool is_tap = suite.form == ReportForm::Tap;
  if (is_tap) out << "TAP version 13\n1.." << scripts.size() << "\n" << std::flush;
  Workers workers(scripts, options, suite.jobs);
  const bool shows_progress = suite.at_terminal && !is_tap;
  std::vector<Judgement> judgements;
  for (std::size_t at = 0; at < scripts.size(); ++at) {
    const std::string progress =
        shows_progress ? fmt::format("{} of {}", at, scripts.size()) : std::string();
    if (shows_progress) out << progress << std::flush;
    judgements.push_back(workers.judgement(at));
    if (at + 1 == scripts.size() || scripts[at + 1].path != scripts[at].path)
      write_document(scripts, judgements, at);
    if (shows_progress) out << "\r" << std::string(progress.size(), ' ') << "\r";
    out << (is_tap ? tap_line(scripts[at], judgements[at], at + 1)
                   : text_of(scripts[at], judgements[at], suite.style.colour))
        << std::flush;
  }
  return judgements;
}

std::string as_tap_comment(const std::string& text) {
  std::string comment;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin) + 1;
    comment += "# " + text.substr(begin, end - begin);
    begin = end;
  }
  return comment;
}

// Whether the file is a script, or what one is to print.
bool is_of(const std::vector<TestScript>& scripts, const std::string& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return false;
  return std::any_of(scripts.begin(), scripts.end(), [&](const TestScript& script) {
    std::error_code other_error;
    return std::filesystem::equivalent(file, script.path, other_error) ||
           std::filesystem::equivalent(file, script.beside(".out"), other_error) ||
           std::filesystem::equivalent(file, script.beside(".err"), other_error);
  });
}

int usage(std::ostream& errors, const std::string& message) {
  errors << visible_line("shard: " + message) << "\n";
  return static_cast<int>(ExitStatus::Usage);
}

}  // namespace

int run_tests(const TestSuite& suite, std::ostream& out, std::ostream& errors) {
  const auto scripts = find_scripts(suite.paths, suite.filter);
  if (!scripts) return usage(errors, scripts.error().message);
  if (is_of(*scripts, suite.junit))
    return usage(
        errors, fmt::format("--junit {} would be written over: it belongs to a test", suite.junit));
  const auto began = std::chrono::steady_clock::now();
  const std::vector<Judgement> judgements = judge_all(suite, *scripts, out);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
  const std::string summary =
      summary_of(*scripts, judgements, suite.at_terminal ? seconds.count() : -1);
  out << (suite.form == ReportForm::Tap ? as_tap_comment(summary) : summary) << std::flush;
  if (!suite.junit.empty()) {
    const auto written = write_file(suite.junit, junit_text(*scripts, judgements));
    if (!written) return usage(errors, written.error().message);
  }
  const bool passed = std::all_of(judgements.begin(), judgements.end(), [](const Judgement& one) {
    return one.verdict == Verdict::Passed;
  });
  return static_cast<int>(passed ? ExitStatus::Fine : ExitStatus::RunFailed);
}

}  // namespace shard::test
