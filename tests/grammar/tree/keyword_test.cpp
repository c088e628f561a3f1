// Every word of grammar/keywords.def, asked of the parser and the printer.
#include "grammar/tree/keyword.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/words.h"
#include "tests/grammar/support/reading.h"

namespace shard::keyword_test {
namespace {

std::string formatted(const std::string& text, Spelling spelling = Spelling::Unicode) {
  const Reading reading = read(text);
  if (!reading.diagnostics.empty()) return "error: " + reading.diagnostics.front().message;
  return print(reading.module, spelling);
}

std::vector<std::string> all_words() {
  std::vector<std::string> words = words_of(keywords(), &Keyword::word);
  for (const BlockWord& word : block_words()) words.emplace_back(word.word);
  return words;
}

TEST(Keywords, AreDifferentWords) {
  std::vector<std::string> words = all_words();
  std::sort(words.begin(), words.end());
  EXPECT_EQ(std::adjacent_find(words.begin(), words.end()), words.end());
}

TEST(Keywords, StandInTheGrammar) {
  std::ifstream file(SHARD_EBNF);
  std::stringstream text;
  text << file.rdbuf();
  std::vector<std::string> words = words_of(keywords(), &Keyword::word);
  for (const BlockWord& word : block_words()) words.emplace_back(word.word);
  for (const std::string& word : words)
    EXPECT_NE(text.str().find("\"" + word + "\""), std::string::npos) << word;
}

// `(save)` became `save`, which does not parse, and `(print) - 1` became `print -1`.
TEST(Keywords, AreNamesInParenthesesWhateverStandsBehindThem) {
  for (const std::string& word : all_words()) {
    for (const std::string& text :
         {"(" + word + ")", "(" + word + ") - 1", "(" + word + ") + x", "(" + word + ") mod 2",
          "(" + word + "(x))", "(" + word + ".x)", "(" + word + " / 2)", "(" + word + ") and x",
          "(" + word + ") - 1 → C[I]", "(" + word + ") - 1 = 2 + x", "{ (" + word + ") }"}) {
      const std::string once = formatted(text);
      if (once.starts_with("error")) continue;
      EXPECT_EQ(formatted(once), once) << text;
      const std::string ascii = formatted(text, Spelling::Ascii);
      EXPECT_EQ(formatted(ascii), once) << ascii;
      const std::string latex = formatted(text, Spelling::Latex);
      EXPECT_EQ(formatted(latex), once) << latex;
    }
    EXPECT_EQ(formatted("(" + word + ")").substr(0, 5) == "error", false) << word;
  }
}

// No word is reserved: each is a name where its rule does not begin.
TEST(Keywords, AreNamesOfSizesAndArrays) {
  for (const std::string& word : all_words()) {
    for (const std::string& text :
         {word + " = 4\n", "x = 2 · " + word + "\n", word + "[I] → C[I]\n", word + ": fp32[I]\n"})
      EXPECT_EQ(formatted(text), text) << word;
  }
}

TEST(Keywords, StandAloneAsTheTableSays) {
  for (const Keyword& keyword : keywords()) {
    const Reading reading = read(keyword.word);
    const bool name = reading.diagnostics.empty() &&
                      std::holds_alternative<ast::Evaluate>(reading.module.statements.front().node);
    EXPECT_EQ(name, keyword.standing == Standing::InCompany) << keyword.word;
  }
}

// The example of help is a statement: it parses, and what is printed of it begins with the word.
TEST(Keywords, HaveAnExampleThatParses) {
  for (const Keyword& keyword : keywords()) {
    if (!is_listed(keyword)) continue;
    std::string text(keyword.example);
    if (keyword.word == "else") text = "if 1 < 2 { x = 1 " + text;
    for (std::size_t at = 0; (at = text.find("{ … }", at)) != std::string::npos;)
      text.replace(at, std::string("{ … }").size(), "{ x = 1 }");
    const std::string printed = formatted(text);
    EXPECT_FALSE(printed.starts_with("error")) << text << ": " << printed;
    EXPECT_EQ(formatted(printed), printed);
    EXPECT_NE((" " + printed).find(" " + std::string(keyword.word)), std::string::npos) << printed;
  }
}

// The word without a letter is guessed, unless it is near to another one.
TEST(Keywords, AreGuessedWhereTheyAreMisspelt) {
  for (const std::string& word : guessed_words()) {
    const std::string slip = word.substr(0, 1) + word.substr(2);
    const auto guess = nearest_name(slip, guessed_words());
    ASSERT_TRUE(guess.has_value()) << slip;
    const bool block = find_block_word(word) != nullptr;
    const std::string rest = block ? " { A[I] → B[I] }" : " 4";
    const Reading reading = read(slip + rest);
    ASSERT_FALSE(reading.diagnostics.empty()) << slip;
    const auto& help = reading.diagnostics.front().help;
    ASSERT_FALSE(help.empty()) << slip;
    // The line, where it can be read.
    const bool told =
        help.front() == *guess + rest || help.front() == "did you mean `" + *guess + "`?";
    EXPECT_TRUE(told) << slip << ": " << help.front();
  }
}

TEST(Keywords, OfTwoAndThreeLettersAreNotGuessed) {
  for (const std::string& word : guessed_words()) EXPECT_GT(word.size(), 3U) << word;
}

}  // namespace
}  // namespace shard::keyword_test
