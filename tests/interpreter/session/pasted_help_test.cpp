// Text that a help offers is pasted as its reader would, and run: the mistake is gone then, and no other one is new.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grammar/parse/parser.h"
#include "grammar/print/printer.h"
#include "tests/interpreter/session/pasted_help_exemptions.h"
#include "tests/interpreter/support/folder.h"
#include "tests/interpreter/support/scripts.h"

namespace shard::pasted_help_test {
namespace {

namespace fs = std::filesystem;

struct Script {
  std::string name;
  std::string text;
};

// Errors by kind and message, with how many there are.
using Mistakes = std::map<std::pair<std::string, std::string>, int>;

bool is_error(const Diagnostic& diagnostic) {
  return info(diagnostic.kind).severity == Severity::Error;
}

std::pair<std::string, std::string> key_of(const Diagnostic& diagnostic) {
  return {std::string(info(diagnostic.kind).name), diagnostic.message};
}

Mistakes mistakes_of(const Outcome& outcome) {
  Mistakes mistakes;
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    if (is_error(diagnostic)) ++mistakes[key_of(diagnostic)];
  }
  return mistakes;
}

// Whether it is a statement or some, and no words.
bool is_code(const std::string& text) {
  const bool is_order = text.starts_with("backward ") || text.starts_with("show ");
  const bool has_sign =
      text.find_first_of("=[{(") != std::string::npos || text.find("→") != std::string::npos;
  if (!has_sign && !is_order) return false;
  SourceMap sources;
  Names names;
  DiagnosticSink sink;
  const FileId file = sources.add("help", text);
  const ast::Module module = parse(sources, file, names, sink);
  // Words around a statement are read as its remark.
  const bool has_words = print(module, Spelling::Unicode).find('#') != std::string::npos;
  return !sink.has_errors() && !module.statements.empty() && !has_words;
}

using Offers = std::vector<std::string>;

void add(std::string offer, Offers& offers) {
  if (std::find(offers.begin(), offers.end(), offer) == offers.end())
    offers.push_back(std::move(offer));
}

// `A = zeros, A = random(7)`: ways of which one is taken.
void add_alternatives(const std::string& list, Offers& offers) {
  int open = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (c == '(' || c == '[' || c == '{') ++open;
    if (c == ')' || c == ']' || c == '}') --open;
    if (c != ',' || open > 0) continue;
    const std::string piece = list.substr(begin, i - begin);
    if (is_code(piece)) add(piece, offers);
    begin = std::min(list.find_first_not_of(' ', i + 1), list.size());
  }
}

// What stands in back-ticks.
void add_quoted(const std::string& help, Offers& offers) {
  std::size_t begin = help.find('`');
  while (begin != std::string::npos) {
    const std::size_t end = help.find('`', begin + 1);
    if (end == std::string::npos) return;
    const std::string quoted = help.substr(begin + 1, end - begin - 1);
    if (is_code(quoted)) add(quoted, offers);
    begin = help.find('`', end + 1);
  }
}

// What the help offers to be pasted: a word in the place of another one, what stands in back-ticks, the help itself, or its
// end behind some words.
Offers offers_of(const std::string& help) {
  Offers offers;
  const std::string kGuess = "did you mean `";
  const std::size_t guess = help.find(kGuess);
  if (guess != std::string::npos) {
    const std::size_t begin = guess + kGuess.size();
    add(help.substr(begin, help.find('`', begin) - begin), offers);
  }
  add_quoted(help, offers);
  for (std::size_t i = 0; i != std::string::npos && i < help.size();) {
    const std::string rest = help.substr(i);
    if (is_code(rest)) {
      add(rest, offers);
      add_alternatives(rest, offers);
    }
    i = help.find(' ', i);
    if (i != std::string::npos) ++i;
  }
  return offers;
}

class Pasting {
 public:
  explicit Pasting(Script script)
      : script_(std::move(script)), ran_(script_.text, testing::running()) {}

