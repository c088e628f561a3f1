#include "interpreter/testing/test_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "grammar/source/visible.h"

namespace shard::test {
namespace {

constexpr std::string_view kFailure = "\x1b[1;31m";
constexpr std::string_view kPlain = "\x1b[0m";

// As it stands before a path, and as it is counted.
struct VerdictWords {
  Verdict verdict;
  std::string_view heading;
  std::string_view counted;
};

constexpr std::array<VerdictWords, 5> kVerdicts = {{{Verdict::Passed, "passed", "passed"},
                                                    {Verdict::Failed, "FAILED", "failed"},
                                                    {Verdict::TimedOut, "TIMED OUT", "timed out"},
                                                    {Verdict::Crashed, "CRASHED", "crashed"},
                                                    {Verdict::NotRun, "not run", "not run"}}};

const VerdictWords& words_for(Verdict verdict) {
  return *std::find_if(kVerdicts.begin(), kVerdicts.end(),
                       [&](const VerdictWords& words) { return words.verdict == verdict; });
}

std::size_t count_of(const std::vector<Judgement>& judgements, Verdict verdict) {
  return static_cast<std::size_t>(
      std::count_if(judgements.begin(), judgements.end(),
                    [&](const Judgement& one) { return one.verdict == verdict; }));
}

// Without the colours of differences, which are the only controls in them.
std::string without_colour(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find('\x1b'), text.size());
    plain += text.substr(0, begin);
    text.remove_prefix(begin);
    if (!text.empty()) text.remove_prefix(std::min(text.find('m'), text.size() - 1) + 1);
  }
  return plain;
}

// The characters that XML has a meaning for.
std::string in_xml(std::string_view text) {
  std::string written;
  for (const char c : text) {
    switch (c) {
      case '&':
        written += "&amp;";
        break;
      case '<':
        written += "&lt;";
        break;
      case '>':
        written += "&gt;";
        break;
      case '"':
        written += "&quot;";
        break;
      default:
        written += c;
    }
  }
  return written;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// What is below a case; empty if it passed.
std::string junit_outcome(const Judgement& judgement) {
  if (judgement.verdict == Verdict::Passed) return "";
  if (judgement.verdict == Verdict::NotRun) return "      <skipped message=\"not run\"/>\n";
  const std::string problems = without_colour(judgement.problems);
  const bool is_failure = judgement.verdict == Verdict::Failed;
  return fmt::format("      <{0} message=\"{1}\">{2}</{0}>\n", is_failure ? "failure" : "error",
                     in_xml(first_line(problems)), in_xml(problems));
}

}  // namespace

std::string text_of(const TestScript& script, const Judgement& judgement, bool colour) {
  std::string text;
  for (const std::string& path : judgement.written) text += "wrote " + visible_line(path) + "\n";
  if (judgement.verdict == Verdict::Passed || judgement.verdict == Verdict::NotRun) return text;
  const std::string_view heading = words_for(judgement.verdict).heading;
  return text + fmt::format("{}{} {}{}\n{}\n", colour ? kFailure : "", heading,
                            visible_line(script.title()), colour ? kPlain : "", judgement.problems);
}

std::string summary_of(const std::vector<TestScript>& scripts,
                       const std::vector<Judgement>& judgements, double seconds) {
  constexpr std::size_t kMost = 20;  // paths
  const std::size_t not_run = count_of(judgements, Verdict::NotRun);
  std::string text = not_run > 0 ? "stopped; not run:\n" : "";
  std::size_t listed = 0;
  for (std::size_t at = 0; at < scripts.size(); ++at) {
    if (judgements[at].verdict == Verdict::NotRun && listed++ < kMost)
      text += "  " + visible_line(scripts[at].title()) + "\n";
  }
  if (not_run > kMost) text += fmt::format("  and {} more\n", not_run - kMost);
  std::string counts;
  for (const VerdictWords& words : kVerdicts) {
    const std::size_t count = count_of(judgements, words.verdict);
    if (count == 0 && words.verdict != Verdict::Passed) continue;
    counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, words.counted);
  }
  return text + counts + (seconds < 0 ? "\n" : fmt::format(" in {:.1f} s\n", seconds));
}

std::string tap_line(const TestScript& script, const Judgement& judgement, std::size_t number) {
  std::string path = visible_line(script.title());
  for (std::size_t at = path.find('#'); at != std::string::npos; at = path.find('#', at + 2))
    path.insert(at, "\\");
  std::string text = fmt::format("{}ok {} - {}\n",
                                 judgement.verdict == Verdict::Passed ? "" : "not ", number, path);
  for (const std::string& written : judgement.written)
    text += "# wrote " + visible_line(written) + "\n";
  if (judgement.verdict == Verdict::Passed) return text;
  text += fmt::format("# {}\n", words_for(judgement.verdict).heading);
  std::istringstream lines(without_colour(judgement.problems));
  for (std::string line; std::getline(lines, line);) text += "# " + line + "\n";
  return text;
}

std::string junit_text(const std::vector<TestScript>& scripts,
                       const std::vector<Judgement>& judgements) {
  namespace fs = std::filesystem;
  std::string cases;
  double seconds = 0;
  for (std::size_t at = 0; at < scripts.size(); ++at) {
    const fs::path path(scripts[at].title());
    const std::string outcome = junit_outcome(judgements[at]);
    seconds += judgements[at].seconds;
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"{}",
                         in_xml(visible_line(path.parent_path().string())),
                         in_xml(visible_line(path.filename().string())), judgements[at].seconds,
                         outcome.empty() ? "/>\n" : ">\n" + outcome + "    </testcase>\n");
  }
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"",
                  scripts.size(), count_of(judgements, Verdict::Failed),
                  count_of(judgements, Verdict::TimedOut) + count_of(judgements, Verdict::Crashed),
                  count_of(judgements, Verdict::NotRun), seconds);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n  <testsuite name=\"shard\" "
      "{0}>\n{1}  </testsuite>\n</testsuites>\n",
      counts, cases);
}

}  // namespace shard::test
