#include "interpreter/driver/session_command.h"

#include <algorithm>
#include <iterator>

#include "base/contains.h"
#include "base/format.h"
#include "base/line_width.h"
#include "base/words.h"

namespace shard {

namespace {

constexpr SessionCommand kCommands[] = {
#define SHARD_SESSION_COMMAND(name, aliases, arguments, meaning) \
  {#name, aliases, arguments, meaning},
#include "interpreter/driver/session_commands.def"
};

constexpr Setting kSettings[] = {
#define SHARD_SETTING(name, values, meaning) {#name, values, meaning},
#include "interpreter/driver/settings.def"
};

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t begin = text.find_first_not_of(" \t\r\n"); begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n", begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(" \t\r\n", end);
  }
  return words;
}

std::span<const SessionCommand> session_commands() { return kCommands; }

const SessionCommand* find_session_command(std::string_view word) {
  const SessionCommand* begun = nullptr;
  for (const SessionCommand& command : kCommands) {
    if (command.name == word || contains(split_words(command.aliases), std::string(word)))
      return &command;
  }
  if (word.empty()) return nullptr;
  for (const SessionCommand& command : kCommands) {
    if (!command.name.starts_with(word)) continue;
    if (begun != nullptr) return nullptr;
    begun = &command;
  }
  return begun;
}

std::vector<std::string> session_command_words() {
  std::vector<std::string> words;
  for (const SessionCommand& command : kCommands) words.push_back(":" + std::string(command.name));
  return words;
}

std::span<const Setting> settings() { return kSettings; }

const Setting* find_setting(std::string_view word) {
  const auto at = std::find_if(std::begin(kSettings), std::end(kSettings),
                               [&](const Setting& setting) { return setting.name == word; });
  return at == std::end(kSettings) ? nullptr : at;
}

std::string session_command_list() {
  // Wide enough for the longest, `:set [SETTING VALUE]`, and a gap.
  constexpr std::size_t kWidth = 23;
  std::string text;
  for (const SessionCommand& command : kCommands) {
    text += two_columns(":" + std::string(command.name) + " " + std::string(command.arguments),
                        command.meaning, kWidth);
  }
  return text;
}

std::string setting_list() {
  constexpr std::size_t kName = 10;
  constexpr std::size_t kValues = 20;
  std::string text;
  for (const Setting& setting : kSettings) {
    text += two_columns(pad_right(setting.name, kName) + join(split_words(setting.values), " | "),
                        setting.meaning, kName + kValues);
  }
  return text;
}

}  // namespace shard
