// Partial sums that are said in words.
#include <algorithm>
#include <string>
#include <vector>

#include "grammar/posted/spelling.h"

namespace shard {
namespace {

// The axes over which a product in the text contracts: those of a dimension that two operands have split in the same way.
std::vector<std::string> contracted_axes(const std::string& text) {
  static const std::regex dimension_pattern(R"([\[,]\s*([A-Za-z]\w*?)_\{?(\w+)\}?(?=\s*[,\]]))");
  std::vector<std::string> seen;
  std::vector<std::string> axes;
  for (std::sregex_iterator i(text.begin(), text.end(), dimension_pattern), end; i != end; ++i) {
    const std::string dimension = i->str(1) + "_" + i->str(2);
    if (std::find(seen.begin(), seen.end(), dimension) != seen.end()) axes.push_back(i->str(2));
    seen.push_back(dimension);
  }
  return axes;
}

}  // namespace

void respell_partial_sums(Respelt& line) {
  static const std::regex mark(
      R"((\[[^\[\]]*\])\s*\{\s*(?:partial[ -]sums?|部分和)\s*(?:(?:over|on|along|in)\s+)?([A-Za-z]\w*)?\s*\})");
  const std::string whole = line.text();
  line.replace_all(mark, [&](const auto& match) -> std::optional<std::string> {
    std::vector<std::string> axes = {match.str(2)};
    if (axes.front().empty()) {
      const std::string target = match.str(1);
      std::string operands = whole;
      operands.erase(operands.find(target), target.size());
      axes = contracted_axes(operands);
    }
    if (axes.size() != 1) return std::nullopt;
    return match.str(1) + "{U_{" + axes.front() + "}}";
  });
}

}  // namespace shard
