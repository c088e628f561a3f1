#include "base/words.h"

#include <gtest/gtest.h>

namespace shard::words_test {
namespace {

const std::vector<std::string> kWords = {"hardware", "mesh", "X", "Win"};

TEST(NearestName, FindsASlipOfTheFinger) {
  EXPECT_EQ(nearest_name("hardwear", kWords), "hardware");
  EXPECT_EQ(nearest_name("mehs", kWords), "mesh");
  EXPECT_EQ(nearest_name("MESH", {"mesh"}), std::nullopt);
  EXPECT_EQ(nearest_name("Mesh", kWords), "mesh");
}

TEST(NearestName, LeavesOtherWordsAlone) {
  EXPECT_EQ(nearest_name("table", kWords), std::nullopt);
  EXPECT_EQ(nearest_name("", kWords), std::nullopt);
  EXPECT_EQ(nearest_name(std::string(100, 'x'), kWords), std::nullopt);
}

TEST(NearestName, TakesASingleLetterForItsOtherCaseOnly) {
  EXPECT_EQ(nearest_name("x", kWords), "X");
  EXPECT_EQ(nearest_name("Y", kWords), std::nullopt);
}

TEST(NearestName, PrefersTheNearest) {
  EXPECT_EQ(nearest_name("alpho", {"alpine", "alpha"}), "alpha");
}

TEST(JoinWords, WritesAList) {
  EXPECT_EQ(join_words({}), "");
  EXPECT_EQ(join_words({"a"}), "a");
  EXPECT_EQ(join_words({"a", "b"}), "a and b");
  EXPECT_EQ(join_words({"a", "b", "c"}, "or"), "a, b or c");
}

TEST(OneLine, SeparatesStatementsAndNotTheLinesOfOne) {
  EXPECT_EQ(one_line("cost {\n  a = 1\n  b = 2\n}"), "cost { a = 1; b = 2 }");
  EXPECT_EQ(one_line("x = y +\n  4"), "x = y + 4");
  EXPECT_EQ(one_line("A[I, J] · \n B[J, K] →\nC[I, K]"), "A[I, J] · B[J, K] → C[I, K]");
  EXPECT_EQ(one_line("z = (1\n + 2)\nw = 3"), "z = (1 + 2); w = 3");
}

TEST(Join, PutsTheSeparatorBetween) { EXPECT_EQ(join({"a", "b"}, ", "), "a, b"); }

}  // namespace
}  // namespace shard::words_test
