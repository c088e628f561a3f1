// Scripts run through a session, for the tests of the interpreter.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "interpreter/emulate/emulation.h"
#include "interpreter/program/step_text.h"
#include "interpreter/session/session.h"

namespace shard::testing {

inline SessionOptions checking() {
  SessionOptions options;
  options.check_only = true;
  return options;
}

inline SessionOptions running() {
  SessionOptions options;
  options.executor = &emulated_devices();
  options.execution.verify = true;
  options.execution.threads = 2;
  options.execution.memory = 1e9;
  return options;
}

inline SessionOptions interactive() {
  SessionOptions options = running();
  options.interactive = true;
  return options;
}

// A script and what came of it.
struct Ran {
  explicit Ran(const std::string& text, SessionOptions options = checking())
      : session(std::move(options)), outcome(session.run("test", text)) {}

  Session session;
  Outcome outcome;
};

inline std::vector<std::string> kinds_of(const Outcome& outcome) {
  std::vector<std::string> kinds;
  for (const Diagnostic& diagnostic : outcome.diagnostics)
    kinds.emplace_back(info(diagnostic.kind).name);
  return kinds;
}

// The kinds of the diagnostics that checking a script draws, in its order.
inline std::vector<std::string> kinds(const std::string& text) {
  return kinds_of(Ran(text).outcome);
}

// The text that the only diagnostic of a script marks; otherwise the kinds there are.
inline std::string marked(const std::string& text) {
  const Ran ran(text);
  if (ran.outcome.diagnostics.size() == 1)
    return std::string(ran.session.sources().text(ran.outcome.diagnostics.front().span));
  std::string all;
  for (const std::string& kind : kinds_of(ran.outcome)) all += "[" + kind + "]";
  return all;
}

// The help of all diagnostics.
inline std::vector<std::string> helps(const std::string& text) {
  std::vector<std::string> all;
  for (const Diagnostic& diagnostic : Ran(text).outcome.diagnostics)
    all.insert(all.end(), diagnostic.help.begin(), diagnostic.help.end());
  return all;
}

// What the `print` statements of a script give, or "[Kind]" of its diagnostics if it has errors.
inline std::vector<std::string> printed(const std::string& text) {
  const Ran ran(text);
  std::vector<std::string> values;
  for (const Entry& entry : ran.outcome.entries) {
    if (const auto* print = boxed_in<PrintedEntry>(entry))
      values.insert(values.end(), print->values.begin(), print->values.end());
  }
  if (ran.outcome.status != ExitStatus::ProgramErrors) return values;
  for (const std::string& kind : kinds_of(ran.outcome)) values.push_back("[" + kind + "]");
  return values;
}

// The value of one scalar expression behind some lines of preparation.
inline std::string value_of(const std::string& expression, const std::string& before = "") {
  const std::vector<std::string> values = printed(before + "\nprint " + expression + "\n");
  return values.empty() ? "" : values.back();
}

// The steps that were planned for the last statement of a script, without those for inputs.
inline std::vector<std::string> steps(const std::string& text) {
  const Ran ran(text);
  std::vector<std::string> lines;
  if (ran.session.state().programs.empty()) return kinds_of(ran.outcome);
  const Program& program = ran.session.state().programs.back();
  const StatementRecord& record = program.statements.back();
  for (std::size_t i = record.first_step; i < record.end_step; ++i) {
    if (is_shown(program.plan.steps[i])) lines.push_back(step_text(program, i));
  }
  return lines;
}

using Kinds = std::vector<std::string>;
using Lines = std::vector<std::string>;

}  // namespace shard::testing
