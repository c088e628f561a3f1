// Products as `einsum` writes them.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/words.h"
#include "grammar/posted/spelling.h"

namespace shard {
namespace {

std::string pattern_row(const std::string& text) {
  std::string bare;
  for (const char c : text) {
    if (c != ' ') bare += c;
  }
  return bare;
}

// The dimensions in the brackets of an operand, without their axes; those of the array if it has no brackets.
std::vector<std::string> operand_dimensions(const std::string& operand, const PostedNames& names) {
  const std::size_t open = operand.find('[');
  if (open == std::string::npos) return names.dimensions(operand);
  static const std::regex dimension(R"([\[,]\s*([A-Za-z][A-Za-z0-9]*))");
  const std::string list = operand.substr(open);
  std::vector<std::string> dimensions;
  for (std::sregex_iterator i(list.begin(), list.end(), dimension), end; i != end; ++i)
    dimensions.push_back(i->str(1));
  return dimensions;
}

struct EinsumPattern {
  std::string left;
  std::string right;
  std::string result;

  // The result of the product: what the left operand keeps, then what the right one adds.
  std::string natural() const {
    std::string row;
    for (const char c : left) {
      if (result.find(c) != std::string::npos) row += c;
    }
    for (const char c : right) {
      if (result.find(c) != std::string::npos && left.find(c) == std::string::npos) row += c;
    }
    return row;
  }
  std::string contracted() const {
    std::string row;
    for (const char c : left) {
      if (right.find(c) != std::string::npos && result.find(c) == std::string::npos) row += c;
    }
    return row;
  }
  // Whether a letter is summed that only one operand has.
  bool sums_alone() const {
    const std::string summed = contracted();
    for (const char c : left + right) {
      if (result.find(c) == std::string::npos && summed.find(c) == std::string::npos) return true;
    }
    return false;
  }
};

// Whether no two letters stand for one dimension, as in `ij,ik->jk` of an array and itself.
bool are_distinct(const std::map<char, std::string>& meaning) {
  std::set<std::string> dimensions;
  for (const auto& [letter, dimension] : meaning) dimensions.insert(dimension);
  return dimensions.size() == meaning.size();
}

// What each letter stands for; false if two things.
bool learn_letters(const std::string& letters, const std::vector<std::string>& dimensions,
                   std::map<char, std::string>& meaning) {
  if (letters.size() != dimensions.size()) return false;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const auto [entry, added] = meaning.emplace(letters[i], dimensions[i]);
    if (!added && entry->second != dimensions[i]) return false;
  }
  return true;
}

}  // namespace

bool respell_einsum(Respelt& line, const PostedNames& names) {
  if (line.text().find("einsum(") == std::string::npos) return false;
  static const std::regex whole(
      R"(^([\s\x01]*(?:\w+(?:\[[^\[\]]*\](?:\{[^{}]*\})?)?\s*=\s*)?)(?:\w+\.)?einsum\(\s*['"]([A-Za-z ]+),([A-Za-z ]+)->([A-Za-z ]+)['"]\s*,\s*(\w+(?:\[[^\[\]]*\])?)\s*,\s*(\w+(?:\[[^\[\]]*\])?)\s*\)[\s\x01]*$)");
  bool found = false;
  line.replace_all(whole, [&](const auto& match) -> std::optional<std::string> {
    const EinsumPattern pattern{pattern_row(match.str(2)), pattern_row(match.str(3)),
                                pattern_row(match.str(4))};
    std::map<char, std::string> meaning;
    const bool known =
        learn_letters(pattern.left, operand_dimensions(match.str(5), names), meaning) &&
        learn_letters(pattern.right, operand_dimensions(match.str(6), names), meaning);
    if (!known || !are_distinct(meaning)) return std::nullopt;
    const bool targeted = match.str(1).find('[') != std::string::npos;
    if (pattern.contracted().empty() || pattern.sums_alone() ||
        (!targeted && pattern.natural() != pattern.result))
      return std::nullopt;
    std::vector<std::string> index;
    for (const char c : pattern.contracted()) index.push_back(meaning[c]);
    found = true;
    return match.str(1) + match.str(5) + " ·_{" + join(index, ",") + "} " + match.str(6);
  });
  return found;
}

}  // namespace shard
