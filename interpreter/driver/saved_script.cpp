#include "interpreter/driver/saved_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/plan_rule.h"
#include "base/words.h"
#include "interpreter/driver/script_writer.h"
#include "interpreter/driver/size_options.h"
#include "interpreter/statements/print.h"

namespace shard {

namespace {

std::string value_of_binding(const Scope& scope, const std::string& name) {
  const BindingInfo* binding = scope.find_binding(name);
  if (binding == nullptr) return "";
  if (std::holds_alternative<Supposition>(binding->value)) return "";
  return to_text(binding->value);
}

bool prints_array(const std::vector<TypedInput>& inputs) {
  return std::any_of(inputs.begin(), inputs.end(), [](const TypedInput& input) {
    return std::any_of(input.printed.begin(), input.printed.end(),
                       [](const PrintedValue& value) { return value.is_array; });
  });
}

// As the session ran, or only checked where nothing needs a run: what it saves in files it must not write again.
SessionOptions options_to_check(const std::vector<TypedInput>& inputs,
                                const SessionOptions& options) {
  SessionOptions checking;
  checking.model = options.model;
  checking.plan = options.plan;
  checking.plan_time = options.plan_time;
  checking.faults = options.faults;
  const bool writes = std::any_of(inputs.begin(), inputs.end(),
                                  [](const TypedInput& input) { return input.writes; });
  checking.check_only = !prints_array(inputs) || writes;
  if (checking.check_only) return checking;
  checking.executor = options.executor;
  checking.execution = options.execution;
  checking.execution.verify = false;
  // Each of its lines could take that much.
  checking.execution.max_flops *= static_cast<double>(inputs.size());
  return checking;
}

// Values that are printed there, in order. Those of arrays only where they are there.
std::vector<std::string> other_values(const std::vector<TypedInput>& inputs,
                                      const std::vector<PrintedValue>& there, bool has_arrays) {
  std::vector<std::string> others;
  auto at = there.begin();
  for (const TypedInput& input : inputs) {
    for (const PrintedValue& value : input.printed) {
      if (value.is_array && !has_arrays) continue;
      const auto same = std::find_if(
          at, there.end(), [&](const PrintedValue& one) { return one.is_array == value.is_array; });
      if (same != there.end()) at = same + 1;
      if (same != there.end() && same->value == value.value) continue;
      others.push_back(
          value.is_array ? fmt::format("{} printed {} with other values", input.name, value.what)
                         : fmt::format("{} printed {} and there it is {}", input.name, value.value,
                                       same == there.end() ? "nothing" : same->value));
    }
  }
  return others;
}

// The first mistake of the script; empty if it has none.
std::string mistake_in(const Outcome& outcome, const Session& check) {
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    if (info(diagnostic.kind).severity != Severity::Error) continue;
    // The command writes a line of its own in front.
    const auto line =
        check.sources().position(diagnostic.span.file, diagnostic.span.begin).line + 1;
    return fmt::format("it does not run as it stands: line {}, {}", line, diagnostic.message);
  }
  return "";
}

constexpr std::string_view kDoesNotRun = "it does not run";

// What the script does otherwise than the session; empty if nothing.
std::string difference_of(const std::string& script, const std::vector<TypedInput>& inputs,
                          const Session& session, const SessionOptions& options) {
  constexpr std::size_t kMost = 4;
  Session check(options_to_check(inputs, options));
  const Outcome outcome = check.run("script", script);
  if (std::string mistake = mistake_in(outcome, check); !mistake.empty()) return mistake;
  const std::vector<PrintedValue> there = printed_values(outcome);
  const bool has_arrays = std::any_of(there.begin(), there.end(),
                                      [](const PrintedValue& value) { return value.is_array; });
  std::vector<std::string> differences = other_values(inputs, there, has_arrays);
  if (!options_to_check(inputs, options).check_only && prints_array(inputs) && !has_arrays) {
    for (const ProgramReport& program : outcome.programs) {
      if (program.execution.executed || program.execution.reason.empty()) continue;
      differences.push_back("no array is printed there, as it is not executed: " +
                            program.execution.reason);
      break;
    }
  }
  for (const auto& entry : session.state().scope.names.bindings) {
    const std::string& name = entry.second.name;
    const std::string here = value_of_binding(session.state().scope, name);
    const std::string other = value_of_binding(check.state().scope, name);
    if (name != kLastValue && here != other)
      differences.push_back(fmt::format("{} is {} and there it is {}", name, here,
                                        other.empty() ? "nothing" : other));
  }
  if (differences.size() > kMost) {
    const std::size_t more = differences.size() - kMost;
    differences.resize(kMost);
    differences.push_back(fmt::format("{} more", more));
  }
  return join(differences, "; ");
}

}  // namespace

SavedScript saved_script(const std::vector<TypedInput>& inputs, const Session& session,
                         const SessionOptions& options) {
  ScriptWriter writer(inputs, session.state().scope);
  SavedScript saved{.text = writer.script(ScriptWriter::Anew::Renames), .remark = ""};
  saved.remark = difference_of(saved.text, inputs, session, options);
  if (saved.remark.empty() || !writer.gives_anew()) return saved;
  // Of what goes through several functions, or stands in blocks, the last may be enough.
  SavedScript other{.text = writer.script(ScriptWriter::Anew::HasTheLast), .remark = ""};
  other.remark = difference_of(other.text, inputs, session, options);
  const bool is_better = other.remark.empty() || (saved.remark.starts_with(kDoesNotRun) &&
                                                  !other.remark.starts_with(kDoesNotRun));
  return is_better ? other : saved;
}

std::string options_of_run(const SessionOptions& options) {
  const ExecutionOptions& execution = options.execution;
  std::string text;
  if (options.model == CostModel::Links) text += " --model links";
  if (options.plan != PlanRule::Cases) text += fmt::format(" --plan {}", name_of(options.plan));
  if (options.plan_time != 1) text += fmt::format(" --plan-time {:g}", options.plan_time);
  if (execution.estimate) text += " --estimate";
  if (execution.hops) text += " --hops";
  if (execution.inputs == InputValues::Normal) text += " --inputs normal";
  if (execution.threads > 0) text += fmt::format(" --threads {}", execution.threads);
  if (execution.cut.scale != Rational(1)) text += " --scale " + execution.cut.scale.to_string();
  for (const SizeCut::Length& length : execution.cut.lengths) text += " --set " + to_text(length);
  return text + lasting_options(options);
}

std::string lasting_options(const SessionOptions& options) {
  std::string text = options.execution.per_device ? " --per-device" : "";
  for (const std::string& fault : options.faults) {
    const auto blank = std::min(fault.find(' '), fault.size() - 1);
    text += fmt::format(" --{} \"{}\"", fault.substr(0, blank), fault.substr(blank + 1));
  }
  return text;
}

}  // namespace shard
