#include "grammar/source/look_alike.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>

#include "tests/grammar/support/reading.h"

namespace shard::look_alike_test {
namespace {

TEST(LookAlike, KnowsLettersOfOtherScripts) {
  EXPECT_EQ(look_alike("А[I]")->meant, 'A');
  EXPECT_EQ(look_alike("А[I]")->code_point, U'\u0410');
  EXPECT_EQ(look_alike("Χ")->meant, 'X');
  EXPECT_EQ(look_alike("［")->meant, '[');
  EXPECT_EQ(look_alike("～")->meant, '~');
  EXPECT_FALSE(look_alike("A"));
  EXPECT_FALSE(look_alike("ж"));
  EXPECT_FALSE(look_alike(""));
  EXPECT_FALSE(look_alike("\xD0"));
}

TEST(LookAlike, IsNamedWhereItStands) {
  EXPECT_EQ(read("C[I_Х] → D[I]").diagnostics.at(0).message,
            "`Х` (U+0425) looks like `X`, and is another letter");
  EXPECT_EQ(read("A［I］").diagnostics.at(0).help, std::vector<std::string>{"write `[`"});
}

// Greek capitals that are drawn as Latin ones were letters: `Ι` was a dimension beside `I`, and `Χ` an axis that the
// mesh, which had X, did not have.
TEST(LookAlike, IsNoLetterOfAName) {
  for (const std::string letter : {"Α", "Β", "Ε", "Ζ", "Η", "Ι", "Κ", "Μ", "Ν", "Ο", "Ρ", "Τ", "Υ",
                                   "Χ", "ο", "Ϲ", "ϲ", "Ϳ", "ϳ"}) {
    for (const std::string& line :
         {"A[" + letter + "_X, J] → A[I, J]", "A[I_" + letter + "] → A[I]", letter + "[I] → A[I]",
          "d" + letter + " = 4"}) {
      const auto told = read(line).diagnostics;
      ASSERT_EQ(told.size(), 1U) << line;
      EXPECT_EQ(told[0].kind, DiagnosticKind::UnexpectedCharacter) << line;
      EXPECT_NE(told[0].message.find("looks like"), std::string::npos) << told[0].message;
    }
  }
}

TEST(LookAlike, IsNoGreekLetterThatNobodyTakesForALatinOne) {
  for (const std::string letter :
       {"Γ", "Δ", "Θ", "Λ", "Ξ", "Π", "Σ", "Φ", "Ψ", "Ω", "α", "β", "γ",
        "δ", "ε", "ζ", "η", "θ", "ι", "κ", "λ", "μ", "ν", "ξ", "π", "ρ",
        "σ", "ς", "τ", "υ", "φ", "χ", "ψ", "ω", "ϕ", "ϵ", "ϑ", "é", "Ö"}) {
    for (const std::string& line : {"A[" + letter + "_X] → A[" + letter + "]",
                                    letter + "[I] → " + letter + "x[I]", "d_" + letter + " = 4"})
      EXPECT_TRUE(read(line).diagnostics.empty()) << line;
  }
}

// The message quoted what nobody sees, and the mark stood under a blank.
TEST(NotSeen, IsNamedByItsCodePoint) {
  for (const auto& [sign, name] :
       std::initializer_list<std::pair<std::string, std::string>>{{"\u2028", "U+2028"},
                                                                  {"\u2029", "U+2029"},
                                                                  {"\u202E", "U+202E"},
                                                                  {"\u2066", "U+2066"},
                                                                  {"\u0085", "U+0085"},
                                                                  {"\U000E0041", "U+E0041"},
                                                                  {"☃", "`☃` (U+2603)"}}) {
    const auto told = read("A[I] " + sign + "→ B[I]\n").diagnostics;
    ASSERT_EQ(told.size(), 1U) << name;
    EXPECT_EQ(told[0].message, name + " means nothing in the notation");
    EXPECT_EQ(told[0].help.size(), name.front() == 'U' ? 1U : 0U);
    EXPECT_EQ(told[0].span.begin, 5U);
    EXPECT_EQ(told[0].span.end, 5U + sign.size());
  }
}

// The sign that Unicode says is `·`.
TEST(LookAlike, GreekDotIsTheDot) {
  EXPECT_TRUE(read("A[I, J] \u0387 B[J, K] → C[I, K]").module ==
              read("A[I, J] · B[J, K] → C[I, K]").module);
}

}  // namespace
}  // namespace shard::look_alike_test
