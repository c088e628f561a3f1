// The tables of the language: parser, checker, printer, Tab, help and the manual know what they have, and nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <sstream>

#include "base/collective.h"
#include "base/dtype.h"
#include "base/function.h"
#include "base/words.h"
#include "grammar/parse/parser.h"
#include "grammar/print/printer.h"
#include "grammar/tree/keyword.h"
#include "interpreter/driver/completion.h"
#include "interpreter/driver/help.h"
#include "interpreter/estimate/figures.h"
#include "interpreter/host/exit_status.h"
#include "runtime/machine/chip_figure.h"
#include "tests/interpreter/support/scripts.h"

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
    if (is_listed(keyword)) words.emplace_back(keyword.word);
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
  for (const FunctionInfo& function : functions()) {
    if (!is_later(function)) names.emplace_back(function.name);
  }
  for (const std::string& name : names) {
    EXPECT_EQ(kinds("fn " + name + "(a) { return a }"), std::vector<std::string>{"Redeclared"})
        << name;
  }
  for (const std::string& name : statement_words()) {
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
                                             : "B[I] = " + word + "(A[I])";
    };
    EXPECT_EQ(first_help("I = 4\n" + line(slip)), line(name));
  }
}

// ---------------------------------------------------------------- element types

// `fmt` said `u32` where the report has `uint32`, and left `half` as it stood.
TEST(Tables, ElementTypesArePrintedByTheirCanonicalNames) {
  for (const DTypeInfo& type : dtypes()) {
    const std::string name(type.name);
    EXPECT_EQ(formatted("A: " + name + "[I]"), "A: " + name + "[I]\n");
    EXPECT_EQ(formatted("x = bytes(" + name + "[4])"), "x = bytes(" + name + "[4])\n");
  }
  for (const DTypeAlias& alias : dtype_aliases()) {
    const std::string word(alias.word);
    const std::string name(name_of(alias.dtype));
    EXPECT_EQ(formatted("A: " + word + "[I]"), "A: " + name + "[I]\n");
    EXPECT_EQ(formatted("A[I]: " + word), "A: " + name + "[I]\n");
    const bool type = alias.place == DTypePlace::Anywhere;
    EXPECT_EQ(formatted("x = bytes(" + word + "[4])"),
              "x = bytes(" + (type ? name : word) + "[4])\n");
  }
}

// `B: half[I]` is fp16, and `half[I_X]` an array: the table says so of each spelling.
TEST(Tables, WordsOfEnglishAreElementTypesBehindAColonAlone) {
  for (const DTypeAlias& alias : dtype_aliases()) {
    const std::string word(alias.word);
    const bool is_name = alias.place == DTypePlace::AfterColon;
    EXPECT_EQ(is_name, word.find_first_of("0123456789") == std::string::npos) << word;
    const Ran ran("I = 4\n" + word + "[I] → C[I]");
    EXPECT_EQ(ran.session.state().scope.find_array(word).has_value(), is_name) << word;
  }
}

TEST(Tables, TheManualKnowsTheElementTypesAndTheMisspeltAreGuessed) {
  expect_words(manual(), words_of(dtypes(), &DTypeInfo::name));
  for (const DTypeInfo& type : dtypes()) {
    std::string slip(type.name);
    slip.insert(1, 1, 'q');
    EXPECT_EQ(first_help("A: " + slip + "[I]"), "A: " + std::string(type.name) + "[I]");
  }
}

// The report has the name that `fmt` writes.
TEST(Tables, ReportAndFormatterCallAnElementTypeAlike) {
  for (const DTypeAlias& alias : dtype_aliases()) {
    const Ran ran("A: " + std::string(alias.word) + "[4]\n");
    const Scope& scope = ran.session.state().scope;
    ASSERT_TRUE(scope.find_array("A").has_value()) << alias.word;
    EXPECT_EQ(scope.arrays[*scope.find_array("A")].dtype, alias.dtype) << alias.word;
  }
}

// ---------------------------------------------------------------- figures

// It had no `C_int4`.
TEST(Tables, TabOffersTheFiguresThatAreReadAndNothingElse) {
  std::set<std::string> read;
  for (const ChipFigure& figure : chip_figures()) {
    if (is_read(figure)) read.emplace(figure.name);
  }
  EXPECT_EQ(offered("print chip."), read);
  const auto fields = words_of(block_figures(), &BlockFigure::name);
  EXPECT_EQ(offered("print c."), std::set<std::string>(fields.begin(), fields.end()));
}

TEST(Tables, HelpAndManualKnowTheFigures) {
  const auto chip = words_of(chip_figures(), &ChipFigure::name);
  expect_words(topic("chip"), chip);
  expect_words(manual(), chip);
  for (const BlockFigure& figure : block_figures()) {
    EXPECT_TRUE(has_word(topic("cost"), "c." + std::string(figure.name))) << figure.name;
    EXPECT_TRUE(has_word(manual(), "c." + std::string(figure.name))) << figure.name;
  }
}

TEST(Tables, FiguresOfChipsAreStatedAndRead) {
  for (const ChipFigure& figure : chip_figures()) {
    const std::string name(figure.name);
    std::string value = "7";
    if (figure.form == ChipFigure::Form::Slice) value = "4x4";
    if (figure.form == ChipFigure::Form::Wrap) value = "cube4";
    EXPECT_EQ(kinds("chip Mine {" + name + ": " + value + "}"),
              is_stated(figure) ? std::vector<std::string>{} : std::vector<std::string>{"BadChip"})
        << name;
    const std::string script = "chip Mine = TPUv5p {W_dcn: 1 B/s, W_pcie: 1 B/s" +
                               (figure.form == ChipFigure::Form::Rate ? ", " + name + ": 7" : "") +
                               "}\nhardware Mine 4x4x4\nprint chip." + name;
    EXPECT_EQ(kinds(script), is_read(figure) ? std::vector<std::string>{}
                                             : std::vector<std::string>{"UnknownField"})
        << name;
  }
}

TEST(Tables, FiguresOfBlocksAreRead) {
  for (const BlockFigure& figure : block_figures()) {
    EXPECT_EQ(kinds("hardware TPUv5p 4x4x4\nmesh {X: 4, Y: 4, Z: 4}\nI = 64\n"
                    "c = cost { AllGather_X A[I_X] → B[I] }\nprint c." +
                    std::string(figure.name)),
              std::vector<std::string>{})
        << figure.name;
  }
}

TEST(Tables, MisspeltFiguresAreGuessed) {
  for (const BlockFigure& figure : block_figures()) {
    std::string slip(figure.name);
    slip.insert(1, 1, 'q');
    EXPECT_EQ(first_help("c = cost { A[I] → B[I] }\nprint c." + slip),
              "print c." + std::string(figure.name));
  }
}

// A dimension that is called like a symbol of the chip is told apart from it.
TEST(Tables, DimensionsAreToldApartFromSymbolsOfTheChip) {
  for (const ChipFigure& figure : chip_figures()) {
    // What has an underscore is a dimension with its axes.
    const std::string name(figure.name);
    if (!is_chip_symbol(name) || name.find('_') != std::string::npos) continue;
    Ran ran("A: bf16[" + name + "]");
    const Scope& scope = ran.session.state().scope;
    ASSERT_TRUE(scope.find_dimension(name).has_value()) << name;
    EXPECT_EQ(scope.symbol_of(*scope.find_dimension(name)), "|" + name + "|");
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
