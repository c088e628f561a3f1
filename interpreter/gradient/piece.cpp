#include "interpreter/gradient/piece.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

namespace shard::gradient {

namespace {

// A signed sum cannot be turned around by its first sign alone.
bool has_sum(const std::string& text) {
  int depth = 0;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    const char c = text[i];
    depth += (c == '(' || c == '[' || c == '{') ? 1 : (c == ')' || c == ']' || c == '}') ? -1 : 0;
    const bool spaced = text[i - 1] == ' ' && text[i + 1] == ' ';
    if (depth == 0 && spaced && (c == '+' || c == '-')) return true;
  }
  return false;
}

// The same text so many times: `x + x` is `2 ⊙ x`.
std::string times(int count, const std::string& text) {
  if (count == 1) return text;
  if (has_sum(text) || text.find("·") != std::string::npos)
    return fmt::format("{} ⊙ {}", count, operand_text(text));
  return text.front() == '-' ? fmt::format("-{} ⊙ {}", count, text.substr(1))
                             : fmt::format("{} ⊙ {}", count, text);
}

}  // namespace

std::string operand_text(const std::string& text) {
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth == 0 && (c == ' ' || c == '-' || c == '^')) return "(" + text + ")";
  }
  return text;
}

bool is_view(std::string text) {
  text.resize(std::min(text.find(" / "), text.size()));
  // An index that is an array has brackets of its own.
  int depth = 0;
  bool only_names = operand_text(text) == text;
  for (const char c : text) {
    if (c == '[') only_names = only_names && ++depth == 1;
    if (c == ']') --depth;
    only_names = only_names && c != '(';
  }
  return only_names;
}

std::set<std::string> names_in(const std::string& text) {
  const auto is_in_name = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || std::isalnum(byte) != 0 || c == '_' || c == '\'';
  };
  std::set<std::string> names;
  // Signs beyond ASCII stand between spaces.
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && is_in_name(text[end])) ++end;
    if (end > begin) names.insert(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

bool mentions(const std::string& text, const std::set<std::string>& names) {
  const std::set<std::string> there = names_in(text);
  return std::any_of(there.begin(), there.end(),
                     [&](const std::string& name) { return names.contains(name); });
}

Piece added(const std::vector<Piece>& terms) {
  Piece sum;
  std::vector<std::string> texts;
  std::map<std::string, int> counts;
  for (const Piece& term : terms) {
    if (counts[term.text]++ == 0) texts.push_back(term.text);
    sum.join(term);
  }
  for (const std::string& text : texts) {
    const std::string term = times(counts[text], text);
    if (sum.text.empty())
      sum.text = term;
    else
      sum.text += term.front() == '-' && !has_sum(term) ? " - " + term.substr(1) : " + " + term;
  }
  return sum;
}

}  // namespace shard::gradient
