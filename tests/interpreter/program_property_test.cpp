// Random programs: what the language allows runs, and gives what the unsharded computation gives; what it forbids is
// rejected for the right reason. Verdicts and values come from `Model`, which shares nothing with the interpreter.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <map>

#include "tests/interpreter/random_program/case.h"
#include "tests/interpreter/random_program/program.h"
#include "tests/property.h"

namespace shard::random_program {
namespace {

extern "C" void print_current_program(int signal) {
  const std::string& text = current_program();
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::string complaint_of(const Script& script, const Style& style, bool everything) {
  Case one(script, style);
  if (!one.usable()) return "";
  std::string complaint = one.complaint();
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
