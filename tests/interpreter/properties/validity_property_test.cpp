// Whether a script is valid hangs on what is written, and not on the chip, the cost model or the mode in which it is read.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <sstream>

#include "tests/interpreter/properties/random_program/program.h"
#include "tests/interpreter/properties/random_program/text.h"
#include "tests/interpreter/support/scripts.h"
#include "tests/property.h"

namespace shard::random_program::validity_property_test {
namespace {

// Kinds and lines of errors and warnings. Notes tell how something is done, which hangs on the chip.
std::string told(const std::string& text, CostModel model) {
  SessionOptions options = testing::checking();
  options.model = model;
  Session session(options);
  const Outcome outcome = session.run("test", text);
  std::string all;
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    if (info(diagnostic.kind).severity == Severity::Note ||
        diagnostic.kind == DiagnosticKind::SliceLargerThanPod)
      continue;
    const auto at = session.sources().position(diagnostic.span.file, diagnostic.span.begin);
    all += fmt::format("{}:{} {}\n", at.line, at.column, info(diagnostic.kind).name);
  }
  return all;
}

// The same of a script whose lines are typed one after the other, up to the first error.
std::string told_when_typed(const std::string& text) {
  Session session([] {
    SessionOptions options = testing::checking();
    options.interactive = true;
    return options;
  }());
  std::istringstream lines(text);
  std::string all;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    const Outcome outcome = session.run(fmt::format("input {}", ++number), line + "\n");
    for (const Diagnostic& diagnostic : outcome.diagnostics) {
      if (info(diagnostic.kind).severity == Severity::Note) continue;
      const auto at = session.sources().position(diagnostic.span.file, diagnostic.span.begin);
      all += fmt::format("{}:{} {}\n", number, at.column, info(diagnostic.kind).name);
    }
    if (!is_sound(outcome.status)) break;
  }
  return all;
}

std::string on_chip(const std::string& text, const std::string& chip) {
  const std::string slice = "hardware TPUv5p";
  if (text.starts_with(slice)) return "hardware " + chip + text.substr(slice.size());
  return text;
}

// Without a chip in the script each stands before its mesh.
std::vector<std::pair<std::string, std::string>> variants(const Script& script,
                                                          const std::string& text) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const std::string chip : {"TPUv4p", "TPUv5p", "TPU7x"})
    all.emplace_back(chip, on_chip(text, chip));
  if (script.hardware) return all;
  for (const std::string chip : {"TPUv5e", "TPUv5p", "TPUv4p", "H100"})
    all.emplace_back(chip, "hardware " + chip + "\n" + text);
  return all;
}

// The lines of a text without its first.
std::string moved_up(const std::string& told, bool one) {
  if (!one) return told;
  std::istringstream lines(told);
  std::string all;
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(':');
    all += std::to_string(std::stoi(line.substr(0, colon)) - 1) + line.substr(colon) + "\n";
  }
  return all;
}

bool is_of_the_machine(const std::string& told) {
  return told.find("MeshMismatch") != std::string::npos ||
         told.find("BadSlice") != std::string::npos;
}

TEST(Validity, HangsNeitherOnTheChipNorOnTheModelNorOnTheMode) {
  constexpr int kFull = 1500;
  constexpr int kMostFailures = 5;
  const int cases = scaled_cases(kFull);
  const std::uint64_t seed = rc::detail::configuration().testParams.seed;
  int failures = 0;
  int rejected = 0;
  int compared = 0;
  for (int i = 0; i < cases && failures < kMostFailures; ++i) {
    Random random(seed_of_case(seed, i));
    const RandomProgram program = random_program(random);
    const std::string text = text_of(program.script, program.style);
    const std::string expected = told(text, CostModel::Book);
    rejected += expected.empty() ? 0 : 1;
    const auto compare = [&](const std::string& how, const std::string& now) {
      if (is_of_the_machine(now)) return;
      ++compared;
      if (now == expected) return;
      ++failures;
      ADD_FAILURE() << "case " << i << " of RC_PARAMS=seed=" << seed << ", " << how << "\n"
                    << text << "\nby the book:\n"
                    << expected << how << ":\n"
                    << now;
    };
    compare("links", told(text, CostModel::Links));
    for (const auto& [chip, variant] : variants(program.script, text)) {
      const bool below = variant.ends_with("\n" + text);
      compare(chip, moved_up(told(variant, CostModel::Book), below));
      compare(chip + " with links", moved_up(told(variant, CostModel::Links), below));
    }
    if (std::count(expected.begin(), expected.end(), '\n') < 2)
      compare("typed", told_when_typed(text));
  }
  std::cout << fmt::format("{} programs, {} with diagnostics, {} comparisons, seed {}\n", cases,
                           rejected, compared, seed);
  EXPECT_GE(compared, cases * 5);
  EXPECT_GE(rejected, scaled_minimum(kFull / 10));
}

}  // namespace
}  // namespace shard::random_program::validity_property_test
