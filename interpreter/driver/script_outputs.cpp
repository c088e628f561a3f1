#include "interpreter/driver/script_outputs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <map>
#include <utility>
#include <vector>

#include "interpreter/driver/colour.h"
#include "interpreter/driver/console.h"
#include "interpreter/testing/document.h"
#include "interpreter/testing/judgement.h"
#include "interpreter/testing/process.h"
#include "interpreter/testing/test_script.h"

namespace shard {

namespace {

// What is wrong with a script, behind the line of the document that says it.
std::string placed(const std::string& name, std::size_t line, const test::TestScript& script,
                   const std::string& problems) {
  const std::string head = script.path + ": ";
  return fmt::format("{}:{}: {}", name, line,
                     problems.starts_with(head) ? problems.substr(head.size()) : problems);
}

}  // namespace

Result<ScriptOutputs> script_outputs(ReadDocument& document, const std::string& text, bool update,
                                     std::size_t columns) {
  const auto scripts = test::scripts_of_document(document.name, text);
  if (!scripts) return failure(scripts.error().message);
  const test::JudgingOptions options{
      .shard = own_path(),
      .thread_counts = {"1"},
      .timeout = test::kDefaultTimeout,
      .update = update,
      .style = {.colour = shows_colour(STDOUT_FILENO), .columns = columns}};
  ScriptOutputs outputs;
  std::map<std::size_t, std::string> printed;
  for (const test::TestScript& script : *scripts) {
    // Statements of a script whose output nothing says are judged one by one, and it is not run.
    if (!script.output && script.stray.empty()) continue;
    test::Judgement judgement = test::judge(script, options);
    if (judgement.verdict == test::Verdict::NotRun) {
      outputs.interrupted = true;
      return outputs;
    }
    const std::size_t line = script.output ? script.output->line : script.line;
    const bool passed = judgement.verdict == test::Verdict::Passed;
    if (script.output) document.outputs.push_back({line, passed});
    if (!passed) outputs.problems += placed(document.name, line, script, judgement.problems);
    if (judgement.output) printed.emplace(line, *std::move(judgement.output));
  }
  auto written = test::with_outputs(text, printed);
  if (!written) return failure(document.name + ": " + written.error().message);
  outputs.text = *std::move(written);
  return outputs;
}

}  // namespace shard
