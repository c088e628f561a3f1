#include "interpreter/testing/difference.h"

#include <gtest/gtest.h>

#include <chrono>
#include <sstream>
#include <string>
#include <vector>

#include "tests/property.h"

namespace shard::difference_test {
namespace {

using test::difference;
using test::DifferenceStyle;
using test::with_drifts_of;

TEST(Difference, IsEmptyOfEqualTexts) {
  EXPECT_EQ(difference("", ""), "");
  EXPECT_EQ(difference("a\nb\n", "a\nb\n"), "");
}

TEST(Difference, ShowsLinesWithNumbersAmongThoseAround) {
  EXPECT_EQ(difference("1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nfive\n6\n7\n8\n"),
            "    2   2\n    3   3\n    4   4\n    5 - 5\n    5 + five\n    6   6\n    7   7\n    8 "
            "  8\n");
}

TEST(Difference, LeavesOutWhatIsFarFromAChange) {
  EXPECT_EQ(difference("a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n"),
            "    1 - a\n    1 + A\n    2   1\n    3   2\n    4   3\n    ⋮\n    6   5\n    7   6\n"
            "    8   7\n    9 - b\n    9 + B\n");
}

// All lines behind an inserted one were told to differ.
TEST(Difference, FindsALineThatWasPutIn) {
  EXPECT_EQ(difference("a\nb\nc\nd\n", "a\nx\nb\nc\ny\n"),
            "    1   a\n    2 + x\n    2   b\n    3   c\n    4 - d\n    5 + y\n");
}

TEST(Difference, ShowsWhatIsNotSeen) {
  EXPECT_EQ(difference("a\n", "a"), "    1 - a\n    1 + a\n        (no line end)\n");
  EXPECT_EQ(difference("a\n", "a  \n"), "    1 - a\n    1 + a␣␣\n");
  EXPECT_EQ(difference("a\n", "\x1b[1m\n"), "    1 - a\n    1 + \\u{1b}[1m\n");
  EXPECT_EQ(difference("a\r\n", "a\n"), "    1 - a\\u{d}\n    1 + a\n");
}

TEST(Difference, PutsLongLinesOnSeveral) {
  const std::string text = difference(std::string(100, 'x') + "\n", "", {.columns = 80});
  EXPECT_EQ(text, "    1 - " + std::string(72, 'x') + "\n        " + std::string(28, 'x') + "\n");
  EXPECT_EQ(difference(std::string(200, 'x') + "\n", "", {.columns = 0}),
            "    1 - " + std::string(200, 'x') + "\n");
}

TEST(Difference, CountsWhatIsTooMuch) {
  EXPECT_EQ(difference("a\nb\nc\nd\n", "", {.most_lines = 2}),
            "    1 - a\n    2 - b\n    ⋮ 2 more lines differ\n");
}

TEST(Difference, ColoursLines) {
  EXPECT_EQ(difference("a\n", "b\n", {.colour = true}),
            "\x1b[31m    1 - a\x1b[0m\n\x1b[32m    1 + b\x1b[0m\n");
}

// The shortest way between two long texts without a common line takes as many edits as they have lines.
TEST(Difference, OfLongTextsTakesNoTime) {
  std::string one;
  std::string other;
  for (int line = 0; line < 200'000; ++line) {
    one += "a" + std::to_string(line) + "\n";
    other += "b" + std::to_string(line) + "\n";
  }
  const auto began = std::chrono::steady_clock::now();
  EXPECT_NE(difference(one, other).find("399940 more lines differ"), std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
}

// Applying a complete difference to the first text gives the second one.
std::string patched(const std::string& text, const std::string& difference) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line + "\n");
  std::string result;
  std::size_t at = 0;  // lines of `text` that are done
  std::istringstream changes(difference);
  for (std::string line; std::getline(changes, line);) {
    if (line.find("⋮") != std::string::npos) continue;
    const std::size_t number = std::stoul(line.substr(0, 5)) - 1;
    const char mark = line[6];
    if (mark == '+') {
      result += line.substr(8) + "\n";
      continue;
    }
    while (at < number) result += lines[at++];
    if (mark == ' ') result += lines[at];
    ++at;
  }
  while (at < lines.size()) result += lines[at++];
  return result;
}

SHARD_PROPERTY(Difference, LeadsFromOneTextToTheOther, 2000) {
  const auto text = [] {
    std::string lines;
    for (const char letter : *rc::gen::container<std::string>(rc::gen::inRange('a', 'd')))
      lines += std::string(1, letter) + "\n";
    return lines;
  };
  const std::string one = text();
  const std::string other = text();
  const std::string changes = difference(one, other, {.most_lines = 1'000'000});
  RC_ASSERT(changes.empty() == (one == other));
  RC_ASSERT(patched(one, changes) == other);
}

TEST(Drifts, MayBeNeighbours) {
  EXPECT_EQ(with_drifts_of("drift 2^-20 x\n", "drift 2^-21 x\n"), "drift 2^-20 x\n");
  EXPECT_EQ(with_drifts_of("drift 2^-20 x\n", "drift 2^-22 x\n"), "drift 2^-22 x\n");
  EXPECT_EQ(with_drifts_of("drift 2^-20 x\n", "drift 2^-20 y\n"), "drift 2^-20 y\n");
}

}  // namespace
}  // namespace shard::difference_test
