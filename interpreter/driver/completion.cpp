#include "interpreter/driver/completion.h"

#include <algorithm>
#include <cctype>

#include "base/collective.h"
#include "base/function.h"
#include "base/words.h"
#include "grammar/tree/keyword.h"
#include "interpreter/driver/help.h"
#include "interpreter/estimate/figures.h"
#include "interpreter/evaluate/evaluator.h"
#include "interpreter/ir/chip_constant.h"

namespace shard {

namespace {

std::vector<std::string> statement_words() {
  std::vector<std::string> words;
  for (const Keyword& keyword : keywords()) {
    if (is_listed(keyword)) words.emplace_back(keyword.word);
  }
  return words;
}

// Collectives, the words of blocks that this version runs, and `chip`, whose figures follow a dot.
std::vector<std::string> operators() {
  std::vector<std::string> words = words_of(collectives(), &CollectiveInfo::name);
  for (const BlockWord& block : block_words()) {
    if (block.runs == Runs::Now) words.emplace_back(block.word);
  }
  words.emplace_back("chip");
  return words;
}

std::vector<std::string> function_words() {
  std::vector<std::string> words;
  for (const FunctionInfo& function : functions()) {
    if (is_listed(function)) words.emplace_back(function.name);
  }
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
  for (const auto& [key, array] : scope.names.array_names)
    names.push_back(scope.store.arrays[array].name);
  for (const auto& [key, binding] : scope.names.bindings) names.push_back(binding.name);
  for (const DimensionInfo& dimension : scope.store.dimensions) {
    if (!dimension.literal) names.push_back(dimension.name);
  }
  for (const MeshAxis& axis : scope.mesh().axes) names.push_back(axis.name);
  for (const auto& [key, chip] : scope.names.chips) names.push_back(chip.name);
  for (const auto& [key, function] : scope.names.functions) names.push_back(function->name.text);
  return names;
}

std::vector<std::string> words_for(std::string_view context, const Scope& scope) {
  const auto last = context.find_last_not_of(" \t");
  const std::string_view start = last == std::string_view::npos ? "" : context.substr(0, last + 1);
  if (start == ":help" || start == ":h") return help_topics();
  if (start == "hardware") {
    std::vector<std::string> chips;
    for (const auto& [key, chip] : scope.names.chips) chips.push_back(chip.name);
    return chips;
  }
  if (!context.empty() && context.back() == '.') {
    return context.size() >= 5 && context.substr(context.size() - 5) == "chip." ? chip_constants()
                                                                                : figure_fields();
  }
  std::vector<std::string> words = names_to_complete(scope);
  append(words, operators());
  append(words, function_words());
  if (start.empty() || start.back() == ';' || start.back() == '{') append(words, statement_words());
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
  // A word may contain underscores (`W_in`), so the whole word is tried first. If no known name begins with it, the
  // axis of a subscript is completed.
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
    if (candidates.size() == 1 && find_keyword(candidates.front()) != nullptr)
      completion.insert += " ";
    return completion;
  }
  return {};
}

}  // namespace shard
