// Random programs: what the language allows runs, and gives what the unsharded computation gives; what it forbids is
// rejected for the right reason. Verdicts and values come from `Model`, which shares nothing with the interpreter.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <iostream>

#include "tests/interpreter/properties/random_program/case.h"
#include "tests/interpreter/properties/random_program/program.h"
#include "tests/property.h"

namespace shard::random_program::program_property_test {
namespace {

extern "C" void print_current_program(int signal) {
  const std::string& text = current_program();
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// `everything`: also what takes longer, spelling and threads.
std::string complaint_of(Case& one, bool everything) {
  std::string complaint = one.complaint();
  if (complaint.empty()) complaint = one.complaint_about_bits();
  if (complaint.empty() && everything) complaint = one.complaint_about_format();
  if (complaint.empty() && everything) complaint = one.complaint_about_threads();
  return complaint;
}

// Leaves out statements and declarations for as long as something is still wrong.
Script shrunk(Script script, const Style& style, bool everything) {
  const auto fails = [&](const Script& smaller) {
    Case one(smaller, style);
    return one.usable() && !complaint_of(one, everything).empty();
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

struct Minimum {
  const char* what;
  int count;  // of a full run
};

// What the test is worth something for.
constexpr int kEnough = 50;
constexpr std::array kMinima = {
    Minimum{"case 1", kEnough},
    Minimum{"case 2", kEnough},
    Minimum{"case 2 by AllGather", kEnough},
    Minimum{"case 2 by slice", kEnough},
    Minimum{"case 3", kEnough},
    Minimum{"case 3 by AllReduce", kEnough},
    Minimum{"case 3 by ReduceScatter", kEnough},
    Minimum{"case 4", kEnough},
    Minimum{"AllGather executed", kEnough},
    Minimum{"ReduceScatter executed", kEnough},
    Minimum{"AllReduce executed", kEnough},
    Minimum{"AllToAll executed", kEnough},
    Minimum{"CollectivePermute executed", kEnough},
    Minimum{"Shift executed", kEnough},
    Minimum{"slice executed", kEnough},
    Minimum{"two axes on one dimension", kEnough},
    Minimum{"axis of size 1", kEnough},
    Minimum{"batch dimension", kEnough},
    Minimum{"chain of three", kEnough},
    Minimum{"declared target", kEnough},
    Minimum{"local case 3", kEnough},
    Minimum{"major axis removed", 15},
    Minimum{"nested collective", kEnough},
    Minimum{"permuted to other axes", 25},
    Minimum{"several destinations", 5},
    Minimum{"no target", kEnough},
    Minimum{"one of several copies", kEnough},
    Minimum{"re-layout", kEnough},
    Minimum{"renamed dimensions", kEnough},
    Minimum{"second input layout", kEnough},
    Minimum{"several contracted dimensions", kEnough},
    Minimum{"transpose", kEnough},
    Minimum{"unreduced operand", kEnough},
    Minimum{"written collective", kEnough},
};
constexpr int kEnoughOfAMistake = 5;

void require(const Hits& hits, const std::string& what, int full) {
  const auto found = hits.find(what);
  EXPECT_GE(found == hits.end() ? 0 : found->second, scaled_minimum(full)) << what;
}

// `full`: the number of cases of a full run.
void require_all(const Hits& hits, int full) {
  require(hits, "accepted", full * 6 / 10);
  for (const Minimum& minimum : kMinima) require(hits, minimum.what, minimum.count);
  for (const DiagnosticKind kind : mistakes())
    require(hits, "rejected: " + std::string(info(kind).name), kEnoughOfAMistake);
}

void print(const Hits& hits, int cases, std::uint64_t seed) {
  std::cout << fmt::format("{} programs, seed {}\n", cases, seed);
  for (const auto& [what, count] : hits) std::cout << fmt::format("{:6} {}\n", count, what);
}

TEST(Programs, GiveTheUnshardedResultOrAreRejectedForTheRightReason) {
  constexpr int kFull = 3000;
  constexpr int kMostFailures = 5;
  std::signal(SIGABRT, print_current_program);
  std::signal(SIGSEGV, print_current_program);
  const int cases = scaled_cases(kFull);
  const std::uint64_t seed = rc::detail::configuration().testParams.seed;
  Hits hits;
  int failures = 0;
  for (int i = 0; i < cases && failures < kMostFailures; ++i) {
    Random random(seed_of_case(seed, i));
    const RandomProgram program = random_program(random);
    const bool everything = i % 10 == 0;
    Case one(program.script, program.style);
    ASSERT_TRUE(one.usable()) << one.text();
    if (complaint_of(one, everything).empty()) {
      ++hits[one.legal() ? "accepted" : "rejected"];
      one.count(hits);
      continue;
    }
    ++failures;
    Case small(shrunk(program.script, program.style, everything), program.style);
    const std::string complaint = complaint_of(small, everything);
    ADD_FAILURE() << "case " << i << " of RC_PARAMS=seed=" << seed << "\n"
                  << small.text() << "\n"
                  << complaint << "\nas it was drawn:\n"
                  << one.text();
  }
  print(hits, cases, seed);
  if (failures == 0) require_all(hits, kFull);
}

}  // namespace
}  // namespace shard::random_program::program_property_test
