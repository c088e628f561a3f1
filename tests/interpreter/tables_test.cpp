// The tables of the language: parser, checker, printer, Tab, help and the manual know what they have, and nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <sstream>

#include "base/collective.h"
#include "base/text.h"
#include "grammar/keyword.h"
#include "grammar/parser.h"
#include "grammar/printer.h"
#include "interpreter/completion.h"
#include "interpreter/evaluator.h"
#include "interpreter/help.h"
#include "tests/interpreter/scripts.h"

namespace shard {
namespace {

using testing::kinds;
using testing::Ran;

std::string manual() {
  std::ifstream file(SHARD_LANGUAGE);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Whether the word stands somewhere in the text, whole.
bool has_word(const std::string& text, const std::string& word) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end >= text.size() || !is_part(text[end])))
      return true;
  }
  return false;
}

void expect_words(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words) EXPECT_TRUE(has_word(text, word)) << word;
}

std::string topic(const std::string& name) { return help_topic(name).value_or(""); }

std::set<std::string> offered(const std::string& before, const std::string& script = "") {
  const Ran ran(script);
  const auto candidates = complete_word(before, ran.session.state().scope).candidates;
  return {candidates.begin(), candidates.end()};
}

std::string formatted(const std::string& text) {
  SourceMap sources;
  Names names;
  DiagnosticSink sink;
  const ast::Module module = parse(sources, sources.add("t.shard", text), names, sink);
  return sink.has_errors() ? "error: " + sink.all().front().message
                           : print(module, Spelling::Unicode);
}

// What the first help of a script's only mistake says.
std::string first_help(const std::string& script) {
  const Ran ran(script);
  for (const Diagnostic& diagnostic : ran.outcome.diagnostics) {
    if (!diagnostic.help.empty()) return diagnostic.help.front();
  }
  return "";
}

std::vector<std::string> statement_words() {
  std::vector<std::string> words;
  for (const Keyword& keyword : keywords()) {
    if (!keyword.example.empty()) words.emplace_back(keyword.word);
  }
  return words;
}

// What Tab offers in the middle of a statement of an empty script.
std::set<std::string> words_of_expressions() {
  std::set<std::string> words = {"chip"};
  for (const CollectiveInfo& collective : collectives()) words.emplace(collective.name);
  for (const BlockWord& block : block_words()) {
    if (block.runs == Runs::Now) words.emplace(block.word);
  }
  words.insert(function_names().begin(), function_names().end());
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
  std::vector<std::string> later = words_of(later_words(), &LaterWord::word);
  expect_words(manual(), later);
}

TEST(Tables, HelpAndManualKnowTheWordsOfBlocks) {
  for (const BlockWord& block : block_words()) {
    EXPECT_TRUE(has_word(manual(), std::string(block.word) + " {")) << block.word;
    if (block.runs == Runs::Now) {
      EXPECT_TRUE(has_word(topic("cost"), std::string(block.word) + " {")) << block.word;
    }
  }
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

TEST(Tables, TabOffersNothingElse) {
  std::set<std::string> known = words_of_expressions();
  std::set<std::string> rest;
  const Ran empty("");
  const Scope& scope = empty.session.state().scope;
  for (const std::string& word : offered("print ")) {
    if (known.count(word) == 0 && scope.chips.count(name_key(word)) == 0) rest.insert(word);
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
}  // namespace shard
