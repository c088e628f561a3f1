// The examples in the library's comments run behind `use MODULE`, and are what the unsharded computation gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/words.h"
#include "grammar/parse/parser.h"
#include "grammar/print/printer.h"
#include "stdlib/library.h"
#include "tests/interpreter/support/scripts.h"

namespace shard::library_examples_test {
namespace {

TEST(LibraryExamples, RunAndHaveNothingToSay) {
  for (const LibraryFunction& function : library_functions()) {
    const testing::Ran ran("use " + function.module + "\n" + function.example, testing::running());
    auto kinds = testing::kinds_of(ran.outcome);
    std::erase(kinds, "RateMissing");
    EXPECT_EQ(kinds, std::vector<std::string>()) << function.name;
    EXPECT_EQ(ran.outcome.status, ExitStatus::Fine) << function.name;
    for (const ProgramReport& program : ran.outcome.programs) {
      for (const Comparison& comparison : program.execution.comparisons)
        EXPECT_TRUE(comparison.within) << function.name;
    }
  }
}

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

// The sizes and axes that the example declares: `N = 2`, `mesh {X: 2}`.
std::set<std::string> declared_letters(const std::string& example) {
  std::set<std::string> found;
  for (std::size_t i = 0; i + 2 < example.size(); ++i) {
    const bool begins = is_capital(example[i]) && (i == 0 || !is_name_character(example[i - 1]));
    if (!begins) continue;
    std::size_t end = i + 1;
    while (end < example.size() && is_letter(example[end])) ++end;
    const std::string_view behind = std::string_view(example).substr(end, 4);
    const bool is_number = behind.starts_with(" = ") && is_digit(behind.back());
    const bool is_axis = behind.starts_with(": ") && behind.size() > 2 && is_digit(behind[2]);
    if (is_number || is_axis) found.insert(example.substr(i, end - i));
  }
  return found;
}

// Each of the letters as another one, wherever it stands alone or in a row of axes: `I_{XY}`.
std::string with_letters(const std::string& text, const std::map<std::string, std::string>& names) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_letter(text[i])) {
      result += text[i++];
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
    const std::string word = text.substr(i, end - i);
    const bool is_row = word.size() > 1 && std::all_of(word.begin(), word.end(), is_capital);
    const auto name = names.find(word);
    if (name != names.end()) {
      result += name->second;
    } else if (is_row && i > 0 && (text[i - 1] == '{' || text[i - 1] == '_')) {
      std::vector<std::string> row;
      for (const char axis : word) {
        const auto one = names.find(std::string(1, axis));
        row.push_back(one == names.end() ? std::string(1, axis) : one->second);
      }
      const bool is_open = text[i - 1] == '{';
      result += is_open ? join(row, ",") : "{" + join(row, ",") + "}";
    } else {
      result += word;
    }
    i = end;
  }
  return result;
}

// Of every figure that is a quantity: formulas may be in other letters, and numbers are the same.
std::map<std::string, std::string> figures_of(const Outcome& outcome) {
  std::map<std::string, std::string> values;
  for (const ProgramReport& program : outcome.programs) {
    for (const char* field : {"flops", "comm_bytes", "hbm_bytes", "peak_memory"}) {
      const auto value = figure(program.figures, field);
      values[field] += value ? value->value.to_string() + " " : "";
    }
  }
  return values;
}

// Letters of the script are not the library's, whichever it takes: those of the example are put for each other, and those that
// stand in the function for those.
TEST(LibraryExamples, RunWithAnyLetters) {
  SessionOptions estimating = testing::running();
  estimating.execution.estimate = true;
  for (const LibraryFunction& function : library_functions()) {
    const std::set<std::string> declared = declared_letters(function.example);
    std::set<std::string> pool = declared;
    for (const std::string& word : letter_runs(function.source)) {
      const bool is_letter_of_it =
          word.size() <= 2 && std::all_of(word.begin(), word.end(), is_capital);
      if (is_letter_of_it && function.example.find(word + "[") == std::string::npos)
        pool.insert(word);
    }
    const std::vector<std::string> letters(pool.begin(), pool.end());
    const testing::Ran plain("use " + function.module + "\n" + function.example, estimating);
    for (std::size_t shift = 1; shift < letters.size(); ++shift) {
      std::map<std::string, std::string> names;
      for (std::size_t i = 0; i < letters.size(); ++i) {
        if (declared.count(letters[i]) > 0)
          names[letters[i]] = letters[(i + shift) % letters.size()];
      }
      const std::string text =
          "use " + function.module + "\n" + with_letters(function.example, names);
      const testing::Ran ran(text, estimating);
      EXPECT_EQ(ran.outcome.status, plain.outcome.status) << function.name << "\n" << text;
      EXPECT_EQ(figures_of(ran.outcome), figures_of(plain.outcome)) << function.name << "\n"
                                                                    << text;
    }
  }
}

TEST(LibraryExamples, ModulesAreInCanonicalSpelling) {
  for (const std::string_view module : library_modules()) {
    if (module == "hardware") continue;  // its chips stand in columns
    SourceMap sources;
    Names names;
    DiagnosticSink sink;
    const FileId file = sources.add("module", std::string(*library_module(module)));
    EXPECT_EQ(print(parse(sources, file, names, sink), Spelling::Unicode), *library_module(module))
        << module;
  }
}

}  // namespace
}  // namespace shard::library_examples_test
