#include "interpreter/driver/editor/completion.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/collective.h"
#include "base/function.h"
#include "base/words.h"
#include "grammar/tree/keyword.h"
#include "interpreter/driver/help.h"
#include "interpreter/driver/listing.h"
#include "interpreter/driver/session_command.h"
#include "interpreter/estimate/figures.h"
#include "interpreter/evaluate/evaluator.h"
#include "interpreter/ir/chip_constant.h"
#include "stdlib/library.h"

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
  for (const auto kind :
       {ast::QuestionKind::Solve, ast::QuestionKind::When, ast::QuestionKind::Minimize})
    words.emplace_back(word_of(kind));
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

std::vector<std::string> axes_to_complete(const Scope& scope) {
  std::vector<std::string> axes;
  for (const MeshAxis& axis : scope.mesh().axes) axes.push_back(axis.name);
  return axes;
}

// Whether an axis stands there: behind `I_`, `AllGather_`, `{U_`, and in the braces of `AllGather_{X,`.
bool wants_axis(std::string_view context) {
  if (context.ends_with("_")) return true;
  const auto open = context.rfind("_{");
  if (open == std::string_view::npos) return false;
  const std::string_view inside = context.substr(open + 2);
  return std::all_of(inside.begin(), inside.end(),
                     [](char c) { return is_word_character(c) || c == ',' || c == ' '; });
}

// Behind words that take the name of an array, or of a block.
bool wants_array(std::string_view start) {
  return start == "drop" || start == "show" || start == "why" || start == "save";
}

std::vector<std::string> arrays_to_complete(const Scope& scope, bool blocks) {
  std::vector<std::string> names;
  for (const auto& [key, array] : scope.names.array_names)
    names.push_back(scope.store.arrays[array].name);
  for (const auto& [key, binding] : scope.names.bindings) {
    if (blocks && std::holds_alternative<Supposition>(binding.value)) names.push_back(binding.name);
  }
  return names;
}

// Behind `use`: modules of the library; behind `use models.` what follows there. nullopt elsewhere.
std::optional<std::vector<std::string>> modules_for(std::string_view context) {
  const auto blank = context.find_last_of(" \t");
  if (blank == std::string_view::npos) return std::nullopt;
  const std::string_view typed = context.substr(blank + 1);
  std::string_view before = context.substr(0, blank);
  before = before.substr(0, before.find_last_not_of(" \t") + 1);
  const bool is_use = before == "use" || before.ends_with(" use") || before.ends_with("\nuse") ||
                      before.ends_with(";use") || before.ends_with("{use");
  if (!is_use) return std::nullopt;
  std::vector<std::string> names;
  for (const std::string_view module : library_modules()) {
    if (module.starts_with(typed)) names.emplace_back(module.substr(typed.size()));
  }
  return names;
}

std::vector<std::string> words_for(std::string_view context, const Scope& scope) {
  if (auto modules = modules_for(context)) return *std::move(modules);
  const auto last = context.find_last_not_of(" \t");
  const std::string_view start = last == std::string_view::npos ? "" : context.substr(0, last + 1);
  if (start == "hardware") {
    std::vector<std::string> chips;
    for (const auto& [name, chip] : known_chips(scope)) chips.push_back(name);
    return chips;
  }
  if (wants_axis(context) && !scope.mesh().axes.empty()) return axes_to_complete(scope);
  const auto word = start.find_last_of(" ;{\n");
  const std::string_view last_word =
      word == std::string_view::npos ? start : start.substr(word + 1);
  if (wants_array(last_word) && start.size() < context.size())
    return arrays_to_complete(scope, last_word == "why");
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

struct Sign {
  std::string_view name;
  std::string_view sign;
};
constexpr Sign kSigns[] = {
#define SHARD_SIGN(name, sign) {name, sign},
#include "interpreter/driver/signs.def"
};

// Where `\name` begins at the end of the text; npos if it does not stand there.
std::size_t begin_of_sign(std::string_view before) {
  std::size_t begin = before.size();
  while (begin > 0 && is_letter(before[begin - 1])) --begin;
  return begin > 0 && before[begin - 1] == '\\' ? begin - 1 : std::string_view::npos;
}

Completion complete_sign(std::string_view name) {
  std::vector<const Sign*> begun;
  for (const Sign& sign : kSigns) {
    if (sign.name == name) return {{std::string(name)}, std::string(sign.sign), name.size() + 1};
    if (sign.name.starts_with(name)) begun.push_back(&sign);
  }
  Completion completion;
  if (begun.empty()) return completion;
  std::vector<std::string> names;
  for (const Sign* sign : begun) {
    names.emplace_back(sign->name);
    completion.candidates.push_back("\\" + names.back() + " " + std::string(sign->sign));
  }
  if (std::all_of(begun.begin(), begun.end(),
                  [&](const Sign* sign) { return sign->sign == begun.front()->sign; })) {
    completion.insert = begun.front()->sign;
    completion.replaced = name.size() + 1;
  } else {
    completion.insert = names.front().substr(name.size(), common_length(names) - name.size());
  }
  return completion;
}

// Files that the path may begin.
std::vector<std::string> paths_for(std::string_view path) {
  namespace fs = std::filesystem;
  const auto slash = path.rfind('/');
  const std::string folder(slash == std::string_view::npos ? "" : path.substr(0, slash + 1));
  const std::string searched = with_home(folder);
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::directory_iterator entry(searched.empty() ? "." : searched, error), end;
       !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code ignored;
    if (name.front() != '.')
      paths.push_back(folder + name + (entry->is_directory(ignored) ? "/" : ""));
  }
  return paths;
}

