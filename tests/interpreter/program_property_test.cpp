// Random programs: what the language allows runs, and gives what the unsharded computation gives; what it forbids is
// rejected for the right reason. Verdicts and values come from `Model`, which shares nothing with the interpreter.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <sstream>

#include "base/text.h"
#include "grammar/parser.h"
#include "grammar/printer.h"
#include "grammar/render.h"
#include "interpreter/report.h"
#include "interpreter/session.h"
#include "runtime/runtime.h"
#include "tests/interpreter/random_program.h"
#include "tests/property.h"

namespace shard::random_program {
namespace {

// The program that is being run, for a crash that leaves no time for more.
std::string& current_program() {
  static std::string text;
  return text;
}

extern "C" void print_current_program(int signal) {
  const std::string& text = current_program();
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// How many programs had what, by its name.
using Hits = std::map<std::string, int>;

SessionOptions options_for(int threads) {
  SessionOptions options;
  options.execution.verify = true;
  options.execution.threads = threads;
  options.execution.memory = 2e9;
  return options;
}

// What the model says of a whole script; only its last statement may be wrong.
struct Judgement {
  Model model;
  std::vector<Verdict> verdicts;
  bool usable = true;  // every verdict is known
  bool legal() const { return verdicts.empty() || verdicts.back().errors.empty(); }
};

Judgement judge(const Script& script) {
  Judgement judgement{Model(script), {}};
  for (const Statement& statement : script.statements) {
    if (!judgement.legal()) judgement.usable = false;
    if (!judgement.usable) break;
    judgement.verdicts.push_back(judgement.model.judge(statement));
    judgement.usable = judgement.verdicts.back().known;
  }
  return judgement;
}

std::string name_of(DiagnosticKind kind) { return std::string(info(kind).name); }

std::set<DiagnosticKind> errors_of(const Outcome& outcome) {
  std::set<DiagnosticKind> errors;
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    if (info(diagnostic.kind).severity == Severity::Error) errors.insert(diagnostic.kind);
  }
  return errors;
}

std::string words(const std::set<DiagnosticKind>& kinds) {
  std::vector<std::string> names;
  for (const DiagnosticKind kind : kinds) names.push_back(name_of(kind));
  return names.empty() ? "no error" : join_words(names, "or");
}

// One script through a session, and everything that can be said against what came out.
class Case {
 public:
  Case(const Script& script, const Style& style)
      : text_(text_of(script, style)), judgement_(judge(script)), session_(options_for(1)) {}

  bool usable() const { return judgement_.usable; }

  // Empty if all is well.
  std::string complaint() {
    current_program() = "crashed in\n" + text_;
    outcome_ = session_.run("random.shard", text_);
    const auto errors = errors_of(outcome_);
    const auto expected = judgement_.legal() ? std::set<DiagnosticKind>()
                                             : judgement_.verdicts.back().errors;
    const bool right = std::includes(expected.begin(), expected.end(), errors.begin(), errors.end());
    if (!right || errors.empty() != expected.empty()) {
      return fmt::format("expected {}, got {}\n{}", words(expected), words(errors), diagnostics());
    }
    if (!expected.empty()) return "";
    if (outcome_.status != ExitStatus::Fine) return "exit status is not 0";
    if (outcome_.programs.size() > 1) return "more than one program";
    for (const ProgramReport& report : outcome_.programs) {
      if (!report.execution.executed) return "not executed: " + report.execution.reason;
    }
    return outcome_.programs.empty() ? "" : compare_values();
  }

  // The report is the same for every number of threads.
  std::string complaint_about_threads() const {
    for (const int threads : {3, 7}) {
      Session other(options_for(threads));
      const Outcome outcome = other.run("random.shard", text_);
      if (report(outcome, other) != report(outcome_, session_))
        return fmt::format("another report with {} threads", threads);
      if (json_report(outcome, other.state(), other.sources()) !=
          json_report(outcome_, session_.state(), session_.sources()))
        return fmt::format("another JSON report with {} threads", threads);
    }
    return "";
  }

