// Estimates scripts with shard_estimate alone and wants the bytes of `shard run --estimate`:
//   estimate_only SHARD ROOT
// SHARD is the command, ROOT the project's folder. The scripts are all examples, reported in every way, and all golden cases
// of `shard run`. needed.cmake asks which libraries this program needs.
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "grammar/diagnostics/render.h"
#include "interpreter/report/text_report.h"
#include "interpreter/session/session.h"
#include "interpreter/testing/difference.h"
#include "interpreter/testing/process.h"
#include "interpreter/testing/test_script.h"

namespace shard {
namespace {

using test::TestScript;

// A way to report: the options of the command, and what they are here.
struct Way {
  std::vector<std::string> options;
  CostModel model = CostModel::Book;
  enum class Form { Text, Json, Csv } form = Form::Text;
  ReportOptions report = {};
};

std::vector<Way> ways() {
  return {
      {.options = {}},
      {.options = {"--json"}, .form = Way::Form::Json},
      {.options = {"--csv"}, .form = Way::Form::Csv},
      {.options = {"--model", "links", "--verbose", "--timeline", "--memory-profile"},
       .model = CostModel::Links,
       .report = {.verbose = true, .timeline = true, .memory = true}},
  };
}

// The same calls as interpreter/driver/run_command.cpp, without anything that runs programs.
test::Execution estimate(const TestScript& script, const Way& way) {
  SessionOptions options;
  options.model = way.model;
  options.files.claim({FileUse::Script, script.name, {}});
  Session session(std::move(options));
  const Outcome outcome = session.run(script.name, script.text);
  test::Execution done{.status = static_cast<int>(outcome.status)};
  if (way.form == Way::Form::Json) {
    done.output = json_report(outcome, session.state(), session.sources());
    return done;
  }
  if (is_sound(outcome.status)) {
    ReportOptions report = way.report;
    report.sources = &session.sources();
    done.output = way.form == Way::Form::Csv ? csv_report(outcome)
                                             : text_report(outcome, session.state(), report);
  }
  done.errors = render(outcome.diagnostics, session.sources(), false);
  if (is_sound(outcome.status) && way.form == Way::Form::Csv && done.output.empty())
    done.errors += "shard: " + std::string(kNoTables) + "\n";
  return done;
}

// How it differs from what the command says; empty if it does not.
std::string difference(const std::string& shard, const TestScript& script, const Way& way) {
  std::vector<std::string> command = {shard, "run", "--estimate"};
  command.insert(command.end(), way.options.begin(), way.options.end());
  command.push_back(script.name);
  const test::Execution expected = test::execute(command, "");
  const test::Execution actual = estimate(script, way);
  std::string text = test::difference(expected.output, actual.output) +
                     test::difference(expected.errors, actual.errors);
  if (expected.status != actual.status)
    text += "exit status " + std::to_string(actual.status) + " instead of " +
            std::to_string(expected.status) + "\n";
  if (text.empty()) return "";
  std::string title;
  for (const std::string& word : command) title += word + " ";
  return title + "\n" + text;
}

// With a SHARD_PROPERTY_SCALE below 1 each example is reported in one of the ways, which take turns.
bool in_full() {
  const char* scale = std::getenv("SHARD_PROPERTY_SCALE");
  return scale == nullptr || std::atof(scale) >= 1;
}

int check_all(const std::string& shard) {
  const auto cases = test::find_scripts({"examples", "tests/golden"}, "");
  if (!cases) {
    std::cerr << cases.error().message << "\n";
    return 1;
  }
  std::size_t examples = 0;
  std::size_t differing = 0;
  const auto check = [&](const TestScript& script, const Way& way) {
    const std::string text = difference(shard, script, way);
    differing += text.empty() ? 0 : 1;
    std::cout << text;
  };
  for (const TestScript& script : *cases) {
    if (!script.runs() || script.on_standard_input || script.is_fence()) continue;
    // What a script saves is written by the command; on standard output it would stand among the rest.
    if (test::read_bytes(script.name).find("save \"/dev/stdout\"") != std::string::npos) continue;
    if (!script.canonical) {
      check(script, {});
      continue;
    }
    const std::vector<Way> all = ways();
    if (in_full()) {
      for (const Way& way : all) check(script, way);
    } else {
      check(script, all[examples % all.size()]);
    }
    ++examples;
  }
  std::cout << examples << " examples, " << differing << " differences\n";
  // With no example nothing could differ.
  return examples > 0 && differing == 0 ? 0 : 1;
}

}  // namespace
}  // namespace shard

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: estimate_only SHARD ROOT\n";
    return 2;
  }
  const std::string command = std::filesystem::absolute(argv[1]).string();
  std::filesystem::current_path(argv[2]);
  return shard::check_all(command);
}
