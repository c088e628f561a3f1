#include "grammar/tree/names.h"

#include <gtest/gtest.h>

namespace shard::names_test {
namespace {

using Axes = std::optional<std::vector<std::string>>;
using Words = std::vector<std::string>;

TEST(NameKey, IsEqualForSpellingsOfOneName) {
  EXPECT_EQ(name_key("W_in"), name_key("Win"));
  EXPECT_EQ(name_key("W_{in}"), name_key("Win"));
  EXPECT_EQ(name_key("dL/dOut"), name_key("dOut"));
  EXPECT_NE(name_key("A'"), name_key("A"));
  EXPECT_NE(name_key("win"), name_key("Win"));
}

TEST(SplitAxes, TakesTheExactAxisFirst) {
  EXPECT_EQ(split_axes("XY", {{"X", "Y", "XY"}, {}, {}}), Axes(Words{"XY"}));
}

TEST(SplitAxes, SplitsLongestFirst) {
  EXPECT_EQ(split_axes("dataX", {{"d", "data", "X"}, {}, {}}), Axes(Words{"data", "X"}));
  // The longest leaves a rest that is no axis.
  EXPECT_EQ(split_axes("abc", {{"ab", "a", "bc"}, {}, {}}), Axes(Words{"a", "bc"}));
}

TEST(SplitAxes, FindsNoSplitOfUnknownAxes) {
  EXPECT_EQ(split_axes("XT", {{"X", "Y"}, {}, {}}), std::nullopt);
}

TEST(SplitAxes, IgnoresCaseWhereItIsUnambiguous) {
  EXPECT_EQ(split_axes("xy", {{"X", "Y"}, {}, {}}), Axes(Words{"X", "Y"}));
  EXPECT_EQ(split_axes("XX", {{"X", "x"}, {}, {}}), Axes(Words{"X", "X"}));
  EXPECT_EQ(split_axes("DATA", {{"data", "Data"}, {}, {}}), std::nullopt);
}

TEST(SplitAxes, CutsIntoLettersWithoutAMesh) {
  EXPECT_EQ(split_axes("XY", {}), Axes(Words{"X", "Y"}));
  EXPECT_EQ(split_axes("xy", {}), Axes(Words{"x", "y"}));
  EXPECT_EQ(split_axes("TP", {}), Axes(Words{"T", "P"}));
  EXPECT_EQ(split_axes("data", {}), Axes(Words{"data"}));
}

// A word of many short axes took exponential time while failed rests were tried again.
TEST(SplitAxes, EndsOnAHostileWord) {
  EXPECT_EQ(split_axes(std::string(60, 'a') + "b", {{"a", "aa", "aaa"}, {}, {}}), std::nullopt);
}

TEST(CanonicalDtype, KnowsUsualSpellings) {
  EXPECT_EQ(canonical_dtype("bfloat16"), "bf16");
  EXPECT_EQ(canonical_dtype("f32"), "fp32");
  EXPECT_EQ(canonical_dtype("bf61"), std::nullopt);
}

}  // namespace
}  // namespace shard::names_test
