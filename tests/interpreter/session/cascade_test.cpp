// One mistake, one error: lines of the examples that declare something, each with a mistake that a hand makes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>

#include "tests/interpreter/support/scripts.h"
#include "tests/property.h"

namespace shard::cascade_test {
namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::filesystem::path& file) {
  Lines lines;
  std::ifstream text(file);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

// With the first `from` as `to`; as it is without one.
std::string with(std::string line, std::string_view from, std::string_view to) {
  const std::size_t at = line.find(from);
  if (at != std::string::npos) line.replace(at, from.size(), to);
  return line;
}

// With the number behind `: ` as `to`.
std::string with_size(std::string line, std::string_view to) {
  const std::size_t at = line.find(": ");
  if (at == std::string::npos || at + 2 >= line.size() || line[at + 2] < '0' || line[at + 2] > '9')
    return line;
  const std::size_t end = std::min(line.find_first_not_of("0123456789", at + 2), line.size());
  return line.replace(at + 2, end - at - 2, to);
}

// The line with a mistake, in several ways; nothing for lines that declare nothing.
std::set<std::string> mistaken(const std::string& whole) {
  const std::string line = whole.substr(0, whole.find('#'));
  const auto begins = [&](std::string_view word) { return line.rfind(word, 0) == 0; };
  std::set<std::string> mistakes;
  if (begins("hardware ")) {
    mistakes = {with(line, "hardware", "hardwear"), with(line, "TPU", "TPX"),
                with(line, "TPU", "FPU")};
  } else if (begins("mesh ")) {
    mistakes = {with(line, "mesh", "mehs"), with(line, "}", ""), with(line, ": ", " = "),
                with_size(line, "4 GB"), with_size(line, "-4")};
  } else if (begins("fn ")) {
    mistakes = {with(line, "fn", "fun"), with(line, ")", ""), with(line, "(", ""),
                with(line, "{", "")};
  } else if (begins("for ")) {
    mistakes = {with(line, "for", "fro"), with(line, " in ", " ni "), with(line, "]", "")};
  } else if (line.find("= cost {") != std::string::npos) {
    mistakes = {with(line, "cost", "cots"), with(line, "{", "")};
  } else if (line.find(": bf16") != std::string::npos) {
    mistakes = {with(line, "bf16", "bf15"), with(line, "]", ""), with(line, "bf16", "bloat16")};
  } else if (line.find(": int8") != std::string::npos) {
    mistakes = {with(line, "int8", "int9"), with(line, "int8", "itn8")};
  }
  mistakes.erase(line);
  return mistakes;
}

std::string text_of(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST(Cascades, AreRareInTheExamples) {
  std::size_t found = 0;
  int mistakes = 0;
  int silent = 0;
  int several = 0;
  std::string told;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::string(SHARD_TEST_FILES) + "/../../examples")) {
    // Scripts that are given as they stand have their canonical forms beside them.
    if (entry.path().extension() != ".shard" || entry.path().parent_path().filename() == "wanted")
      continue;
    const Lines lines = lines_of(entry.path());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      for (const std::string& mistake : mistaken(lines[i])) {
        if (found++ % scaled_step() != 0) continue;
        Lines changed = lines;
        changed[i] = mistake;
        const testing::Ran ran(text_of(changed));
        const auto errors = std::count_if(
            ran.outcome.diagnostics.begin(), ran.outcome.diagnostics.end(),
            [](const auto& one) { return info(one.kind).severity == Severity::Error; });
        ++mistakes;
        silent += errors == 0 ? 1 : 0;
        several += errors > 1 ? 1 : 0;
        if (errors > 1) told += entry.path().filename().string() + ": " + mistake + "\n";
      }
    }
  }
  EXPECT_GE(found, 300U);
  // Without its `mesh` a script of questions has nothing left to ask about: each of them says so.
  // Nor has one without its function, and without the block that it is about.
  EXPECT_LE(several, scaled_maximum(32)) << told;
  EXPECT_LE(silent, scaled_maximum(static_cast<double>(found) / 4)) << "of " << mistakes;
}

TEST(Cascades, WhatABadLineWouldHaveDeclaredIsKnown) {
  using Kinds = testing::Kinds;
  EXPECT_EQ(testing::kinds("mehs {X: 4}\nA[I_X, J]\nshow A\nprint devices"), Kinds{"SyntaxError"});
  EXPECT_EQ(testing::kinds("mesh {X: -4}\nA[I_X, J]\nprint devices"), Kinds{"SyntaxError"});
  EXPECT_EQ(testing::kinds("fn f(x[B])\n  return x\n}\nD[B] = f(A[B])"), Kinds{"SyntaxError"});
  EXPECT_EQ(testing::kinds("c = cost\n  I = 8\n  A[I] → B[I]\n}\nI = 4\nprint c.flops"),
            Kinds{"SyntaxError"});
  EXPECT_EQ(
      testing::kinds("hardware Foo 2x2\nmesh {X: 4x4}\nprint cost { A[I_X] → A[I] }.timeline"),
      Kinds{"UnknownChip"});
}

}  // namespace
}  // namespace shard::cascade_test
