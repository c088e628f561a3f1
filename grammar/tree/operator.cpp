#include "grammar/tree/operator.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/words.h"

namespace shard {
namespace {

constexpr Operator kNotationSigns[] = {
#define SHARD_OPERATOR(spellings, example, meaning) {spellings, example, meaning},
#include "grammar/tree/operators.def"
};

// `{max_X}` as `{max_}`, `{Z=0}` as `{=}`: without the names that stand for any.
std::string without_names(std::string_view word) {
  if (word.starts_with('{') && word.find('=') != std::string_view::npos) return "{=}";
  const std::size_t begin = word.find('_');
  if (begin == std::string_view::npos) return std::string(word);
  std::size_t end = begin + 1;
  while (end < word.size() && is_name_character(word[end])) ++end;
  return std::string(word.substr(0, begin + 1)) + std::string(word.substr(end));
}

}  // namespace

std::span<const Operator> notation_signs() { return kNotationSigns; }

const Operator* find_operator(std::string_view word) {
  const std::string wanted = without_names(word);
  const auto* found =
      std::find_if(std::begin(kNotationSigns), std::end(kNotationSigns), [&](const Operator& one) {
        for (std::string_view rest = one.spellings; !rest.empty();) {
          const std::string_view spelling = rest.substr(0, rest.find(' '));
          if (without_names(spelling) == wanted) return true;
          rest.remove_prefix(std::min(spelling.size() + 1, rest.size()));
        }
        return false;
      });
  return found == std::end(kNotationSigns) ? nullptr : found;
}

}  // namespace shard