Completion chosen(std::string_view word, const std::vector<std::string>& words,
                  std::string_view behind_single) {
  Completion completion;
  auto& candidates = completion.candidates;
  for (const std::string& candidate : words) {
    if (candidate.starts_with(word)) candidates.push_back(candidate);
  }
  if (candidates.empty()) return {};
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  completion.insert =
      candidates.front().substr(word.size(), common_length(candidates) - word.size());
  if (candidates.size() == 1) completion.insert += behind_single;
  return completion;
}

// Listed without the folder that is typed already.
Completion chosen_file(std::string_view path) {
  Completion completion = chosen(path, paths_for(path), "");
  const auto slash = path.rfind('/');
  if (slash == std::string_view::npos) return completion;
  for (std::string& candidate : completion.candidates) candidate.erase(0, slash + 1);
  return completion;
}

// A line that begins with `:`; nullopt where it goes on as an input does.
std::optional<Completion> complete_command(std::string_view before, const Scope& scope) {
  const auto blank = before.find(' ');
  if (blank == std::string_view::npos) return chosen(before, session_command_words(), " ");
  const SessionCommand* command = find_session_command(before.substr(1, blank - 1));
  const std::string_view name = command == nullptr ? before.substr(1, blank - 1) : command->name;
  const std::string_view word = before.substr(before.rfind(' ') + 1);
  const std::vector<std::string> given =
      split_words(before.substr(blank, before.size() - blank - word.size()));
  if (name == "load" || name == "save" || name == "save!") return chosen_file(word);
  if (name == "help" && word.empty()) return chosen(word, help_topics(), "");
  if (name == "help") {
    std::vector<std::string> words = words_with_help();
    append(words, names_to_complete(scope));
    for (const auto& [chip, figures] : known_chips(scope)) words.push_back(chip);
    return chosen(word, words, "");
  }
  if (name == "show" || name == "why") {
    const auto arrays = arrays_to_complete(scope, name == "why");
    if (auto completion = chosen(word, arrays, ""); given.empty() && !completion.candidates.empty())
      return completion;
  }
  if (name != "set") return std::nullopt;
  if (given.empty()) return chosen(word, words_of(settings(), &Setting::name), " ");
  const Setting* setting = find_setting(given.front());
  return setting == nullptr ? Completion{} : chosen(word, split_words(setting->values), "");
}

}  // namespace

std::string with_home(const std::string& path) {
  const char* home = std::getenv("HOME");
  const bool is_of_home = path == "~" || path.starts_with("~/");
  return is_of_home && home != nullptr ? home + path.substr(1) : path;
}

Completion complete_word(std::string_view before, const Scope& scope) {
  if (const std::size_t sign = begin_of_sign(before); sign != std::string_view::npos)
    return complete_sign(before.substr(sign + 1));
  if (before.starts_with(":")) {
    if (auto completion = complete_command(before, scope)) return *std::move(completion);
    before.remove_prefix(before.find(' ') + 1);
  }
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
