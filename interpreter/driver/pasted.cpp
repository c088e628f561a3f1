// Transcripts of sessions, and ends of lines, in what is pasted.
#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "grammar/parse/parser.h"
#include "interpreter/driver/editor/line_editor.h"
#include "interpreter/driver/habit.h"
#include "interpreter/driver/shell.h"

namespace shard {

namespace {

struct Prompt {
  std::string_view text;
  bool goes_on = false;  // of a line that belongs to the one before it
};
constexpr std::array<Prompt, 8> kPrompts = {{{kPrompt},
                                             {kOpenPrompt, true},
                                             {">>> "},
                                             {"... ", true},
                                             {"julia> "},
                                             {"   ...: ", true},
                                             {"    ...: ", true},
                                             {"     ...: ", true}}};

// The length of "In [12]: " or "Out[12]: " at the begin of the line; 0 if it does not stand there.
std::size_t numbered(std::string_view line, std::string_view word) {
  if (!line.starts_with(word)) return 0;
  std::size_t end = word.size();
  while (end < line.size() && is_digit(line[end])) ++end;
  if (end == word.size() || !line.substr(end).starts_with("]:")) return 0;
  return std::min(end + std::string_view("]: ").size(), line.size());
}

struct Prompted {
  std::string_view rest;
  bool goes_on = false;
};
std::optional<Prompted> behind_prompt(std::string_view line) {
  if (const std::size_t length = numbered(line, "In ["); length > 0)
    return Prompted{line.substr(length)};
  for (const Prompt& prompt : kPrompts) {
    if (line.starts_with(prompt.text))
      return Prompted{line.substr(prompt.text.size()), prompt.goes_on};
    // An empty line has no blank behind its prompt, once an editor has taken it away.
    if (line == prompt.text.substr(0, prompt.text.size() - 1)) return Prompted{"", prompt.goes_on};
  }
  return std::nullopt;
}

std::string with_single_ends(const std::string& text) {
  std::string joined;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r')
      joined += text[i];
    else if (i + 1 == text.size() || text[i + 1] != '\n')
      joined += '\n';
  }
  joined.erase(joined.find_last_not_of('\n') + 1);
  return joined;
}

bool says_name(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_name_character(text[at - 1])) &&
        (end == text.size() || !is_name_character(text[end])))
      return true;
  }
  return false;
}

using IsKnown = std::function<bool(std::string_view name)>;

// Whether the line is a command, or what another program calls one. The text above may give a name that a habit has.
bool is_command(std::string_view line, std::string_view above, const IsKnown& is_known) {
  const auto first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return false;
  if (line[first] == ':') return true;
  const auto is_one = [&](const IsKnown& known) {
    const auto habit = find_habit(line, known);
    return habit && habit->kind != Habit::Kind::Answered && habit->text.starts_with(":");
  };
  return is_one(is_known) &&
         is_one([&](std::string_view name) { return is_known(name) || says_name(above, name); });
}

struct TakenApart {
  std::vector<std::string> inputs;
  bool has_command = false;
};
// What stands between commands is one input, or as many as there are complete ones.
TakenApart taken_apart(std::string_view text, const IsKnown& is_known, bool as_typed) {
  TakenApart apart;
  std::string open;
  const auto close = [&] {
    if (open.find_first_not_of(" \t\r\n") != std::string::npos) apart.inputs.push_back(open);
    open.clear();
  };
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string_view line = text.substr(begin, end - begin);
    const bool commands = is_command(line, text.substr(0, begin), is_known);
    if ((as_typed || commands) && !is_incomplete(open)) close();
    if (commands && open.empty()) {
      apart.has_command = true;
      apart.inputs.emplace_back(line);
    } else {
      open += line;
    }
    begin = end;
  }
  close();
  return apart;
}

}  // namespace

std::vector<std::string> inputs_of(std::string_view text, const IsKnown& is_known) {
  TakenApart apart = taken_apart(text, is_known, false);
  if (!apart.has_command) return {std::string(text)};
  return taken_apart(text, is_known, true).inputs;
}

std::string typed_of_pasted(std::string text) {
  text = with_single_ends(text);
  const std::string_view whole = text;
  const auto first = behind_prompt(whole.substr(0, whole.find('\n')));
  if (!first || first->goes_on) return text;
  std::string typed;
  std::string input;  // the last one of it
  for (std::size_t begin = 0; begin < whole.size();) {
    const std::size_t end = std::min(whole.find('\n', begin), whole.size());
    const std::string_view line = whole.substr(begin, end - begin);
    begin = end + 1;
    const auto prompted = behind_prompt(line);
    // What stands below an open bracket without a prompt is no answer.
    const bool goes_on =
        prompted ? prompted->goes_on : numbered(line, "Out[") == 0 && is_incomplete(input);
    if (!prompted && !goes_on) continue;
    const std::string_view rest = prompted ? prompted->rest : line;
    typed += (typed.empty() ? "" : "\n") + std::string(rest);
    input = (goes_on ? input + "\n" : "") + std::string(rest);
  }
  return typed;
}

}  // namespace shard
