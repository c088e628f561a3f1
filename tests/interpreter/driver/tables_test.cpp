// The tables of the language's words and functions: parser, checker, printer, Tab, help and the manual know what they have, and
// nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/collective.h"
#include "base/function.h"
#include "base/words.h"
#include "grammar/tree/keyword.h"
#include "interpreter/host/exit_status.h"
#include "tests/interpreter/driver/known_words.h"
#include "tests/interpreter/support/scripts.h"

namespace shard::tables_test {
namespace {

using testing::expect_words;
using testing::first_help;
using testing::formatted;
using testing::has_word;
using testing::kinds;
using testing::manual;
using testing::offered;
using testing::Ran;
using testing::topic;

std::vector<std::string> statement_words() {
  std::vector<std::string> words;
  for (const Keyword& keyword : keywords()) {
    if (is_listed(keyword)) words.emplace_back(keyword.word);
  }
  return words;
}

// What Tab offers in the middle of a statement of an empty script.
std::set<std::string> words_of_expressions() {
  std::set<std::string> words = {"chip", "solve", "when", "minimize"};
  for (const CollectiveInfo& collective : collectives()) words.emplace(collective.name);
  for (const BlockWord& block : block_words()) {
    if (block.runs == Runs::Now) words.emplace(block.word);
  }
  for (const FunctionInfo& function : functions()) {
    if (is_listed(function)) words.emplace(function.name);
  }
  return words;
}

// ---------------------------------------------------------------- statements

// It had no `save`, `send` and `slow`.
TEST(Tables, TabOffersTheWordsOfStatements) {
  for (const std::string& word : statement_words()) EXPECT_EQ(offered("").count(word), 1U) << word;
}

TEST(Tables, HelpAndManualKnowTheWordsOfStatements) {
  expect_words(topic("statements"), statement_words());
  expect_words(manual(), statement_words());
}

TEST(Tables, HelpAndManualKnowTheWordsOfBlocks) {
  for (const BlockWord& block : block_words()) {
    EXPECT_TRUE(has_word(manual(), std::string(block.word) + " {")) << block.word;
    if (block.runs == Runs::Now) {
      EXPECT_TRUE(has_word(topic("cost"), std::string(block.word) + " {")) << block.word;
    }
  }
}

TEST(Tables, TheManualKnowsTheTopicsOfHelp) {
  for (const std::string& name : help_topics())
    EXPECT_NE(manual().find("`" + name + "`"), std::string::npos) << name;
  EXPECT_EQ(offered(":help ").size(), help_topics().size());
}

// ---------------------------------------------------------------- collectives

// It had no `Broadcast` and no `CollectivePermute`.
TEST(Tables, TabOffersTheCollectives) {
  for (const CollectiveInfo& collective : collectives())
    EXPECT_EQ(offered("A = ").count(std::string(collective.name)), 1U) << collective.name;
}

TEST(Tables, HelpAndManualKnowTheCollectives) {
  const auto names = words_of(collectives(), &CollectiveInfo::name);
  expect_words(topic("collectives"), names);
  expect_words(manual(), names);
}

TEST(Tables, ExamplesOfCollectivesCheckAndArePrintedAlike) {
  for (const CollectiveInfo& collective : collectives()) {
    const std::string text = std::string(collective.example) + "\n";
    EXPECT_EQ(formatted(text), text);
    EXPECT_EQ(kinds("mesh {X: 2, Y: 2, Z: 2}\nI = 8, J = 8, K = 8\n" + text),
              std::vector<std::string>{})
        << text;
  }
}

TEST(Tables, CollectivesAreReadInAnyCaseAndGuessed) {
  for (const CollectiveInfo& collective : collectives()) {
    const std::string name(collective.name);
    std::string lower;
    for (const char c : name) lower += static_cast<char>(std::tolower(c));
    EXPECT_EQ(formatted("B[I] = " + lower + "_X A[I_X]"), "B[I] = " + name + "_X A[I_X]\n");
    const std::string slip = name.substr(0, 1) + name.substr(2);
    EXPECT_NE(first_help("B[I] = " + slip + "_X A[I_X]").find(name + "_X"), std::string::npos)
        << slip;
    EXPECT_NE(first_help(slip + "_X A[I_X]").find(name + "_X"), std::string::npos) << slip;
  }
  for (const CollectiveAlias& alias : collective_aliases()) {
    const std::string word = std::string(alias.word) + "_X";
    EXPECT_EQ(first_help("B[I] = " + word + " A[I_X]"),
              "B[I] = " + std::string(name_of(alias.kind)) + "_X A[I_X]")
        << word;
  }
}

// `(AllGather)` was printed as `AllGather`, which does not parse.
TEST(Tables, CollectivesAreNoNamesUnlessTheScriptHasSuch) {
  for (const CollectiveInfo& collective : collectives()) {
    const std::string name(collective.name);
    for (const std::string& text : {name, "(" + name + ")", "x = " + name, "x = (" + name + ")"})
      EXPECT_TRUE(formatted(text).starts_with("error")) << text;
    const std::string known = name + " = 4\nx = 2 · " + name + "\n" + name + "\n";
    EXPECT_EQ(formatted(known), known);
  }
}

// ---------------------------------------------------------------- functions

std::vector<std::string> function_words() {
  std::vector<std::string> words;
  for (const FunctionInfo& function : functions()) {
    if (is_listed(function)) words.emplace_back(function.name);
  }
  return words;
}

TEST(Tables, TabHelpAndManualKnowTheFunctions) {
  for (const std::string& word : function_words())
    EXPECT_EQ(offered("x = ").count(word), 1U) << word;
  expect_words(topic("functions"), function_words());
  expect_words(manual(), function_words());
}

TEST(Tables, ExamplesOfFunctionsAreReadAndPrintedAlike) {
  for (const FunctionInfo& function : functions()) {
    if (!is_listed(function)) continue;
    std::string text(function.example);
    if (text.find(" = ") == std::string::npos && !text.starts_with("expect "))
      text = "print " + text;
    EXPECT_EQ(formatted(text), text + "\n");
  }
}

// `fn relu(a)` was refused, and `fn abs(a)` hid the one of the language, as `fn AllGather(a)` did not at all.
TEST(Tables, NoFunctionOfAScriptHasTheNameOfOneOfTheLanguage) {
  std::vector<std::string> names = words_of(collectives(), &CollectiveInfo::name);
  for (const FunctionInfo& function : functions()) names.emplace_back(function.name);
  for (const std::string& name : names) {
    EXPECT_EQ(kinds("fn " + name + "(a) { return a }"), std::vector<std::string>{"Redeclared"})
        << name;
  }
  for (const std::string& name : statement_words()) {
    if (find_function(name) != nullptr) continue;  // `pad`
    EXPECT_EQ(kinds("fn " + name + "(a) { return 2 · a }\nx = " + name + "(3)"),
              std::vector<std::string>{})
        << name;
  }
}

TEST(Tables, FunctionsAreNamesOfScalarsAndArrays) {
  for (const FunctionInfo& function : functions()) {
    const std::string name(function.name);
    EXPECT_EQ(kinds(name + " = 4\nx = 2 · " + name), std::vector<std::string>{}) << name;
    EXPECT_EQ(kinds("I = 4\n" + name + "[I] → C[I]\nD[I] = " + name + "[I] + C[I]"),
              std::vector<std::string>{})
        << name;
  }
}

TEST(Tables, MisspeltFunctionsAreGuessed) {
  for (const FunctionInfo& function : functions()) {
    if (!is_listed(function) || (!gives_number(function) && !computes_array(function))) continue;
    const std::string name(function.name);
    std::string slip = name;
    slip.insert(2, 1, 'q');
    const auto line = [&](const std::string& word) {
      return gives_number(function)          ? "x = " + word + "(4)"
             : function.along != Along::None ? "B[] = " + word + "_I(A[I])"
             : casts_like(function.name)     ? "B[I] = " + word + "(A[I], A)"
                                             : "B[I] = " + word + "(A[I])";
    };
    EXPECT_EQ(first_help("I = 4\n" + line(slip)), line(name));
  }
}

// ---------------------------------------------------------------- phases of diagnostics

TEST(Tables, ThePhaseOfAMistakeDecidesOnTheExitStatus) {
  for (const DiagnosticInfo& entry : diagnostic_catalogue()) {
    const ExitStatus status = status_of({{.kind = entry.kind, .span = {}, .message = ""}});
    if (entry.severity != Severity::Error) {
      EXPECT_EQ(status, ExitStatus::Fine) << entry.name;
      continue;
    }
    switch (entry.phase) {
      case Phase::File:
        EXPECT_EQ(status, ExitStatus::Usage) << entry.name;
        break;
      case Phase::Reading:
      case Phase::Checking:
        EXPECT_EQ(status, ExitStatus::ProgramErrors) << entry.name;
        break;
      case Phase::Answering:
      case Phase::Running:
        EXPECT_EQ(status, ExitStatus::RunFailed) << entry.name;
        break;
    }
  }
}

TEST(Tables, TabOffersNothingElse) {
  std::set<std::string> known = words_of_expressions();
  std::set<std::string> rest;
  const Ran empty("");
  const Scope& scope = empty.session.state().scope;
  for (const std::string& word : offered("print ")) {
    if (known.count(word) == 0 && scope.names.chips.count(name_key(word)) == 0) rest.insert(word);
  }
  EXPECT_EQ(rest, std::set<std::string>{});
  rest.clear();
  const auto statements = statement_words();
  for (const std::string& word : offered("")) {
    if (offered("print ").count(word) == 0 &&
        std::find(statements.begin(), statements.end(), word) == statements.end())
      rest.insert(word);
  }
  EXPECT_EQ(rest, std::set<std::string>{});
}

}  // namespace
}  // namespace shard::tables_test
