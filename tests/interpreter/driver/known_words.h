// What the manual, the help, Tab, the formatter and diagnostics make of a word.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "grammar/parse/parser.h"
#include "grammar/print/printer.h"
#include "interpreter/driver/editor/completion.h"
#include "interpreter/driver/help.h"
#include "tests/interpreter/support/scripts.h"

namespace shard::testing {

inline std::string manual() {
  std::ifstream file(SHARD_LANGUAGE);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Whether the word stands somewhere in the text, whole.
inline bool has_word(const std::string& text, const std::string& word) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end >= text.size() || !is_part(text[end])))
      return true;
  }
  return false;
}

inline void expect_words(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words) EXPECT_TRUE(has_word(text, word)) << word;
}

inline std::string topic(const std::string& name) { return help_topic(name).value_or(""); }

inline std::set<std::string> offered(const std::string& before, const std::string& script = "") {
  const Ran ran(script);
  const auto candidates = complete_word(before, ran.session.state().scope).candidates;
  return {candidates.begin(), candidates.end()};
}

inline std::string formatted(const std::string& text) {
  SourceMap sources;
  Names names;
  DiagnosticSink sink;
  const ast::Module module = parse(sources, sources.add("t.shard", text), names, sink);
  return sink.has_errors() ? "error: " + sink.all().front().message
                           : print(module, Spelling::Unicode);
}

// What the first help of a script's only mistake says.
inline std::string first_help(const std::string& script) {
  const Ran ran(script);
  for (const Diagnostic& diagnostic : ran.outcome.diagnostics) {
    if (!diagnostic.help.empty()) return diagnostic.help.front();
  }
  return "";
}

}  // namespace shard::testing
