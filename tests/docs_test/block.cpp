#include "tests/docs_test/block.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string_view>

#include "grammar/diagnostics/diagnostic.h"
#include "interpreter/driver/shell.h"
#include "interpreter/emulate/emulation.h"

namespace shard::docs {
namespace {

constexpr const char* kScript = "script.shard";  // what messages call a block
constexpr const char* kArticle = "article.md";   // and one that is read
constexpr const char* kPrompt = "shard> ";
constexpr const char* kContinued = "  ... ";

bool is_error(const std::string& kind) {
  const auto& catalogue = diagnostic_catalogue();
  return std::any_of(catalogue.begin(), catalogue.end(), [&](const DiagnosticInfo& info) {
    return info.name == kind && info.severity == Severity::Error;
  });
}

}  // namespace

Done Command::run(const Part& block) const {
  const Words info = block.info();
  const std::string mode = info.size() > 1 ? info[1] : "";
  const Words rest(info.begin() + std::min<std::ptrdiff_t>(2, std::ssize(info)), info.end());
  if (mode == "run" || mode == "fmt" || mode == "read") return succeed(mode, rest, block.body);
  if (mode == "check") return check(block.body);
  if (mode == "error" && rest.size() == 1) return draw(rest.front(), block.body);
  if (mode == "session") return type(block.body);
  return {
      .printed = "",
      .problem = "a block of shard is one of run, check, error KIND, fmt, read, session, fragment"};
}

test::Execution Command::execute(const std::string& verb, const Words& arguments,
                                 const std::string& script) const {
  const char* const file = verb == "read" ? kArticle : kScript;
  std::ofstream(file, std::ios::binary) << script;
  Words command = {shard_, verb};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.emplace_back(file);
  return test::execute(command, "");
}

std::string Command::ended(const test::Execution& execution) {
  return "exit status " + std::to_string(execution.status) + "\n" + execution.errors;
}

Done Command::succeed(const std::string& verb, const Words& arguments,
                      const std::string& script) const {
  const test::Execution execution = execute(verb, arguments, script);
  return {.printed = execution.output + execution.errors,
          .problem = execution.status == 0 ? "" : ended(execution)};
}

Done Command::check(const std::string& script) const {
  const test::Execution execution = execute("check", {}, script);
  const bool silent = execution.status == 0 && execution.errors.empty();
  return {.printed = execution.errors, .problem = silent ? "" : ended(execution)};
}

Done Command::draw(const std::string& kind, const std::string& script) const {
  const test::Execution execution = execute("run", {}, script);
  Done done{.printed = execution.output + execution.errors, .problem = ""};
  if (execution.errors.find("[" + kind + "]") == std::string::npos)
    done.problem = "does not draw " + kind + ": " + ended(execution);
  else if (is_error(kind) != (execution.status != 0))
    done.problem = ended(execution);
  return done;
}

// What a session shows if what stands behind the prompts is typed.
Done Command::type(const std::string& transcript) {
  SessionOptions options;
  options.interactive = true;
  options.executor = &emulated_devices();
  options.execution.verify = true;
  options.execution.memory = 1e9;
  options.execution.max_flops = 1e9;
  Shell shell(std::move(options), {});
  Done done;
  std::string pending;
  std::istringstream stream(transcript);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(kPrompt) && !line.starts_with(kContinued)) continue;
    done.printed += line + "\n";
    pending += line.substr(std::string_view(kPrompt).size()) + "\n";
    if (!shell.is_whole(pending)) continue;
    done.printed += shell.answer(pending).text;
    pending.clear();
  }
  return done;
}

}  // namespace shard::docs
