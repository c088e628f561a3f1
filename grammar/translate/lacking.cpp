#include "grammar/translate/lacking.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/words.h"

namespace shard {
namespace {

constexpr LackingFunction kLacking[] = {
#define SHARD_LACKING(name, formula, meaning) {#name, formula, meaning},
#include "grammar/translate/lacking.def"
};

// Whether it is one name, number or call, so that signs may stand next to it.
bool is_atom(std::string_view text) {
  if (text.starts_with('-')) return false;
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth == 0 && (c == ' ' || c == '^' || c == '*' || c == '/')) return false;
  }
  return true;
}

std::string in_parentheses(const std::string& text) {
  return is_atom(text) ? text : "(" + text + ")";
}

std::size_t count_of_arguments(std::string_view formula) {
  std::size_t count = 0;
  for (std::size_t at = formula.find('$'); at != std::string_view::npos;
       at = formula.find('$', at + 1)) {
    const char c = formula[at + 1];
    if (is_digit(c)) count = std::max(count, static_cast<std::size_t>(c - '0'));
  }
  return count;
}

// `J` of `log_softmax_J`, behind a function of the table.
std::optional<LackingWord> with_subscript(
    std::string_view word, const std::function<bool(const std::string& name)>& is_dimension) {
  for (std::size_t end = word.rfind('_'); end != std::string_view::npos && end > 0;
       end = word.rfind('_', end - 1)) {
    const LackingFunction* function = lacking_function(word.substr(0, end));
    if (function != nullptr && is_dimension(std::string(word.substr(end + 1))))
      return LackingWord{function, std::string(word.substr(end))};
  }
  return std::nullopt;
}

}  // namespace

std::span<const LackingFunction> lacking_functions() { return kLacking; }

const LackingFunction* lacking_function(std::string_view name) {
  const auto* found = std::find_if(std::begin(kLacking), std::end(kLacking),
                                   [&](const LackingFunction& one) { return one.name == name; });
  return found == std::end(kLacking) ? nullptr : found;
}

std::optional<LackingWord> lacking_word(
    std::string_view word, const std::function<bool(const std::string& name)>& is_dimension) {
  if (const LackingFunction* function = lacking_function(word)) return LackingWord{function};
  return with_subscript(word, is_dimension);
}

std::optional<std::string> written_out(const LackingWord& word,
                                       const std::vector<std::string>& arguments, bool is_operand) {
  const std::string_view formula = word.function->formula;
  const bool is_along = formula.find("$_") != std::string_view::npos;
  if (formula.empty() || count_of_arguments(formula) != arguments.size() ||
      is_along == word.subscript.empty())
    return std::nullopt;
  std::string text;
  for (std::size_t at = 0; at < formula.size(); ++at) {
    const std::string_view rest = formula.substr(at);
    const bool is_call = at > 0 && (is_name_character(formula[at - 1]));
    if (rest.starts_with("($") && rest.size() > 3 && is_digit(rest[2]) && rest[3] == ')' &&
        !is_call) {
      text += in_parentheses(arguments[static_cast<std::size_t>(rest[2] - '1')]);
      at += 3;
    } else if (rest.starts_with("$_")) {
      text += word.subscript;
      ++at;
    } else if (rest.front() == '$') {
      text += arguments[static_cast<std::size_t>(rest[1] - '1')];
      ++at;
    } else {
      text += rest.front();
    }
  }
  return is_operand ? in_parentheses(text) : text;
}

std::string said_of(const LackingFunction& function) {
  if (!function.meaning.empty()) return std::string(function.meaning);
  std::vector<std::string> arguments = {"x", "y", "z"};
  arguments.resize(count_of_arguments(function.formula));
  const bool is_along = function.formula.find("$_") != std::string_view::npos;
  const LackingWord word{&function, is_along ? "_J" : ""};
  return fmt::format("it is {}", written_out(word, arguments, false).value_or(""));
}

}  // namespace shard
