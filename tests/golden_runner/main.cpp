// Runs the golden cases (cases.h says what they are):
//   golden_runner SHARD ROOT [WORD]
// SHARD is the command, ROOT the project's folder, WORD restricts to cases with it in their path.
// With SHARD_UPDATE_GOLDEN=1 in the environment, what comes out is written to the expected files
// instead of being compared with them; all else, exit statuses and equal bytes for all thread
// counts among it, is checked as ever. SHARD_GOLDEN_THREADS is the counts to run with besides 1
// (4,2,7): with a sanitizer, which looks at each access by itself, one is as good as three.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include "tests/golden_runner/cases.h"
#include "tests/golden_runner/coverage.h"
#include "tests/golden_runner/difference.h"
#include "tests/golden_runner/process.h"

namespace shard::golden {
namespace {

using Words = std::vector<std::string>;

struct Runner {
  std::string shard;
  bool update = false;
  // They do not rise, so that a count cannot profit from what the one before it left behind.
  Words thread_counts = {"4", "2", "7"};
};

Execution run_shard(const Runner& runner, Words arguments, std::string_view input = "") {
  arguments.insert(arguments.begin(), runner.shard);
  return execute(arguments, input);
}

Words arguments_with_threads(const Case& golden, const std::string& threads) {
  Words arguments = golden.arguments;
  if (golden.runs()) arguments.insert(arguments.end(), {"--threads", threads});
  if (!golden.on_standard_input) arguments.push_back(golden.script);
  return arguments;
}

Execution run_case(const Runner& runner, const Case& golden, const std::string& threads) {
  return run_shard(runner, arguments_with_threads(golden, threads),
                   golden.on_standard_input ? golden.text : "");
}

void write_expected(const std::string& path, const std::string& text) {
  if (text == read_file(path)) return;
  if (text.empty()) {
    std::filesystem::remove(path);
  } else {
    std::ofstream(path, std::ios::binary) << text;
  }
  std::cout << "wrote " + path + "\n";
}

// Of a comma separated list.
Words counts_in(const std::string& list) {
  Words counts;
  std::istringstream stream(list);
  for (std::string count; std::getline(stream, count, ',');) counts.push_back(count);
  return counts;
}

// What is wrong with `actual` against the expected file; writes the file instead if the runner
// updates.
std::string settle(const Runner& runner, const std::string& path, const std::string& actual) {
  const std::string expected = read_file(path);
  const std::string comparable = with_drifts_of(expected, actual);
  if (runner.update) write_expected(path, comparable);
  const std::string excerpt = difference(runner.update ? read_file(path) : expected, comparable);
  return excerpt.empty() ? "" : path + ":\n" + excerpt;
}

std::string check_status(const Case& golden, const Execution& execution) {
  if (execution.status == golden.status) return "";
  return "exit status " + std::to_string(execution.status) + " instead of " +
         std::to_string(golden.status) + "\n";
}

std::string check_thread_counts(const Runner& runner, const Case& golden, const Execution& first) {
  std::string problems;
  for (const std::string& threads : runner.thread_counts) {
    const Execution again = run_case(runner, golden, threads);
    const std::string excerpt =
        difference(first.output + first.errors, again.output + again.errors);
    if (!excerpt.empty()) problems += "1 and " + threads + " threads differ:\n" + excerpt;
    if (again.status != first.status) problems += threads + " threads: another exit status\n";
  }
  return problems;
}

// A script with an .svg beside it draws that. With --csv nothing else goes to standard output, as long as it prints no table.
std::string check_picture(const Runner& runner, const Case& golden) {
  const std::string path = golden.beside(".svg");
  if (!std::filesystem::exists(path)) return "";
  const std::vector<std::string> arguments = {"run",   "--estimate",  "--csv",
                                              "--svg", "/dev/stdout", golden.script};
  return settle(runner, path, run_shard(runner, arguments).output);
}

// Every spelling is a fixed point of its own formatter and leads back to the same Unicode.
std::string check_formatting(const Runner& runner, const Case& golden) {
  const std::string unicode = run_shard(runner, {"fmt", golden.script}).output;
  std::string problems;
  if (golden.is_example) {
    problems += difference(unicode, golden.text).empty() ? "" : "is not in canonical form:\n";
    problems += difference(golden.text, unicode);
    if (run_shard(runner, {"fmt", "--check", golden.script}).status != 0)
      problems += "`fmt --check` refuses it\n";
  }
  for (const Words& spelling : {Words{"fmt"}, Words{"fmt", "--ascii"}}) {
    const std::string& option = spelling.back();
    Words with_file = spelling;
    with_file.push_back(golden.script);
    Words with_dash = spelling;
    with_dash.emplace_back("-");
    const std::string once = run_shard(runner, with_file).output;
    const std::string again = difference(once, run_shard(runner, with_dash, once).output);
    if (!again.empty()) problems += "`" + option + "` of its own output differs:\n" + again;
    const std::string back = difference(unicode, run_shard(runner, {"fmt", "-"}, once).output);
    if (!back.empty()) problems += "`" + option + "` and back to Unicode differs:\n" + back;
  }
  return problems;
}

std::string check_case(const Runner& runner, const Case& golden) {
  const Execution execution = run_case(runner, golden, "1");
  std::string problems = check_status(golden, execution);
  problems += settle(runner, golden.beside(".out"), execution.output);
  problems += settle(runner, golden.beside(".err"), execution.errors);
  problems += check_picture(runner, golden);
  if (golden.runs()) problems += check_thread_counts(runner, golden, execution);
  if (golden.is_example || golden.formats()) problems += check_formatting(runner, golden);
  return problems;
}

// The problems of each case, empty for those that pass.
std::vector<std::string> check_cases(const Runner& runner, const std::vector<Case>& cases) {
  std::vector<std::string> problems(cases.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t at = next++; at < cases.size(); at = next++)
      problems[at] = check_case(runner, cases[at]);
  };
  std::vector<std::jthread> workers(std::max(1U, std::thread::hardware_concurrency()));
  for (std::jthread& worker : workers) worker = std::jthread(work);
  workers.clear();
  return problems;
}

int report(const std::vector<Case>& cases, const std::vector<std::string>& problems,
           const std::string& coverage) {
  std::size_t failed = 0;
  for (std::size_t at = 0; at < cases.size(); ++at) {
    if (problems[at].empty()) continue;
    ++failed;
    std::cout << "FAILED " << cases[at].script << "\n" << problems[at] << "\n";
  }
  std::cout << coverage << cases.size() - failed << " golden cases passed, " << failed
            << " failed\n";
  return failed == 0 && coverage.empty() ? 0 : 1;
}

int run(const Runner& runner, const std::string& word) {
  const Result<std::vector<Case>> cases = find_cases(word);
  if (!cases) {
    std::cout << "golden: " << cases.error().message << "\n";
    return 1;
  }
  const std::vector<std::string> problems = check_cases(runner, *cases);
  // Whether every diagnostic is drawn by some case can only be said of all cases.
  return report(*cases, problems, word.empty() ? check_coverage(*cases) : "");
}

}  // namespace
}  // namespace shard::golden

int main(int argc, char** argv) {
  if (argc < 3 || argc > 4) {
    std::cerr << "usage: golden_runner SHARD ROOT [WORD]\n";
    return 2;
  }
  const char* update = std::getenv("SHARD_UPDATE_GOLDEN");
  shard::golden::Runner runner;
  runner.shard = std::filesystem::absolute(argv[1]).string();
  runner.update = update != nullptr && std::string(update) == "1";
  if (const char* counts = std::getenv("SHARD_GOLDEN_THREADS"))
    runner.thread_counts = shard::golden::counts_in(counts);
  // Messages name files as the command was given them, so it gets them as seen from the root.
  std::filesystem::current_path(argv[2]);
  return shard::golden::run(runner, argc == 4 ? argv[3] : "");
}
