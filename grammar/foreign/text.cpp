// Pieces of texts: blanks around them, brackets, commas.
#include "grammar/foreign/line.h"

namespace shard {

std::string_view bare_text(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

std::size_t closing_bracket(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[' || text[i] == '{') ++depth;
    if ((text[i] == ')' || text[i] == ']' || text[i] == '}') && --depth == 0) return i;
  }
  return std::string_view::npos;
}

std::vector<std::string> parted_at_commas(std::string_view text) {
  std::vector<std::string> arguments = {""};
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c == ',' && depth == 0)
      arguments.emplace_back();
    else
      arguments.back() += c;
  }
  for (std::string& argument : arguments) argument = std::string(bare_text(argument));
  return arguments;
}

}  // namespace shard