  // Formatting changes nothing: canonical text gives the same report, and formats to itself.
  std::string complaint_about_format() const {
    for (const Spelling spelling : {Spelling::Unicode, Spelling::Ascii}) {
      const std::string formatted = format(text_, spelling);
      if (format(formatted, spelling) != formatted) return "formatting is not idempotent:\n" + formatted;
      Session other(options_for(1));
      const Outcome outcome = other.run("random.shard", formatted);
      if (errors_of(outcome) != errors_of(outcome_) ||
          report(outcome, other) != report(outcome_, session_))
        return "the formatted text gives another report:\n" + formatted;
    }
    return "";
  }

  // What was planned costs what the report says, and nothing that was weighed is cheaper.
  std::string complaint_about_costs() const {
    for (const Program& program : session_.state().programs) {
      for (const StatementRecord& record : program.statements) {
        if (record.ways.empty() || record.reference_sizes) continue;
        const double best = number(record.ways.front().cost.time());
        for (const WeighedWay& way : record.ways) {
          if (number(way.cost.time()) < best * (1 - kEqual))
            return fmt::format("`{}`: a way that was weighed is cheaper than the one taken",
                               record.text);
        }
        if (const std::string sum = complaint_about_sum(program, record); !sum.empty()) return sum;
      }
    }
    return "";
  }

  void count(Hits& hits) const {
    if (!judgement_.legal()) {
      for (const DiagnosticKind kind : errors_of(outcome_)) ++hits["rejected: " + name_of(kind)];
      return;
    }
    std::set<std::string> facts;
    for (std::size_t i = 0; i < judgement_.verdicts.size(); ++i) {
      const auto& of_statement = judgement_.verdicts[i].facts;
      facts.insert(of_statement.begin(), of_statement.end());
      for (const Program& program : session_.state().programs)
        add_plan_facts(program, program.statements[i], of_statement, facts);
    }
    for (const std::string& fact : facts) ++hits[fact];
    hits["arrays compared with the naive values"] += compared_;
    hits["arrays left out, rounding open"] += left_out_;
  }

  bool legal() const { return judgement_.legal(); }
  const std::string& text() const { return text_; }

 private:
  static constexpr double kEqual = 1e-9;

  static double number(const Formula& formula) {
    const auto constant = formula.constant();
    return constant ? constant->to_double() : 0;
  }

  static std::string report(const Outcome& outcome, const Session& session) {
    return outcome.status == ExitStatus::ProgramErrors
               ? ""
               : text_report(outcome, session.state(), {.verbose = true});
  }

  static std::string format(const std::string& text, Spelling spelling) {
    SourceMap sources;
    shard::Names names;
    DiagnosticSink sink;
    const FileId file = sources.add("random.shard", text);
    return print(parse(sources, file, names, sink), spelling);
  }

  std::string diagnostics() const {
    std::string all;
    for (const Diagnostic& diagnostic : outcome_.diagnostics)
      all += render(diagnostic, session_.sources(), false);
    return all;
  }

  std::string complaint_about_sum(const Program& program, const StatementRecord& record) const {
    double steps = 0;
    for (std::size_t i = record.first_step; i < record.end_step; ++i)
      steps += number(program.steps[i].cost.time());
    const auto* use = std::get_if<checked::Use>(&record.flow.value.node);
    // A transpose or rename at the end is local work that no way shows.
    if (use != nullptr && !record.flow.is_copy) return "";
    if (!has_chip(program) || judged_partly_written(record)) return "";
    double way = 0;
    way = number(record.ways.front().cost.time());
    // max(math, hbm) of a sum is not the sum of max(math, hbm).
    return way <= steps * (1 + kEqual) ? ""
                                       : fmt::format("`{}`: the steps take {}, the way taken {}",
                                                     record.text, steps, way);
  }

  static bool has_chip(const Program& program) { return program.machine.chip.hbm.has_value(); }
  // Collectives written inside a product are no part of what is weighed.
  static bool judged_partly_written(const StatementRecord& record) {
    return record.text.find("All") != std::string::npos;
  }