  struct Failure {
    Exemption what;
    std::string message;
  };
  struct Tally {
    int offered = 0;
    std::vector<Failure> failures;
  };

  void count(Tally& tally) {
    const Mistakes before = mistakes_of(ran_.outcome);
    std::set<std::string> seen;
    for (const Diagnostic& diagnostic : ran_.outcome.diagnostics) {
      if (!is_error(diagnostic)) continue;
      for (const std::string& help : diagnostic.help) {
        Offers offers = offers_of(help);
        if (!offers.empty() && diagnostic.help.size() > 1) add(all_of_it(diagnostic), offers);
        if (offers.empty() || !seen.insert(key_of(diagnostic).second + help).second) continue;
        ++tally.offered;
        const bool works = std::any_of(offers.begin(), offers.end(), [&](const auto& offer) {
          return works_somewhere(offer, diagnostic, before);
        });
        if (!works) tally.failures.push_back({{script_.name, help}, diagnostic.message});
      }
    }
  }

 private:
  // Lines that together take the place of one.
  static std::string all_of_it(const Diagnostic& diagnostic) {
    std::string lines;
    for (const std::string& help : diagnostic.help) lines += (lines.empty() ? "" : "\n") + help;
    return lines;
  }

  bool works_somewhere(const std::string& offer, const Diagnostic& diagnostic,
                       const Mistakes& before) const {
    const Span span = diagnostic.span;
    if (!span.valid() || ran_.session.sources().text(span.file) != script_.text) return false;
    const auto is_better = [&](std::size_t begin, std::size_t end, const std::string& text) {
      std::string pasted = script_.text;
      pasted.replace(begin, end - begin, text);
      return mends(pasted, diagnostic, before);
    };
    // In the place of what is marked, of its line or lines, or on a line of its own before it.
    if (is_better(span.begin, span.end, offer)) return true;
    const std::size_t line = line_begin(span.begin);
    std::size_t end = line_end(span.end);
    constexpr int kMostLines = 8;
    for (int i = 0; i < kMostLines; ++i) {
      if (is_better(line, end, indent_of(line) + offer)) return true;
      if (end >= script_.text.size()) break;
      end = line_end(end + 1);
    }
    if (is_better(line, line, indent_of(line) + offer + "\n")) return true;
    for (const Note& note : diagnostic.notes) {
      if (!note.span.valid()) continue;
      if (is_better(note.span.begin, note.span.end, offer)) return true;
      if (is_better(line_begin(note.span.begin), line_end(note.span.end), offer)) return true;
    }
    // On the first line: what the whole script needs.
    return is_better(0, 0, offer + "\n");
  }

  bool mends(const std::string& text, const Diagnostic& diagnostic, const Mistakes& before) const {
    const testing::Ran ran(text, testing::running());
    const Mistakes after = mistakes_of(ran.outcome);
    const auto count = [](const Mistakes& mistakes, const auto& key) {
      const auto found = mistakes.find(key);
      return found == mistakes.end() ? 0 : found->second;
    };
    if (count(after, key_of(diagnostic)) >= count(before, key_of(diagnostic))) return false;
    return std::all_of(after.begin(), after.end(), [&](const auto& entry) {
      return count(before, entry.first) >= entry.second;
    });
  }

  std::size_t line_begin(std::size_t place) const {
    const std::size_t found = place == 0 ? std::string::npos : script_.text.rfind('\n', place - 1);
    return found == std::string::npos ? 0 : found + 1;
  }
  std::size_t line_end(std::size_t place) const {
    return std::min(script_.text.find('\n', place), script_.text.size());
  }
  std::string indent_of(std::size_t line) const {
    return std::string(script_.text.find_first_not_of(' ', line) - line, ' ');
  }

  Script script_;
  testing::Ran ran_;
};

