// Formulas of LaTeX and HTML beyond what grammar/markup/ removes everywhere.
#include <string>
#include <utility>
#include <vector>

#include "base/words.h"
#include "grammar/posted/spelling.h"

namespace shard {
namespace {

constexpr std::pair<std::string_view, std::string_view> kFormulaCommands[] = {
    {"otimes", "·"},          {"times", "·"},     {"mapsto", "→"},         {"longmapsto", "→"},
    {"Rightarrow", "→"},      {"implies", "→"},   {"Longrightarrow", "→"}, {"leadsto", "→"},
    {"rightsquigarrow", "→"}, {"leftarrow", "←"}, {"gets", "←"},           {"langle", "{"},
    {"rangle", "}"},          {"item", " "},      {"coloneqq", "="}};

// `\times`, `\mapsto`, and what a subscript of the sign says in other words: `\cdot_\text{本地}` is local.
void respell_commands(Respelt& line) {
  static const std::regex command(R"(\\([A-Za-z]+))");
  line.replace_all(command, [](const auto& match) -> std::optional<std::string> {
    for (const auto& [name, sign] : kFormulaCommands) {
      if (match.str(1) == name) return std::string(sign);
    }
    return std::nullopt;
  });
  static const std::regex local_pattern(
      R"(\\cdot_\{?\\(text|mathrm|textrm|textbf)\{[^A-Za-z{}]+\}\}?)");
  line.replace_all(local_pattern, [](const auto&) { return std::string("·LOCAL "); });
}

// `A[I_X] \xrightarrow{\text{AllGather}_X} A[I]`: what the arrow does stands first.
void respell_arrows(Respelt& line) {
  static const std::regex arrow_pattern(
      R"(^(.*?[$\s]|)([A-Za-z]\w*\[[^\]]*\](?:\\?\{[^{}]*\})?)\s*\\xrightarrow\{((?:[^{}]|\{[^{}]*\})*)\})");
  line.replace_all(arrow_pattern, [](const auto& match) {
    return match.str(1) + match.str(3) + " " + match.str(2) + " →";
  });
}

// ---- arrays without brackets: `BM_x \times M_xE = BE`

// `M_xE` as `M_x` and `E`; nothing if it is more than capitals with their subscripts.
std::vector<std::string> joined_dimensions(const std::string& word) {
  static const std::regex dimension_pattern(R"(^[A-Z](_(\{[A-Za-z]+\}|[A-Za-z]))?)");
  std::vector<std::string> dimensions;
  std::smatch match;
  for (std::string rest = word; !rest.empty(); rest = match.suffix()) {
    if (!std::regex_search(rest, match, dimension_pattern)) return {};
    dimensions.push_back(match.str());
  }
  return dimensions;
}

bool share_dimension(const std::vector<std::string>& left, const std::vector<std::string>& right) {
  for (const std::string& dimension : left) {
    for (const std::string& other : right) {
      if (dimension.front() == other.front()) return true;
    }
  }
  return false;
}

// A product of two such words, each a matrix at least, with a dimension in common, and its result.
bool respell_joined(Respelt& line) {
  bool found = false;
  static const std::regex product_pattern(
      R"(\$\s*([A-Z][A-Za-z_{}]+)\s*(·|\\cdot|\\times)\s*([A-Z][A-Za-z_{}]+)\s*(=|→|\\to|\\rightarrow)\s*([A-Z][A-Za-z_{}]+)(?=\s|\$))");
  line.replace_all(product_pattern, [&](const auto& match) -> std::optional<std::string> {
    std::string product = "$";
    std::vector<std::string> before;
    for (const int group : {1, 3, 5}) {
      const std::vector<std::string> dimensions = joined_dimensions(match.str(group));
      if (dimensions.size() < 2 || (!before.empty() && !share_dimension(before, dimensions)))
        return std::nullopt;
      before = dimensions;
      const std::string sign = group == 1 ? " · " : group == 3 ? " " + match.str(4) + " " : "";
      product += "[" + join(dimensions, ", ") + "]" + sign;
    }
    found = true;
    return product + " ";
  });
  return found;
}

}  // namespace

bool respell_formula(Respelt& line) {
  static const std::regex entity(R"(&#(8594|8658);|&rArr;|&mapsto;)");
  line.replace_all(entity, [](const auto&) { return std::string("→"); });
  static const std::regex break_pattern(R"(\\\\(\[[^\]]*\])?\s*$)");
  line.replace_all(break_pattern, [](const auto&) { return std::string(); });
  if (line.text().find_first_of("\\$") == std::string::npos) return false;
  respell_arrows(line);
  respell_commands(line);
  // `Out[B, E]^{\{U_x\}}`
  static const std::regex raised(R"(\^\{\s*(\\\{[^{}]*(?:\{[^{}]*\})?\s*\\\})\s*\})");
  line.replace_all(raised, [](const auto& match) { return match.str(1); });
  // `\mathbf{Y}_{[B_X, F_Y]}`
  static const std::regex lowered(
      R"((\\math[a-z]+\{[A-Za-z]+\}|[A-Za-z]+)_\{(\[(?:[^\[\]{}]|\{[^{}]*\})*\])\}\s*)");
  line.replace_all(lowered, [](const auto& match) {
    const bool factor = match.suffix().str().starts_with("\\math");
    return match.str(1) + match.str(2) + (factor ? " · " : " ");
  });
  static const std::regex thin(R"((\])\s*\\,\s*(?=[A-Z]\w*\[))");
  line.replace_all(thin, [](const auto&) { return std::string("] · "); });
  return respell_joined(line);
}

}  // namespace shard