  // ------------------------------------------------------------ values

  // Every array that a statement made, in every layout, against the naive computation.
  std::string compare_values() {
    const Program& program = session_.state().programs.front();
    if (program.statements.size() != judgement_.model.results().size())
      return "another number of statements was planned";
    std::map<ArrayId, std::size_t> arrays;
    std::map<CopyId, std::size_t> copies;
    for (std::size_t i = 0; i < program.statements.size(); ++i) {
      arrays[program.statements[i].target] = judgement_.model.results()[i];
      copies[program.statements[i].result] = judgement_.model.results()[i];
    }
    for (const auto& [copy, array] : program.owners) {
      const auto found = arrays.find(array);
      if (found != arrays.end())
        copies[copy] = found->second;
      else if (const auto input = input_called(session_.state().scope.arrays[array].name))
        copies[copy] = *input;
    }
    std::string complaint;
    RunOptions options{.threads = 1};
    options.observe = [&](CopyId id, const DeviceArray& array) {
      const auto found = copies.find(id);
      if (found == copies.end() || !complaint.empty()) return;
      complaint = compare(program.plan.copies[id], judgement_.model.arrays()[found->second],
                          assemble(array, program.machine.mesh), program.machine.mesh);
    };
    run(program.machine, finished_plan(program, {}), options);
    return complaint;
  }

  std::optional<std::size_t> input_called(const std::string& name) const {
    const auto& arrays = judgement_.model.arrays();
    const auto found = std::find_if(arrays.begin(), arrays.end(), [&](const ModelArray& array) {
      return array.name == name && !array.computed;
    });
    if (found == arrays.end()) return std::nullopt;
    return static_cast<std::size_t>(found - arrays.begin());
  }

  std::string compare(const Copy& copy, const ModelArray& expected, const GlobalArray& computed,
                      const Mesh& mesh) {
    const std::string shown = copy.name + to_string(copy.layout, copy.dimensions, mesh);
    if (copy.dtype != expected.dtype)
      return fmt::format("`{}` is {}, expected {}", shown, shard::name_of(copy.dtype),
                         shard::name_of(expected.dtype));
    if (computed.shape != expected.values.shape) return "`" + shown + "` has another shape";
    if (!expected.values.certain) {
      ++left_out_;
      return "";
    }
    ++compared_;
    const bool pending = !copy.layout.unreduced.empty();
    for (std::size_t i = 0; i < computed.values.size(); ++i) {
      const double exact = expected.values.exact[i];
      const double value = pending ? exact : rounded(expected.dtype, exact);
      if (computed.values[i] != value)
        return fmt::format("`{}` has {} at {}, expected {}", shown, computed.values[i], i, value);
    }
    return "";
  }

  // ------------------------------------------------------------ what was hit

  static void add_plan_facts(const Program& program, const StatementRecord& record,
                             const std::set<std::string>& facts, std::set<std::string>& all) {
    bool multiplied = false;
    for (std::size_t i = record.first_step; i < record.end_step; ++i) {
      const auto& action = program.plan.steps[i].action;
      const auto* collective = std::get_if<CollectiveStep>(&action);
      multiplied = multiplied || std::holds_alternative<ContractStep>(action);
      const bool slices = std::holds_alternative<SliceStep>(action);
      if (slices) all.insert("slice executed");
      if (collective != nullptr)
        all.insert(std::string(shard::name_of(collective->kind)) + " executed");
      const bool gathers = collective != nullptr && collective->kind == CollectiveKind::AllGather;
      if (facts.count("case 2") != 0 && !multiplied && gathers) all.insert("case 2 by AllGather");
      if (facts.count("case 2") != 0 && !multiplied && slices) all.insert("case 2 by slice");
      if (facts.count("case 3") == 0 || !multiplied || collective == nullptr) continue;
      if (collective->kind == CollectiveKind::AllReduce) all.insert("case 3 by AllReduce");
      if (collective->kind == CollectiveKind::ReduceScatter) all.insert("case 3 by ReduceScatter");
    }
  }

