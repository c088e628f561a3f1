#include "interpreter/completion.h"

#include <algorithm>
#include <cctype>

#include "interpreter/evaluator.h"
#include "interpreter/figures.h"

namespace shard {

namespace {

const std::vector<std::string>& keywords() {
  static const std::vector<std::string> words = {
      "chip", "drop", "else",  "expect", "fault", "fn",     "for", "hardware", "if",
      "mesh", "plan", "print", "return", "show",  "strict", "use", "why"};
  return words;
}

const std::vector<std::string>& operators() {
  static const std::vector<std::string> words = {"AllGather",     "AllReduce", "AllToAll",
                                                 "ReduceScatter", "Shift",     "cost",
                                                 "flops",         "time",      "chip"};
  return words;
}

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '\'' ||
         static_cast<signed char>(c) < 0;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& words) {
  to.insert(to.end(), words.begin(), words.end());
}

std::vector<std::string> names_to_complete(const Scope& scope) {
  std::vector<std::string> names;
  for (const auto& [key, array] : scope.array_names) names.push_back(scope.arrays[array].name);
  for (const auto& [key, binding] : scope.bindings) names.push_back(binding.name);
  for (const DimensionInfo& dimension : scope.dimensions) {
    if (!dimension.literal) names.push_back(dimension.name);
  }
  for (const MeshAxis& axis : scope.mesh().axes) names.push_back(axis.name);
  for (const auto& [key, chip] : scope.chips) names.push_back(chip.name);
  for (const auto& [key, function] : scope.functions) names.push_back(function->name.text);
  return names;
}

std::vector<std::string> words_for(std::string_view context, const Scope& scope) {
  const auto last = context.find_last_not_of(" \t");
  const std::string_view start = last == std::string_view::npos ? "" : context.substr(0, last + 1);
  if (start == ":help" || start == ":h")
    return {"collectives", "cost",     "errors", "fault",     "functions",
            "loops",       "notation", "repl",   "statements"};
  if (start == "hardware") {
    std::vector<std::string> chips;
    for (const auto& [key, chip] : scope.chips) chips.push_back(chip.name);
    return chips;
  }
  if (!context.empty() && context.back() == '.') {
    return context.size() >= 5 && context.substr(context.size() - 5) == "chip." ? chip_constants()
                                                                                : figure_fields();
  }
  std::vector<std::string> words = names_to_complete(scope);
  append(words, operators());
  append(words, function_names());
  if (start.empty() || start.back() == ';' || start.back() == '{') append(words, keywords());
  return words;
}

std::size_t common_length(const std::vector<std::string>& words) {
  std::size_t length = words.front().size();
  for (const std::string& word : words) {
    length = std::min(
        length, static_cast<std::size_t>(std::mismatch(word.begin(), word.end(),
                                                       words.front().begin(), words.front().end())
                                             .first -
                                         word.begin()));
  }
  return length;
}

}  // namespace

Completion complete_word(std::string_view before, const Scope& scope) {
  std::size_t begin = before.size();
  while (begin > 0 && is_word_character(before[begin - 1])) --begin;
  // A word may hold underscores (`W_in`); behind one that is no known name, the axis of a subscript is completed.
  std::size_t whole = begin;
  while (whole > 0 && (is_word_character(before[whole - 1]) || before[whole - 1] == '_')) --whole;
  for (const std::size_t start : {whole, begin}) {
    const std::string_view word = before.substr(start);
    Completion completion;
    for (const std::string& candidate : words_for(before.substr(0, start), scope)) {
      if (candidate.rfind(word, 0) == 0) completion.candidates.push_back(candidate);
    }
    if (completion.candidates.empty()) continue;
    auto& candidates = completion.candidates;
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    completion.insert =
        candidates.front().substr(word.size(), common_length(candidates) - word.size());
    const bool keyword =
        std::find(keywords().begin(), keywords().end(), candidates.front()) != keywords().end();
    if (candidates.size() == 1 && keyword) completion.insert += " ";
    return completion;
  }
  return {};
}

}  // namespace shard
