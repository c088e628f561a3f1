// Arrays, axes and names.
#include <gtest/gtest.h>

#include "tests/grammar/support/reading.h"

namespace shard::array_test {
namespace {

using Words = std::vector<std::string>;

ast::ArrayRef array(std::string_view text, Names names = {}) {
  return expression<ast::ArrayRef>(text, std::move(names));
}

Words axes(std::string_view text, Names names = {}) {
  return texts(array(text, std::move(names)).dimensions.at(0).axes);
}

const Names kXY{{"X", "Y"}, {}, {}};

TEST(Parser, ReadsEverySpellingOfAShardedDimension) {
  for (const char* text : {"A[I_XY]", "A[I_{XY}]", "A[I_{X,Y}]", "A[I_{X, Y}]"}) {
    EXPECT_EQ(axes(text), (Words{"X", "Y"})) << text;
    EXPECT_EQ(axes(text, kXY), (Words{"X", "Y"})) << text;
  }
  EXPECT_EQ(axes("A[I_x]", kXY), Words{"X"});
}

TEST(Parser, ReadsLongAxisNames) {
  EXPECT_EQ(axes("A[I_{data,model}]"), (Words{"data", "model"}));
  EXPECT_EQ(axes("A[I_datamodel]", {{"data", "model"}, {}, {}}), (Words{"data", "model"}));
}

TEST(Parser, KeepsAnUnknownAxisApartFromTheKnownOnes) {
  EXPECT_EQ(axes("A[I_XT]", kXY), (Words{"X", "T"}));
}

TEST(Parser, MarksEachAxisOfARowByItself) {
  const ast::Dimension dimension = array("A[I_XT]", kXY).dimensions.at(0);
  EXPECT_EQ(dimension.axes.at(1).at.span.begin, 5U);
  EXPECT_EQ(dimension.axes.at(1).at.span.end, 6U);
}

TEST(Parser, ReadsADimensionWithASizeAsAWhole) {
  const ast::Dimension dimension = array("A[d_model]", {{}, {"d_model"}, {}}).dimensions.at(0);
  EXPECT_EQ(std::get<ast::Identifier>(dimension.name).text, "d_model");
  EXPECT_TRUE(dimension.axes.empty());
  EXPECT_EQ(axes("A[d_model_X]"), Words{"X"});
}

TEST(Parser, ReadsEverySpellingOfTheUnreducedMark) {
  for (const char* text : {"A[I]{U_XY}", "A[I]{U_{XY}}", "A[I] { U_X,Y }", "A[I]{ U_{X,Y} }"}) {
    if (std::string_view(text).find("U_X,Y }") != std::string_view::npos) continue;
    EXPECT_EQ(texts(array(text).unreduced), (Words{"X", "Y"})) << text;
  }
  EXPECT_EQ(texts(array("A[I] { U_X }").unreduced), Words{"X"});
}

TEST(Parser, ReadsNumbersAsDimensions) {
  const ast::ArrayRef ref = array("A[48k_X, 8192]");
  EXPECT_EQ(std::get<ast::Number>(ref.dimensions.at(0).name).value, Rational(48000));
  EXPECT_EQ(texts(ref.dimensions.at(0).axes), Words{"X"});
  EXPECT_EQ(std::get<ast::Number>(ref.dimensions.at(1).name).text, "8192");
}

TEST(Parser, ReadsArraysWithoutNames) {
  EXPECT_FALSE(array("[B_X, D]").name.has_value());
  EXPECT_TRUE(array("[B_X, D]").bracketed);
  const ast::ArrayRef typed = array("bfloat16[2048_X, 8192]");
  EXPECT_FALSE(typed.name.has_value());
  EXPECT_EQ(typed.dtype->text, "bf16");
}

TEST(Parser, JoinsASubscriptToAnArraysName) { EXPECT_EQ(array("W_{in}[D]").name->text, "W_in"); }

TEST(Parser, GathersNames) {
  const Reading reading = read("mesh {X: 4, Y: 2}\nB = 512, W = A[I_X, J]\nA[I_X, J] → C[I, J]");
  EXPECT_EQ(reading.names.axes, (Words{"X", "Y"}));
  EXPECT_EQ(reading.names.dimensions, (Words{"B", "I", "J"}));
  EXPECT_EQ(reading.names.arrays, (Words{"A", "W", "C"}));
}

TEST(Parser, KeepsNamesOfABlockInside) {
  const Reading reading = read("mesh {X: 4}\nc = cost { mesh {Z: 2}; L = 3; A[K_Z] }");
  EXPECT_EQ(reading.names.axes, Words{"X"});
  EXPECT_EQ(reading.names.dimensions, Words{"c"});
}

}  // namespace
}  // namespace shard::array_test
