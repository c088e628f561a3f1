// Arrays without brackets where they stand in a line: `BM_x × M_xE = BE → RS over x → BE_x`.
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "base/words.h"
#include "grammar/posted/chain.h"
#include "grammar/posted/posted.h"
#include "grammar/posted/spelling.h"

namespace shard {
namespace {

// Chains in a sentence: of them only those with a collective and an axis are sure.
std::string chain_pattern() {
  const std::string row = R"((?:[A-Z](?:_(?:\{[A-Za-z]+\}|[A-Za-z]))?)+(?![A-Za-z0-9_]))";
  const std::string axes = R"([A-Za-z]{1,3}(?:\s*,\s*[A-Za-z])*(?![A-Za-z0-9]))";
  const std::string collective =
      pattern_of_collective_words() + "(?:(?: +(?:over |on |along |across )?|_)" + axes + ")?";
  const std::string sign = R"(\s*(?:→|->)\s*)";
  const std::string product = row + R"((?:\s*(?:×|·|\*)\s*))" + row;
  const std::string result = R"((?:\s*=\s*))" + row;
  const std::string moves =
      "(?:" + sign + collective + "(?:, *" + collective + ")*" + sign + row + ")";
  const std::string chain =
      "(?:" + product + "(?:" + result + moves + "*|" + moves + "+)|" + row + moves + "+)";
  return "(^|[\\s(:,;*>])(" + chain + R"((?:\s*;\s*)" + chain + ")*)";
}

// The statements of chains with a border between them; of those that are none, nothing.
std::string statements_between(const std::string& chains, char border) {
  std::vector<std::string> statements;
  std::istringstream stream(chains);
  for (std::string chain; std::getline(stream, chain, border);) {
    if (auto written = with_brackets(chain)) statements.push_back(*std::move(written));
  }
  return join(statements, "; ");
}

}  // namespace

// Dashes part a chain from the words around it, of which one would be the name of the first brackets.
bool respell_bracketless(Respelt& line) {
  bool found = false;
  const auto write = [&](const std::string& mark,
                         const std::string& chain) -> std::optional<std::string> {
    const auto statements = with_brackets(chain);
    if (!statements) return std::nullopt;
    found = true;
    return mark + " " + *statements + " " + mark;
  };
  static const std::regex marked(R"((\$+|`+)([^$`]+)\1)");
  line.replace_all(marked, [&](const auto& match) {
    static const std::regex word_pattern(R"([A-Za-z]\s*$)");
    const std::string before(line.text().cbegin(), match[0].first);
    return write(std::regex_search(before, word_pattern) ? "—" : match.str(1), match.str(2));
  });
  static const std::regex whole(R"(^\s*(?:[-*•]\s+|\d+[.)]\s+)?([A-Z][^$`]*)$)");
  if (!found) {
    line.replace_all(whole, [&](const auto& match) { return write("", match.str(1)); });
  }
  if (!found && may_hold_chain(line.text())) {
    static const std::regex inner(chain_pattern());
    line.replace_all(inner, [&](const auto& match) -> std::optional<std::string> {
      const std::string chain = match.str(2);
      if (chain.find('_') == std::string::npos || !may_hold_chain(chain)) return std::nullopt;
      std::string statements = statements_between(chain, ';');
      found = found || !statements.empty();
      return statements.empty() ? std::nullopt
                                : std::optional(match.str(1) + "— " + statements + " —");
    });
  }
  return found;
}

}  // namespace shard