  std::string text_;
  Judgement judgement_;
  Session session_;
  Outcome outcome_;
  int compared_ = 0;
  int left_out_ = 0;
};

std::string complaint_of(const Script& script, const Style& style, bool everything) {
  Case one(script, style);
  if (!one.usable()) return "";
  std::string complaint = one.complaint();
  if (complaint.empty()) complaint = one.complaint_about_costs();
  if (complaint.empty() && everything) complaint = one.complaint_about_format();
  if (complaint.empty() && everything) complaint = one.complaint_about_threads();
  return complaint;
}

// Leaves out statements and declarations and shortens axes for as long as something is still wrong.
Script shrunk(Script script, const Style& style, bool everything) {
  const auto fails = [&](const Script& smaller) {
    return !complaint_of(smaller, style, everything).empty();
  };
  bool shorter = true;
  while (shorter) {
    shorter = false;
    for (std::size_t i = script.statements.size(); i-- > 0;) {
      Script smaller = script;
      smaller.statements.erase(smaller.statements.begin() + static_cast<std::ptrdiff_t>(i));
      if (!fails(smaller)) continue;
      script = std::move(smaller);
      shorter = true;
    }
  }
  for (std::size_t i = script.declarations.size(); i-- > 0;) {
    Script smaller = script;
    smaller.declarations.erase(smaller.declarations.begin() + static_cast<std::ptrdiff_t>(i));
    if (fails(smaller)) script = std::move(smaller);
  }
  return script;
}

std::uint64_t seed_of_run() {
  return rc::detail::configuration().testParams.seed;
}

struct Minimum {
  const char* what;
  int count;  // of a full run
};

void require(const Hits& hits, const std::vector<Minimum>& minima, double scale) {
  for (const Minimum& minimum : minima) {
    const auto found = hits.find(minimum.what);
    const int count = found == hits.end() ? 0 : found->second;
    // A smaller run scatters more: half of its share will do.
    const int least = static_cast<int>(minimum.count * (scale < 1 ? scale / 2 : scale));
    EXPECT_GE(count, least) << minimum.what;
  }
}

TEST(Programs, GiveTheUnshardedResultOrAreRejectedForTheRightReason) {
  constexpr int kFull = 3000;
  constexpr int kMostFailures = 8;
  const int cases = scaled_cases(kFull);
  const std::uint64_t seed = seed_of_run();
  std::signal(SIGABRT, print_current_program);
  std::signal(SIGSEGV, print_current_program);
  Hits hits;
  int failures = 0;
  for (int i = 0; i < cases && failures < kMostFailures; ++i) {
    Random random(seed + static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15U);
    const RandomProgram program = random_program(random);
    Case one(program.script, program.style);
    ASSERT_TRUE(one.usable());
    const bool everything = i % 10 == 0;
    std::string complaint = one.complaint();
    if (complaint.empty()) complaint = one.complaint_about_costs();
    if (complaint.empty() && everything) complaint = one.complaint_about_format();
    if (complaint.empty() && everything) complaint = one.complaint_about_threads();
    if (complaint.empty()) {
      ++hits[one.legal() ? "accepted" : "rejected"];
      one.count(hits);
      continue;
    }
    ++failures;
    const Script small = shrunk(program.script, program.style, everything);
    ADD_FAILURE() << "case " << i << " of seed " << seed << "\n"
                  << text_of(small, program.style) << "\n"
                  << complaint_of(small, program.style, everything) << "\nas it was drawn:\n"
                  << one.text() << "\n"
                  << complaint;
  }
  std::cout << cases << " programs, seed " << seed << "\n";
  for (const auto& [what, count] : hits) std::cout << fmt::format("{:6} {}\n", count, what);
  if (failures > 0) return;
  EXPECT_GE(hits["accepted"], cases * 6 / 10);
  const double scale = static_cast<double>(cases) / kFull;
  require(hits, {{"case 1", 50}}, scale);
}

}  // namespace
}  // namespace shard::random_program
