#include "grammar/document/assignment.h"

#include <algorithm>
#include <iterator>

#include "base/contains.h"
#include "grammar/source/left_arrow.h"

namespace shard {
namespace {

constexpr std::string_view kLatexLeftArrows[] = {"\\leftarrow", "\\Leftarrow", "\\gets",
                                                 "\\longleftarrow", "\\xleftarrow"};

constexpr std::string_view kOthers[] = {"=:",  "∝", "\\propto",         "↔",
                                        "<->", "⇔", "\\leftrightarrow", "\\Leftrightarrow"};

constexpr std::string_view kProducts[] = {"·", "×", "⊗", "\\cdot", "\\times", "\\otimes", "\\odot"};

std::string_view trimmed_piece(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

}  // namespace

std::string with_equal_signs(std::string_view text) {
  std::string respelt(text);
  const auto respell = [&](std::string_view sign, std::string_view by) {
    for (std::size_t at = respelt.find(sign); at != std::string::npos;
         at = respelt.find(sign, at + sign.size())) {
      const bool longer = at > 0 && respelt[at - 1] == ':';
      if (!longer && respelt.substr(at + sign.size(), 1) != "=")
        respelt.replace(at, sign.size(), by);
    }
  };
  respell(":=", " =");
  respell("≔", " = ");
  respell("≜", " = ");
  return respelt;
}

bool has_left_arrow(std::string_view formula) {
  const auto has = [&](std::string_view sign) {
    return formula.find(sign) != std::string_view::npos;
  };
  return std::any_of(std::begin(kLeftArrows), std::end(kLeftArrows), has) ||
         std::any_of(std::begin(kLatexLeftArrows), std::end(kLatexLeftArrows), has);
}

bool joins_pieces(std::string_view between) {
  const std::string_view sign = trimmed_piece(between);
  if (sign.empty()) return false;
  // A byte that is no character: the sign of another encoding.
  const bool unreadable = sign.size() == 1 && static_cast<unsigned char>(sign.front()) >= 0x80;
  return unreadable || contains(kLeftArrows, sign) || contains(kLatexLeftArrows, sign) ||
         contains(kOthers, sign);
}

bool is_cut_from_product(std::string_view before, std::string_view behind) {
  const std::string_view left = trimmed_piece(before);
  const std::string_view right = trimmed_piece(behind);
  return std::any_of(std::begin(kProducts), std::end(kProducts), [&](std::string_view sign) {
    return left.ends_with(sign) || right.starts_with(sign);
  });
}

}  // namespace shard
