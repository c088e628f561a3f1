// What the language calls by a word.
#include <fmt/format.h>

#include "base/collective.h"
#include "base/function.h"
#include "base/words.h"
#include "grammar/tree/keyword.h"
#include "interpreter/driver/listing.h"
#include "interpreter/driver/session_command.h"
#include "interpreter/estimate/figures.h"
#include "runtime/machine/chip_figure.h"

namespace shard {

namespace {

std::string example_and_meaning(std::string_view example, std::string_view meaning) {
  return fmt::format("{}\n    {}\n", example, meaning);
}

}  // namespace

std::optional<std::string> help_of_word(std::string_view word) {
  std::string text;
  if (const Keyword* keyword = find_keyword(word); keyword != nullptr && is_listed(*keyword))
    text += example_and_meaning(keyword->example, keyword->meaning);
  if (const CollectiveInfo* collective = find_collective(word))
    text += example_and_meaning(collective->example, collective->meaning);
  if (const FunctionInfo* function = find_function(word);
      function != nullptr && is_listed(*function))
    text += example_and_meaning(function->example, function->meaning);
  const std::string_view figure = word.substr(word.rfind('.') + 1);
  for (const BlockFigure& known : block_figures()) {
    if (known.name == figure)
      text += example_and_meaning("c." + std::string(figure), known.meaning);
  }
  if (const ChipFigure* known = find_chip_figure(figure))
    text += example_and_meaning("chip." + std::string(figure), known->meaning);
  const std::string_view bare = word.starts_with(":") ? word.substr(1) : word;
  if (bare == "set") return "`:set SETTING VALUE`, and `:set` for how they are\n" + setting_list();
  if (const SessionCommand* command = find_session_command(bare);
      command != nullptr && (bare != word || command->name == word))
    text += example_and_meaning(
        ":" + std::string(command->name) + " " + std::string(command->arguments), command->meaning);
  if (const Setting* setting = find_setting(word))
    text += example_and_meaning(
        ":set " + std::string(word) + " " + join(split_words(setting->values), " | "),
        setting->meaning);
  return text.empty() ? std::nullopt : std::optional(text);
}

std::optional<std::string> nearest_word(std::string_view word) {
  std::vector<std::string> words;
  for (const Keyword& keyword : keywords()) words.emplace_back(keyword.word);
  for (const CollectiveInfo& collective : collectives()) words.emplace_back(collective.name);
  for (const FunctionInfo& function : functions()) words.emplace_back(function.name);
  for (const BlockFigure& known : block_figures()) words.emplace_back(known.name);
  return nearest_name(word, words);
}

}  // namespace shard