std::vector<Script> scripts_in(const fs::path& folder) {
  std::vector<Script> scripts;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".shard") continue;
    std::ifstream file(entry.path());
    scripts.push_back({entry.path().filename().string(),
                       {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()}});
  }
  std::sort(scripts.begin(), scripts.end(),
            [](const Script& a, const Script& b) { return a.name < b.name; });
  return scripts;
}

bool is_exempt(const Exemption& failed, const std::vector<Exemption>& list) {
  return std::any_of(list.begin(), list.end(), [&](const Exemption& exempt) {
    return exempt.script == failed.script && exempt.help == failed.help;
  });
}

// That all help mends but what is exempt, and that this does not. There are at least so many that mend.
void expect_pastable(const std::vector<Script>& scripts, int least) {
  Pasting::Tally tally;
  std::set<std::string> names;
  for (const Script& script : scripts) {
    names.insert(script.name);
    Pasting(script).count(tally);
  }
  std::vector<Exemption> failed;
  for (const Pasting::Failure& failure : tally.failures) {
    failed.push_back(failure.what);
    EXPECT_TRUE(is_exempt(failure.what, kGeneral) || is_exempt(failure.what, kOtherMistakes))
        << failure.what.script << ": " << failure.message
        << "\nis not mended by: " << failure.what.help;
  }
  for (const auto& list : {kGeneral, kOtherMistakes}) {
    for (const Exemption& exempt : list) {
      if (names.count(exempt.script) == 0) continue;
      EXPECT_TRUE(is_exempt(exempt, failed)) << exempt.script << " is mended: " << exempt.help;
    }
  }
  EXPECT_GE(tally.offered - static_cast<int>(failed.size()), least);
}

// What the scripts save goes into a folder of its own.
class PastedHelp : public testing::InAFolder {
 protected:
  PastedHelp() { fs::current_path(folder_); }
  ~PastedHelp() override { fs::current_path(before_); }

 private:
  fs::path before_ = fs::current_path();
};

TEST_F(PastedHelp, OfTheCatalogueMendsItsExamples) {
  std::vector<Script> examples;
  for (const DiagnosticInfo& entry : diagnostic_catalogue())
    examples.push_back({std::string(entry.name), std::string(entry.example)});
  expect_pastable(examples, 30);
}

TEST_F(PastedHelp, MendsTheHabitsOfOtherLanguages) {
  expect_pastable(scripts_in(fs::path(SHARD_DIAGNOSTICS) / "habits"), 97);
}

TEST_F(PastedHelp, MendsTheProgramsOfNewcomers) {
  expect_pastable(scripts_in(fs::path(SHARD_DIAGNOSTICS) / "newcomers"), 45);
}

TEST_F(PastedHelp, MendsFreshPrograms) {
  expect_pastable(scripts_in(fs::path(SHARD_DIAGNOSTICS) / "fresh"), 25);
}

TEST_F(PastedHelp, MendsTheProgramsOfStrangers) {
  expect_pastable(scripts_in(fs::path(SHARD_DIAGNOSTICS) / "strangers"), 43);
}

TEST_F(PastedHelp, MendsTheProgramsOfOutsiders) {
  expect_pastable(scripts_in(fs::path(SHARD_DIAGNOSTICS) / "outsiders"), 25);
}

TEST_F(PastedHelp, MendsTheProgramsOfTheBlindfold) {
  expect_pastable(scripts_in(fs::path(SHARD_DIAGNOSTICS) / "blindfold"), 45);
}

TEST_F(PastedHelp, MendsTheProgramsOfVisitors) {
  expect_pastable(scripts_in(fs::path(SHARD_DIAGNOSTICS) / "visitors"), 40);
}

TEST_F(PastedHelp, MendsTheProgramsOfPassersby) {
  expect_pastable(scripts_in(fs::path(SHARD_DIAGNOSTICS) / "passersby"), 40);
}

TEST_F(PastedHelp, MendsTheGoldenMistakes) {
  expect_pastable(scripts_in(fs::path(SHARD_DIAGNOSTICS)), 190);
}

}  // namespace
}  // namespace shard::pasted_help_test
