#include "grammar/lex/lexer.h"

#include <gtest/gtest.h>

namespace shard::lexer_test {
namespace {

struct Lexed {
  TokenList list;
  std::vector<Diagnostic> diagnostics;
};

Lexed lexed(std::string text) {
  SourceMap sources;
  DiagnosticSink sink;
  const FileId file = sources.add("t", std::move(text));
  TokenList list = lex(sources, file, sink);
  return {std::move(list), sink.take_sorted()};
}

std::vector<TokenKind> kinds(std::string text) {
  std::vector<TokenKind> kinds;
  for (const Token& token : lexed(std::move(text)).list.tokens) kinds.push_back(token.kind);
  kinds.pop_back();
  return kinds;
}

std::vector<std::string> words(std::string text) {
  std::vector<std::string> words;
  for (const Token& token : lexed(std::move(text)).list.tokens) words.emplace_back(token.text);
  words.pop_back();
  return words;
}

using Words = std::vector<std::string>;
using Kinds = std::vector<TokenKind>;

NumberValue number(std::string text) { return *lexed(std::move(text)).list.tokens.front().number; }

TEST(Lexer, ReadsEverySpellingOfASignAsOneToken) {
  EXPECT_EQ(kinds("→ -> ⟶"), Kinds(3, TokenKind::Arrow));
  EXPECT_EQ(kinds("· • ⋅ *"), Kinds(4, TokenKind::Times));
  EXPECT_EQ(kinds("≤ <="), Kinds(2, TokenKind::LessEqual));
  EXPECT_EQ(kinds("± +/-"), Kinds(2, TokenKind::PlusMinus));
  EXPECT_EQ(kinds("- − –"), Kinds(3, TokenKind::Minus));
}

TEST(Lexer, KeepsInnerUnderscoresInAWord) {
  EXPECT_EQ(words("W_in I_{XY} AllGather_X ·_J"),
            (Words{"W_in", "I", "_", "{", "XY", "}", "AllGather_X", "·", "_", "J"}));
}

TEST(Lexer, TellsPrimesFromQuotes) {
  EXPECT_EQ(words("A' Out'1 {'X': 8}"), (Words{"A'", "Out'1", "{", "X", ":", "8", "}"}));
}

TEST(Lexer, ReadsADerivativeOfTheLossAsOneWord) {
  EXPECT_EQ(words("dL/dOut a/dL"), (Words{"dL/dOut", "a", "/", "dL"}));
}

TEST(Lexer, ReadsSlices) {
  EXPECT_EQ(kinds("4x4×8"), (Kinds{TokenKind::Number, TokenKind::Cross, TokenKind::Number,
                                   TokenKind::Cross, TokenKind::Number}));
}

TEST(Lexer, AppliesSuffixesAndUnits) {
  EXPECT_EQ(number("48k").value, Rational(48000));
  EXPECT_EQ(number("1Ki").value, Rational(1024));
  EXPECT_EQ(number("16M").value, Rational(16'000'000));
  EXPECT_EQ(number("16 GB").value, Rational(16'000'000'000));
  EXPECT_EQ(number("16 GB").unit, kBytes);
  EXPECT_EQ(number("4.5e10 B/s").value, Rational(45'000'000'000));
  EXPECT_EQ(number("4.5e10 B/s").unit, kBytesPerSecond);
  EXPECT_EQ(number("377 us").value, Rational::fraction(377, 1'000'000));
  EXPECT_EQ(number("1.97e14 FLOP/s").unit, kFlopsPerSecond);
}

TEST(Lexer, SpellsNumbersCanonically) {
  EXPECT_EQ(words("16GB"), Words{"16 GB"});
  EXPECT_EQ(words("377 µs"), Words{"377 us"});
  EXPECT_EQ(words("48_000"), Words{"48_000"});
  EXPECT_EQ(words("268,435,456   B"), Words{"268435456 B"});
}

TEST(Lexer, TakesAUnitOnlyIfTheWordEndsThere) {
  EXPECT_EQ(words("2 Bx"), (Words{"2", "Bx"}));
  EXPECT_EQ(words("2 B[I]"), (Words{"2", "B", "[", "I", "]"}));
  EXPECT_EQ(words("2*B"), (Words{"2", "*", "B"}));
  EXPECT_EQ(words("16 GB/x"), (Words{"16 GB", "/", "x"}));
  EXPECT_EQ(words("16 switch"), (Words{"16", "switch"}));
}

TEST(Lexer, ReadsThousandsCommasOutsideBracketsOnly) {
  EXPECT_EQ(words("32,768"), (Words{"32768"}));
  EXPECT_EQ(words("cost { 32,768 }"), (Words{"cost", "{", "32768", "}"}));
  EXPECT_EQ(words("[32,768]"), (Words{"[", "32", ",", "768", "]"}));
  EXPECT_EQ(words("f(32,768)"), (Words{"f", "(", "32", ",", "768", ")"}));
  EXPECT_EQ(words("32,76"), (Words{"32", ",", "76"}));
  EXPECT_EQ(words("3276,768"), (Words{"3276", ",", "768"}));
}

TEST(Lexer, LeavesARangeToItsDots) { EXPECT_EQ(words("0..4"), (Words{"0", "..", "4"})); }

TEST(Lexer, LeavesANumberThatIsTooLargeToTheParser) {
  EXPECT_TRUE(number("1e400").value.is_overflow());
  EXPECT_TRUE(number("9e37P").value.is_overflow());
}

TEST(Lexer, MatchesBracketsAndLeavesUnclosedOnesAlone) {
  const TokenList list = lexed("A[(I] { ) }").list;
  const auto partner = [&](std::size_t i) { return list.tokens[i].partner; };
  EXPECT_EQ(partner(1), 4);
  EXPECT_EQ(partner(2), -1);
  EXPECT_EQ(partner(5), 7);
  EXPECT_EQ(partner(6), -1);
  EXPECT_FALSE(list.unclosed);
  EXPECT_TRUE(lexed("A[(I)").list.unclosed);
}

TEST(Lexer, KeepsCommentsAndBlankLines) {
  const TokenList list = lexed("# one  \n\n\nA # two\nB").list;
  ASSERT_EQ(list.trivia.size(), 3U);
  EXPECT_EQ(list.trivia[0].comment, "# one");
  EXPECT_TRUE(list.trivia[0].own_line);
  EXPECT_EQ(list.trivia[1].comment, "");
  EXPECT_EQ(list.trivia[2].comment, "# two");
  EXPECT_FALSE(list.trivia[2].own_line);
  EXPECT_EQ(list.tokens[1].trivia, 3U);
}

TEST(Lexer, ReadsForeignBlanksAsBlanks) {
  EXPECT_EQ(words("\uFEFFA\u00A0= \u20093"), (Words{"A", "=", "3"}));
  for (const std::string blank : {"\u1680", "\u2000", "\u2003", "\u200A", "\u202F", "\u205F",
                                  "\u3000", "\u00AD", "\u200B", "\u200E", "\u200F", "\u2060"})
    EXPECT_EQ(words("A" + blank + "=" + blank + "3" + blank), (Words{"A", "=", "3"}));
}

// A word that was copied from a page may have places inside where it may be broken.
TEST(Lexer, ReadsAWordWithoutItsSignsOfNoWidth) {
  for (const std::string sign : {"\u00AD", "\u200B", "\u200D", "\u2060", "\uFEFF"}) {
    const Lexed result = lexed("d" + sign + sign + "_" + sign + "mo" + sign + "del" + sign + "[I]");
    ASSERT_EQ(result.list.tokens.size(), 5U);
    EXPECT_EQ(result.list.tokens[0].text, "d_model");
    const Span& span = result.list.tokens[0].span;
    EXPECT_EQ(span.begin, 0U);
    EXPECT_EQ(span.end, std::string("d_model").size() + 4 * sign.size());
    EXPECT_EQ(result.list.tokens[1].span.begin, span.end + sign.size());
  }
}

std::string refusal(std::string text) {
  const Lexed result = lexed(std::move(text));
  EXPECT_EQ(result.list.tokens.size(), 1U);
  return result.diagnostics.size() == 1 ? result.diagnostics[0].message : "";
}

TEST(Lexer, RefusesWhatIsNoText) {
  EXPECT_EQ(refusal("A\xff"), "the text is not UTF-8: byte 0xFF");
  EXPECT_EQ(refusal("A\xe2\x82"), "the text is not UTF-8: byte 0xE2");
  EXPECT_EQ(refusal("A\xc0\x80"), "the text is not UTF-8: byte 0xC0");
  EXPECT_EQ(refusal(std::string("\x7f"
                                "ELF\0\xff",
                                6)),
            "the text has a control character: byte 0x7F");
  EXPECT_EQ(refusal(std::string("A\0B", 3)), "the text has a control character: byte 0x00");
}

// A line of 1,000,001 bytes was read.
TEST(Lexer, RefusesALineThatIsTooLong) {
  const std::string longest = "#" + std::string(999'999, 'x');
  for (const std::string end : {"", "\n", "\r\n", "\nB"}) {
    EXPECT_TRUE(lexed(longest + end).diagnostics.empty());
    for (const std::string more : {"x", "é", "→", "xxxxx"})
      EXPECT_EQ(refusal("A\n" + longest + more + end), "the line is longer than 1,000,000 bytes");
  }
  const std::string begun = "#" + std::string(999'998, 'x');
  EXPECT_TRUE(lexed(begun + "x\n" + longest).diagnostics.empty());
  for (const std::string end : {"", "\n"})
    EXPECT_EQ(refusal(begun + "é" + end), "the line is longer than 1,000,000 bytes");
}

}  // namespace
}  // namespace shard::lexer_test
