// What is written in the place of functions that the language lacks runs as it is offered.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/function.h"
#include "grammar/translate/lacking.h"
#include "tests/interpreter/support/scripts.h"

namespace shard::lacking_functions_test {
namespace {

const std::string kArrays = "I = 4, J = 4\nx: fp32[I, J], y: fp32[I, J], z: fp32[I, J]\n";

std::optional<std::string> formula_of(const LackingFunction& function, bool is_operand) {
  const bool is_along = function.formula.find("$_") != std::string_view::npos;
  const LackingWord word{&function, is_along ? "_J" : ""};
  for (const auto& arguments :
       std::vector<std::vector<std::string>>{{"x"}, {"x", "y"}, {"x", "y", "z"}}) {
    if (auto line = written_out(word, arguments, is_operand)) return line;
  }
  return std::nullopt;
}

TEST(LackingFunctions, RunAsTheyAreWrittenOut) {
  for (const LackingFunction& function : lacking_functions()) {
    if (function.formula.empty()) {
      EXPECT_FALSE(function.meaning.empty()) << function.name;
      continue;
    }
    const auto line = formula_of(function, false);
    const auto operand = formula_of(function, true);
    ASSERT_TRUE(line && operand) << function.name;
    // What is joined has a dimension of its own.
    if (function.formula.starts_with("concat")) continue;
    EXPECT_TRUE(testing::kinds(kArrays + "C = " + *line).empty()) << function.name << ": " << *line;
    EXPECT_TRUE(testing::kinds(kArrays + "C = 2 ⊙ " + *operand).empty())
        << function.name << ": " << *operand;
  }
}

TEST(LackingFunctions, AreNoneOfTheLanguage) {
  for (const LackingFunction& function : lacking_functions()) {
    const FunctionInfo* own = find_function(function.name);
    EXPECT_TRUE(own == nullptr || !computes_array(*own)) << function.name;
  }
}

TEST(LackingFunctions, TakeParenthesesWhereTheyAreNeeded) {
  const LackingWord tan{lacking_function("tan")};
  EXPECT_EQ(written_out(tan, {"x + y"}, false), "sin(x + y) / cos(x + y)");
  EXPECT_EQ(written_out(tan, {"x"}, true), "(sin(x) / cos(x))");
  const LackingWord negative{lacking_function("negative")};
  EXPECT_EQ(written_out(negative, {"x + y"}, false), "-(x + y)");
  EXPECT_EQ(written_out(negative, {"A[I, J]"}, false), "-A[I, J]");
  EXPECT_EQ(written_out(negative, {"x", "y"}, false), std::nullopt);
}

TEST(LackingFunctions, HaveTheirSubscriptWithThem) {
  const auto is_dimension = [](const std::string& name) { return name == "J"; };
  const auto word = lacking_word("log_softmax_J", is_dimension);
  ASSERT_TRUE(word.has_value());
  EXPECT_EQ(word->subscript, "_J");
  EXPECT_EQ(written_out(*word, {"x"}, false), "log(softmax_J(x))");
  EXPECT_FALSE(lacking_word("tan_h", is_dimension).has_value());
}

}  // namespace
}  // namespace shard::lacking_functions_test
