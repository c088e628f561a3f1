#include "interpreter/gradient/piece.h"

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

Piece added(const std::vector<Piece>& terms) {
  Piece sum = terms.front();
  for (std::size_t i = 1; i < terms.size(); ++i) {
    const std::string& text = terms[i].text;
    sum.text += text.front() == '-' && !has_sum(text) ? " - " + text.substr(1) : " + " + text;
    sum.join(terms[i]);
  }
  return sum;
}

}  // namespace shard::gradient
