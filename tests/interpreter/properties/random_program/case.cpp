#include "tests/interpreter/properties/random_program/case.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "grammar/diagnostics/render.h"
#include "grammar/parse/parser.h"
#include "grammar/print/printer.h"
#include "interpreter/emulate/emulation.h"
#include "interpreter/report/text_report.h"

namespace shard::random_program {

namespace {

SessionOptions options_for(int threads) {
  SessionOptions options;
  options.executor = &emulated_devices();
  options.execution.verify = true;
  options.execution.threads = threads;
  options.execution.memory = 2e9;
  return options;
}

std::string words(const std::set<DiagnosticKind>& kinds) {
  std::vector<std::string> names;
  for (const DiagnosticKind kind : kinds) names.push_back(std::string(info(kind).name));
  return names.empty() ? "no error" : join_words(names, "or");
}

std::string report(const Outcome& outcome, const Session& session) {
  return outcome.status == ExitStatus::ProgramErrors
             ? ""
             : text_report(outcome, session.state(), {.verbose = true});
}

std::string format(const std::string& text, Spelling spelling) {
  SourceMap sources;
  shard::Names names;
  DiagnosticSink sink;
  const FileId file = sources.add("random.shard", text);
  return print(parse(sources, file, names, sink), spelling);
}

}  // namespace

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

std::set<DiagnosticKind> errors_of(const Outcome& outcome) {
  std::set<DiagnosticKind> errors;
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    if (info(diagnostic.kind).severity == Severity::Error) errors.insert(diagnostic.kind);
  }
  return errors;
}

Case::Case(const Script& script, const Style& style)
    : text_(text_of(script, style)), judgement_(judge(script)), session_(options_for(1)) {}

std::string& current_program() {
  static std::string text;
  return text;
}

std::string Case::complaint() {
  current_program() = "crashed in\n" + text_;
  outcome_ = session_.run("random.shard", text_);
  const auto errors = errors_of(outcome_);
  const auto expected =
      judgement_.legal() ? std::set<DiagnosticKind>() : judgement_.verdicts.back().errors;
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
  if (outcome_.programs.empty()) return "";
  const std::string wrong = compare_values();
  return wrong.empty() ? complaint_about_costs() : wrong;
}

std::string Case::complaint_about_threads() const {
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

std::string Case::complaint_about_format() const {
  for (const Spelling spelling : {Spelling::Unicode, Spelling::Ascii}) {
    const std::string formatted = format(text_, spelling);
    if (format(formatted, spelling) != formatted)
      return "formatting is not idempotent:\n" + formatted;
    Session other(options_for(1));
    const Outcome outcome = other.run("random.shard", formatted);
    if (errors_of(outcome) != errors_of(outcome_) ||
        report(outcome, other) != report(outcome_, session_))
      return "the formatted text gives another report:\n" + formatted;
  }
  return "";
}

std::string Case::diagnostics() const {
  std::string all;
  for (const Diagnostic& diagnostic : outcome_.diagnostics)
    all += render(diagnostic, session_.sources(), false);
  return all;
}

}  // namespace shard::random_program
