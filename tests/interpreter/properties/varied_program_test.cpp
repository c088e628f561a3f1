// Random programs of everything that the language has, run in every way that there is: nothing ends the process, nothing
// differs from the unsharded computation, and what may not hang on how a program is run does not.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <map>

#include "grammar/diagnostics/render.h"
#include "interpreter/emulate/emulation.h"
#include "interpreter/report/text_report.h"
#include "tests/interpreter/properties/random_program/varied.h"
#include "tests/interpreter/support/copy_bits.h"
#include "tests/property.h"

namespace shard::random_program::varied_program_test {
namespace {

// The program that is being run, for a crash that leaves no time for more.
std::string& program_that_runs() {
  static std::string text;
  return text;
}

extern "C" void print_program_that_runs(int signal) {
  const std::string& text = program_that_runs();
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

SessionOptions verified(int threads) {
  SessionOptions options;
  options.executor = &emulated_devices();
  options.execution.verify = true;
  options.execution.threads = threads;
  options.execution.memory = 2e9;
  return options;
}

struct Ran {
  Ran(const std::string& text, SessionOptions options)
      : session(std::move(options)), outcome(session.run("random.shard", text)) {}

  std::string diagnostics() const { return render(outcome.diagnostics, session.sources(), false); }
  std::string report() const {
    return diagnostics() + text_report(outcome, session.state(), {.verbose = true}) +
           json_report(outcome, session.state(), session.sources());
  }
  // What is wrong with the script, without what hangs on prices.
  std::string validity() const {
    std::string text;
    for (const Diagnostic& one : outcome.diagnostics) {
      if (info(one.kind).severity == Severity::Note) continue;
      text += fmt::format("{} at {}\n", info(one.kind).name, one.span.begin);
    }
    return text;
  }
  // What only a bug of Shard brings.
  std::string bug() const {
    for (const Diagnostic& one : outcome.diagnostics) {
      for (const std::string& help : one.help) {
        if (help.find("bug of Shard") != std::string::npos) return one.message;
      }
    }
    return "";
  }

  Session session;
  Outcome outcome;
};

// The same bits in every copy, on any number of threads and with --per-device.
std::string complaint_about_bits(const Ran& ran) {
  for (std::size_t i = 0; i < ran.outcome.programs.size(); ++i) {
    if (!ran.outcome.programs[i].execution.executed) continue;
    const Program& program = ran.session.state().programs[i];
    const auto direct = testing::bits_of(program, {.threads = 1});
    if (testing::bits_of(program, {.threads = 4}) != direct) return "bits: other ones on 4 threads";
    if (testing::bits_of(program, {.threads = 2, .per_device = true}) != direct)
      return "bits: other ones with --per-device";
  }
  return "";
}

// On smaller arrays the same steps give what the same statements give there; no index leaves its dimension. Numbers that a script
// expects of contents may be others.
std::string complaint_about_cut(const std::string& text, const Ran& ran) {
  for (const Rational& scale : {Rational(1) / Rational(2), Rational(1) / Rational(64)}) {
    SessionOptions options = verified(2);
    options.execution.cut.scale = scale;
    options.execution.hops = scale == Rational(1) / Rational(64);
    const Ran cut(text, options);
    if (const std::string bug = cut.bug(); !bug.empty()) return "cut: " + bug;
    for (std::size_t i = 0; i < ran.outcome.programs.size(); ++i) {
      const bool executed = ran.outcome.programs[i].execution.executed;
      if (executed && i < cut.outcome.programs.size() &&
          !cut.outcome.programs[i].execution.executed)
        return "cut: not executed\n" + cut.report();
    }
  }
  return "";
}

// What is wrong, its kind before a colon; empty if nothing is.
std::string complaint_about(const std::string& text, bool* runs = nullptr) {
  program_that_runs() = "crashed in\n" + text;
  const Ran ran(text, verified(1));
  if (runs != nullptr) *runs = is_sound(ran.outcome.status);
  if (const std::string bug = ran.bug(); !bug.empty()) return "run: " + bug;
  if (const Ran other(text, verified(4)); other.report() != ran.report())
    return "threads: another report on 4\n" + other.report();
  SessionOptions options = verified(2);
  options.execution.hops = true;
  const Ran hops(text, options);
  if (const std::string bug = hops.bug(); !bug.empty()) return "hops: " + bug;
  if (hops.validity() != ran.validity()) return "hops: other mistakes\n" + hops.diagnostics();
  options = verified(2);
  options.execution.per_device = true;
  const Ran devices(text, options);
  if (const std::string bug = devices.bug(); !bug.empty()) return "per device: " + bug;
  if (devices.validity() != ran.validity())
    return "per device: other mistakes\n" + devices.diagnostics();
  options = verified(2);
  options.model = CostModel::Links;
  const Ran links(text, options);
  if (const std::string bug = links.bug(); !bug.empty()) return "links: " + bug;
  // When a fault comes, and what it meets, is a matter of the times.
  const bool hangs_on_times = text.find(" us\n") != std::string::npos;
  if (!hangs_on_times && links.validity() != ran.validity())
    return "validity: another one by links\n" + ran.diagnostics() + "by links\n" +
           links.diagnostics();
  options = verified(2);
  options.plan = PlanRule::Cheapest;
  const Ran cheapest(text, options);
  if (const std::string bug = cheapest.bug(); !bug.empty()) return "cheapest: " + bug;
  // There are plans where the cases know none.
  if (ran.validity().empty() && !hangs_on_times && !cheapest.validity().empty())
    return "cheapest: mistakes where the cases have none\n" + cheapest.diagnostics();
  if (const std::string cut = complaint_about_cut(text, ran); !cut.empty()) return cut;
  return complaint_about_bits(ran);
}

// Leaves out statements for as long as the same kind of thing is wrong.
VariedProgram shrunk(VariedProgram program) {
  const auto kind_of = [](const VariedProgram& one) {
    const std::string complaint = complaint_about(one.text());
    return complaint.substr(0, complaint.find(':'));
  };
  const std::string kind = kind_of(program);
  for (bool shorter = true; shorter;) {
    shorter = false;
    for (std::size_t i = program.lines.size(); i-- > 0;) {
      VariedProgram smaller = program;
      smaller.lines.erase(smaller.lines.begin() + static_cast<std::ptrdiff_t>(i));
      if (kind_of(smaller) != kind) continue;
      program = std::move(smaller);
      shorter = true;
    }
  }
  return program;
}

TEST(VariedPrograms, AgreeWithThemselvesHoweverTheyAreRun) {
  constexpr int kFull = 3000;
  constexpr int kMostFailures = 20;
  // Programs that run, for each thing that they may have; the rarest, overlap, comes to some 50.
  constexpr int kEnough = 20;
  std::signal(SIGABRT, print_program_that_runs);
  std::signal(SIGSEGV, print_program_that_runs);
  const int cases = scaled_cases(kFull);
  const std::uint64_t seed = rc::detail::configuration().testParams.seed;
  std::map<std::string, int> hits;
  int failures = 0;
  for (int i = 0; i < cases && failures < kMostFailures; ++i) {
    Random random(seed_of_case(seed, i));
    const VariedProgram program = varied_program(random);
    const std::string text = program.text();
    bool runs = false;
    const std::string complaint = complaint_about(text, &runs);
    if (complaint.empty()) {
      ++hits[runs ? "runs" : "is wrong"];
      for (const std::string& feature : program.features) hits[feature] += runs ? 1 : 0;
      continue;
    }
    ++failures;
    const VariedProgram small = shrunk(program);
    ADD_FAILURE() << "case " << i << " of RC_PARAMS=seed=" << seed << "\n"
                  << small.text() << complaint_about(small.text()) << "\nas it was drawn:\n"
                  << text << complaint;
  }
  std::cout << fmt::format("{} programs, seed {}\n", cases, seed);
  for (const auto& [what, count] : hits) std::cout << fmt::format("{:6} {}\n", count, what);
  if (failures > 0) return;
  EXPECT_GE(hits["runs"], scaled_minimum(kFull * 0.5));
  for (const std::string& feature : varied_features())
    EXPECT_GE(hits[feature], scaled_minimum(kEnough)) << feature;
}

}  // namespace
}  // namespace shard::random_program::varied_program_test
