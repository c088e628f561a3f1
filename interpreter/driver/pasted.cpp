// Transcripts of sessions, and ends of lines, in what is pasted.
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "base/words.h"
#include "grammar/parse/parser.h"
#include "interpreter/driver/editor/line_editor.h"
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

}  // namespace

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
