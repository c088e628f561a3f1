#include "interpreter/suggest/argument_shape.h"

#include "base/words.h"
#include "grammar/print/printer.h"

namespace shard {

std::string lengths_text(const std::vector<Amount>& lengths) {
  std::vector<std::string> texts;
  for (const Amount& length : lengths) texts.push_back(length.to_string());
  return "[" + join(texts, ", ") + "]";
}

std::string lengths_text(const WantedLengths& wanted) {
  std::vector<std::string> texts;
  for (const WantedLength& one : wanted)
    texts.push_back(one.length ? one.length->to_string() : one.name);
  return "[" + join(texts, ", ") + "]";
}

bool has_lengths(const std::vector<Amount>& lengths, const WantedLengths& wanted) {
  if (lengths.size() != wanted.size()) return false;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (wanted[i].length && !(*wanted[i].length == lengths[i])) return false;
  }
  return true;
}

std::vector<Edit> reordered_argument(const ast::Expr& argument, const std::vector<Amount>& lengths,
                                     const WantedLengths& wanted) {
  const auto* array = std::get_if<ast::ArrayRef>(&argument.node);
  if (array == nullptr || !array->bracketed || array->dimensions.size() != lengths.size() ||
      wanted.size() != lengths.size())
    return {};
  ast::ArrayRef other = *array;
  std::vector<bool> taken(lengths.size(), false);
  // Those that any length is right for take what is left.
  for (const bool given : {true, false}) {
    for (std::size_t d = 0; d < wanted.size(); ++d) {
      if (wanted[d].length.has_value() != given) continue;
      std::size_t from = 0;
      while (from < lengths.size() &&
             (taken[from] || (given && !(lengths[from] == *wanted[d].length))))
        ++from;
      if (from == lengths.size()) return {};
      taken[from] = true;
      other.dimensions[d] = array->dimensions[from];
    }
  }
  return {{array->at.span, print(other, Spelling::Unicode)}};
}

}  // namespace shard
