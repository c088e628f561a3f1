// The commands of a session and its settings, from session_commands.def and settings.def.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shard {

struct SessionCommand {
  std::string_view name;     // without the `:`
  std::string_view aliases;  // separated by blanks
  std::string_view arguments;
  std::string_view meaning;
};
std::span<const SessionCommand> session_commands();
// Also by an alias, or by the first letters of one name alone; null if there is none.
const SessionCommand* find_session_command(std::string_view word);
// ":help", ":ls", …
std::vector<std::string> session_command_words();

struct Setting {
  std::string_view name;
  std::string_view values;  // separated by blanks; words in capitals stand for any value
  std::string_view meaning;
};
std::span<const Setting> settings();
const Setting* find_setting(std::string_view word);
std::vector<std::string> split_words(std::string_view text);

// For `:help` and `:help set`: a line for each.
std::string session_command_list();
std::string setting_list();

}  // namespace shard
