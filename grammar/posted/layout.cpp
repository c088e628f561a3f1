// Axes beside dimensions, as other notations and broken copies have them.
#include <string>
#include <vector>

#include "base/collective.h"
#include "base/words.h"
#include "grammar/posted/spelling.h"

namespace shard {
namespace {

// `X,Y` without its commas if all are letters.
std::string joined_axis_row(const std::string& text) {
  std::string axes;
  bool letters = true;
  std::size_t length = 0;
  for (const char c : text) {
    if (c == ' ') continue;
    length = c == ',' ? 0 : length + 1;
    letters = letters && length <= 1;
    axes += c;
  }
  if (!letters) return axes;
  std::string row;
  for (const char c : axes) {
    if (c != ',') row += c;
  }
  return row;
}

// Whether a collective is meant, with a slip perhaps: `AlGather_X`.
bool is_near_collective(const std::string& word) {
  static const std::vector<std::string> names = words_of(collectives(), &CollectiveInfo::name);
  return nearest_name(word.substr(0, word.find('_')), names).has_value();
}

// `[F{X}, D{Y}]`, and then `[I]{X}` as what is unreduced.
void respell_braced_axes(Respelt& line) {
  static const std::regex dimension(
      R"(([\[,]\s*[A-Za-z][A-Za-z0-9]*)\{([A-Za-z]\w*(?:,\s*[A-Za-z]\w*)*)\}(?=\s*[,\]]))");
  bool braced = false;
  line.replace_all(dimension, [&](const auto& match) {
    braced = true;
    return match.str(1) + "_{" + joined_axis_row(match.str(2)) + "}";
  });
  if (!braced) return;
  static const std::regex result(R"(\]\{([A-Z](?:,\s*[A-Z])*)\})");
  line.replace_all(
      result, [](const auto& match) { return "]{U_{" + joined_axis_row(match.str(1)) + "}}"; });
}

}  // namespace

void respell_layouts(Respelt& line) {
  const auto has = [&](std::string_view word) {
    return line.text().find(word) != std::string::npos;
  };
  if (has("{")) respell_braced_axes(line);
  if (has("@")) {
    // `[B@X, D]`; after a number the sign is that of the notation.
    static const std::regex at(R"(([\[,]\s*[A-Za-z]\w*)@([A-Za-z]\w*)(?=\s*[,\]]))");
    line.replace_all(at, [](const auto& match) { return match.str(1) + "_" + match.str(2); });
  }
  if (has("~")) {
    static const std::regex tilde(R"(([\w*·])~(\w+)~)");
    line.replace_all(tilde, [](const auto& match) { return match.str(1) + "_" + match.str(2); });
  }
  if (has("][")) {
    static const std::regex name_pattern(R"(\b([A-Za-z]\w*)\[([a-z]\w*)\](?=\[))");
    line.replace_all(name_pattern,
                     [](const auto& match) { return match.str(1) + "_" + match.str(2); });
  }
  static const std::regex slanted(R"((^|[^\w\])}])\*([A-Za-z]\w*)\*(?=\[))");
  line.replace_all(slanted, [](const auto& match) { return match.str(1) + match.str(2); });
  static const std::regex contraction(R"(\*\[([A-Z])\](?=\s*[A-Za-z]))");
  line.replace_all(contraction, [](const auto& match) { return "*_" + match.str(1); });
  // `LayerNorm_D A[B, D]`: a function of an array.
  static const std::regex function_pattern(
      R"(\b(?!All|Reduce)([A-Z][a-z]\w*_(?:[A-Za-z]|\{[A-Za-z,]+\}))\s+([A-Za-z]\w*\[[^\[\]]*\](?:\{[^{}]*\})?))");
  line.replace_all(function_pattern, [](const auto& match) {
    return is_near_collective(match.str(1)) ? match.str() : match.str(1) + "(" + match.str(2) + ")";
  });
}

bool respell_slips(Respelt& line) {
  static const std::regex list_pattern(
      R"(\[\s*[A-Z](?:_\w+|_\{\w+\})?(?:\s+[A-Z](?:_\w+|_\{\w+\})?)+\s*\])");
  static const std::regex blank(R"(([\w}])\s+([A-Z]))");
  bool found = false;
  line.replace_all(list_pattern, [&](const auto& match) {
    found = true;
    std::string list = match.str();
    return std::regex_replace(list, blank, "$1, $2");
  });
  const auto write = [&](const char* pattern, const std::string& by) {
    line.replace_all(std::regex(pattern), [&](const auto& match) {
      found = true;
      return match.format(by);
    });
  };
  write(R"(\b((?:All|Reduce)[A-Za-z]+_)(\w+),([A-Z]\w*)(?=\s+[A-Za-z]\w*\[))", "$1{$2,$3}");
  return found;
}

}  // namespace shard
