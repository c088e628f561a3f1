// Formulas of LaTeX and HTML beyond what grammar/markup/ removes everywhere.
#include <algorithm>
#include <iterator>
#include <optional>
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

// `A[I_X] \xrightarrow{\text{AllGather}_X} A[I]`, `\xrightarrow{AG}`: what the arrow does stands first.
void respell_arrows(Respelt& line) {
  static const std::regex arrow_pattern(
      R"(^(.*?[$\s]|)((?:[A-Za-z]\w*)?\[[^\]]*\](?:\\?\{[^{}]*\})?)\s*\\xrightarrow\{((?:[^{}]|\{[^{}]*\})*)\})");
  line.replace_all(arrow_pattern, [](const auto& match) {
    const std::string collective = collective_of_arrow(match.str(3)).value_or(match.str(3));
    return match.str(1) + collective + " " + match.str(2) + " →";
  });
}

// Whether an array behind the text is an operand of what begins there: the arrow behind it is that of all of it.
bool ends_in_expression(std::string before) {
  for (const std::string_view sign : {"→", "->", "\\to", ";", "$"}) {
    const std::size_t at = before.rfind(sign);
    if (at != std::string::npos) before.erase(0, at + sign.size());
  }
  constexpr std::string_view kSigns[] = {"+", " - ", "·",      "⊙",      "×",      "*",
                                         "/", "(",   "\\cdot", "\\odot", "\\times"};
  return std::any_of(std::begin(kSigns), std::end(kSigns),
                     [&](std::string_view sign) { return before.find(sign) != std::string::npos; });
}

// `C[I, K]\{U_X\} \to \text{reduce-scatter over X} \to C[I_X, K]`: the same, between two arrows.
void respell_collective_between(Respelt& line) {
  static const std::regex between_pattern(
      R"(((?:[A-Za-z]\w*)?\[[^\]]*\](?:\s*\\?\{[^{}]*\})?)\s*(?:→|->|\\(?:long)?rightarrow|\\to)\s*((?:\\(?:text|mathrm|textrm|mathbf|textbf|operatorname)\{[^{}]*\}|[A-Za-z][A-Za-z ,_-]*?))\s*(→|->|\\(?:long)?rightarrow|\\to)(?=[^A-Za-z]))");
  line.replace_all(between_pattern, [](const auto& match) -> std::optional<std::string> {
    const auto collective = collective_of_arrow(match.str(2));
    if (!collective || ends_in_expression(match.prefix().str())) return std::nullopt;
    return *collective + " " + match.str(1) + " " + match.str(3);
  });
}

// `\text{reduce-scatter over X}(C[I, K]\{U_X\})`: a collective that is said in words.
void respell_collective_in_words(Respelt& line) {
  static const std::regex words_pattern(
      R"(\\(?:text|mathrm|textrm|mathbf|textbf|operatorname)\{([^{}]*[- ][^{}]*)\}(?=(?:\s|\\[,;: ])*(?:\(|[A-Za-z]*\[)))");
  line.replace_all(words_pattern, [](const auto& match) -> std::optional<std::string> {
    std::string words = match.str(1);
    words.erase(words.find_last_not_of(' ') + 1);
    const auto collective = collective_of_arrow(words);
    return collective ? std::optional(*collective + " ") : std::nullopt;
  });
}

// Whether a formula is open behind the text: `$`, `$$`, `\(`, `\[`.
bool is_in_formula(const std::string& before) {
  static const std::regex mark_pattern(R"(\$+|\\[()\[\]])");
  bool open = false;
  for (std::sregex_iterator mark(before.begin(), before.end(), mark_pattern), end; mark != end;
       ++mark)
    open = mark->str() == "\\(" || mark->str() == "\\[" || (mark->str().front() == '$' && !open);
  return open;
}

// `A[I_X, J]B[J, K]`: what stands side by side in a formula is a product.
void respell_juxtaposed(Respelt& line) {
  static const std::regex pair_pattern(R"(\]((?:\s|\\[,;: ])*)(?=[A-Z]\w*\[))");
  line.replace_all(pair_pattern, [&](const auto& match) -> std::optional<std::string> {
    if (!is_in_formula(std::string(line.text().cbegin(), match[0].first))) return std::nullopt;
    return "] · ";
  });
}

}  // namespace

void respell_formula(Respelt& line) {
  static const std::regex entity(R"(&#(8594|8658);|&rArr;|&mapsto;)");
  line.replace_all(entity, [](const auto&) { return std::string("→"); });
  static const std::regex break_pattern(R"(\\\\(\[[^\]]*\])?\s*$)");
  line.replace_all(break_pattern, [](const auto&) { return std::string(); });
  respell_collective_between(line);
  if (line.text().find_first_of("\\$") == std::string::npos) return;
  respell_arrows(line);
  respell_collective_in_words(line);
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
  respell_juxtaposed(line);
  static const std::regex thin(R"((\])\s*\\,\s*(?=[A-Z]\w*\[))");
  line.replace_all(thin, [](const auto&) { return std::string("] · "); });
}

void respell_collective_over(Respelt& line) {
  static const std::regex over_pattern(
      R"(\b([A-Za-z][A-Za-z2-]*\s+(?:over|on|along|across)\s+\{?[A-Za-z]+(?:(?:\s*,\s*|\s+and\s+)[A-Za-z])*\}?)\s+(?:of\s+)?(?=[A-Za-z]\w*\[))");
  line.replace_all(over_pattern, [](const auto& match) -> std::optional<std::string> {
    const auto collective = collective_of_arrow(match.str(1));
    return collective ? std::optional(*collective + " ") : std::nullopt;
  });
}

}  // namespace shard
