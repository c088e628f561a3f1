// Formulas of the whiteboard: letters as indices, sums over them, spaces of matrices.
#include <fmt/format.h>

#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/source/code_point.h"
#include "grammar/translate/writer.h"

namespace shard {
namespace {

// `A_{ij}`
struct Factor {
  std::string name;
  std::string letters;
};

class BoardReader {
 public:
  explicit BoardReader(std::string_view text) : text_(text) {}

  void skip() {
    while (place_ < text_.size() && (text_[place_] == ' ' || text_[place_] == '\t')) ++place_;
  }
  bool accept(std::string_view word) {
    skip();
    if (!text_.substr(place_).starts_with(word)) return false;
    place_ += word.size();
    return true;
  }
  bool at_end() {
    skip();
    return place_ == text_.size() || text_[place_] == ';';
  }
  std::size_t place() const { return place_; }

  std::string name() {
    skip();
    std::string name;
    while (place_ < text_.size() && (is_letter(text_[place_]) || is_digit(text_[place_])))
      name += text_[place_++];
    return name;
  }

  // `_{ij}`, `_ij`; nothing if there is none.
  std::string subscript() {
    std::string letters;
    if (place_ >= text_.size() || text_[place_] != '_') return letters;
    ++place_;
    const bool braces = accept("{");
    while (place_ < text_.size()) {
      const char c = text_[place_];
      if (is_letter(c) && c >= 'a')
        letters += c;
      else if (!braces || (c != ',' && c != ' '))
        break;
      ++place_;
    }
    if (braces && !accept("}")) letters.clear();
    return letters;
  }

  std::optional<Factor> factor() {
    Factor factor{name(), {}};
    if (factor.name.empty()) return std::nullopt;
    factor.letters = subscript();
    if (factor.letters.empty()) return std::nullopt;
    return factor;
  }

  // Whether a sign of a sum stood here; its index is passed over.
  bool sum() {
    const bool sign = accept("\\sum") || accept("∑") || accept("Σ");
    if (!sign) return false;
    subscript();
    if (accept("^")) {
      if (accept("{")) {
        while (place_ < text_.size() && text_[place_] != '}') ++place_;
        accept("}");
      } else {
        name();
      }
    }
    return true;
  }

 private:
  std::string_view text_;
  std::size_t place_ = 0;
};

// `C_{ik} = \sum_j A_{ij} B_{jk}`
std::optional<ForeignMistake> read_indices(std::string_view text, const ForeignNames& names) {
  BoardReader reader(text);
  const auto target = reader.factor();
  if (!target || !reader.accept("=")) return std::nullopt;
  reader.skip();
  const std::size_t begin = reader.place();
  while (reader.sum()) {
  }
  std::vector<Factor> factors;
  while (auto factor = reader.factor()) {
    factors.push_back(*std::move(factor));
    if (reader.accept("*") || reader.accept("·") || reader.accept("\\cdot") || reader.accept("@"))
      continue;
    if (reader.at_end()) break;
  }
  if (factors.empty() || !reader.at_end()) return std::nullopt;
  ForeignTree call{.kind = ForeignTree::Kind::Call};
  std::string spec;
  call.parts.push_back({.kind = ForeignTree::Kind::Name, .text = "einsum"});
  call.parts.push_back({.kind = ForeignTree::Kind::Text});
  for (const Factor& factor : factors) {
    spec += (spec.empty() ? "" : ",") + factor.letters;
    call.parts.push_back({.kind = ForeignTree::Kind::Name, .text = factor.name});
  }
  call.parts[1].text = spec + "->" + target->letters;
  ForeignWriter writer(names);
  const auto value = writer.write(call);
  ForeignMistake mistake =
      foreign_mistake(begin, text.size(), "indices are dimensions here, and stand in brackets");
  mistake.made = target->name;
  if (!value) return mistake;
  mistake.array = {value->seen_dimensions()};
  const std::string line =
      fmt::format("{}{} = {}", target->name, brackets_text(value->seen_dimensions()), value->text);
  if (is_readable(line)) mistake.help = {line};
  return mistake;
}

// `C[I, K] = \sum_{j=1}^{J} A[I, J] · B[J, K]`: the index is a dimension of the arrays, which have brackets.
std::optional<ForeignMistake> read_sum_of_arrays(std::string_view text) {
  static constexpr std::string_view kSums[] = {"\\sum", "∑", "Σ"};
  static constexpr std::string_view kProducts[] = {"\\cdot", "\\times", "·", "×", "*", "@"};
  std::size_t sign = std::string_view::npos;
  std::size_t end = 0;
  for (const std::string_view word : kSums) {
    const std::size_t at = text.find(word);
    if (at >= sign) continue;
    sign = at;
    end = at + word.size();
  }
  if (sign == std::string_view::npos || text.find('[') == std::string_view::npos)
    return std::nullopt;
  // `_{j=1}`, `_j`, then `^{J}`.
  std::string index;
  for (const char mark : {'_', '^'}) {
    if (end >= text.size() || text[end] != mark) continue;
    ++end;
    const bool braces = end < text.size() && text[end] == '{';
    if (braces) ++end;
    for (; end < text.size() && (is_letter(text[end]) || is_digit(text[end])); ++end) {
      if (mark == '_') index += text[end];
    }
    if (!braces) continue;
    end = text.find('}', end);
    if (end == std::string_view::npos) return std::nullopt;
    ++end;
  }
  const std::string_view right = bare_text(text.substr(end));
  std::size_t product = std::string_view::npos;
  std::size_t length = 0;
  for (const std::string_view one : kProducts) {
    const std::size_t at = right.find(one);
    if (at >= product) continue;
    product = at;
    length = one.size();
  }
  if (product == std::string_view::npos && right.find("] ") != std::string_view::npos) {
    product = right.find("] ") + 1;
    length = 1;
  }
  if (product == std::string_view::npos) return std::nullopt;
  const auto has = [&](std::string_view factor) {
    const std::size_t at = factor.find_first_of("[,");
    return !index.empty() && at != std::string_view::npos &&
           (factor.find("[" + index) != std::string_view::npos ||
            factor.find(", " + index) != std::string_view::npos ||
            factor.find("," + index) != std::string_view::npos);
  };
  const std::string_view left_factor = bare_text(right.substr(0, product));
  const std::string_view right_factor = bare_text(right.substr(product + length));
  // The letter of the sum, or its capital, as the brackets have it.
  if (!has(left_factor) || !has(right_factor)) {
    for (char& c : index) {
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c & ~0x20);
    }
  }
  const std::string over = has(left_factor) && has(right_factor) ? "_" + index : "";
  const std::string line =
      fmt::format("{}{} ·{} {}", text.substr(0, sign), left_factor, over, right_factor);
  ForeignMistake mistake =
      foreign_mistake(sign, end,
                      fmt::format("what a product sums over stands after its sign{}",
                                  over.empty() ? "" : ", `·" + over + "`"));
  if (!is_readable(line)) return std::nullopt;
  mistake.help = {line};
  return mistake;
}

// `A ∈ R^{I×J}`, `A \in \mathbb{R}^{I \times J}`
std::optional<ForeignMistake> read_space(std::string_view text) {
  std::size_t sign = text.find("∈");
  std::size_t length = std::string_view("∈").size();
  if (sign == std::string_view::npos) {
    sign = text.find("\\in ");
    length = 3;
  }
  const std::size_t power = text.find('^');
  if (sign == std::string_view::npos || power == std::string_view::npos || power < sign)
    return std::nullopt;
  const std::string_view name = bare_text(text.substr(0, sign));
  std::string space(text.substr(power + 1));
  for (const std::string_view cross : {"×", "\\times", " x ", "*"}) {
    for (std::size_t at = space.find(cross); at != std::string::npos; at = space.find(cross))
      space.replace(at, cross.size(), ",");
  }
  std::vector<std::string> dimensions = {""};
  for (const char c : space) {
    if (c == ',')
      dimensions.emplace_back();
    else if (is_name_character(c))
      dimensions.back() += c;
  }
  const std::string line = fmt::format("{}: bf16[{}]", name, join(dimensions, ", "));
  ForeignMistake mistake = foreign_mistake(
      sign, sign + length, "an array is declared with its element type and dimensions");
  if (is_readable(line)) mistake.help = {line};
  mistake.made = std::string(name);
  for (const std::string& dimension : dimensions) mistake.array.dimensions.push_back({dimension});
  return mistake;
}

// `bd,df->bf` alone on a line.
std::optional<ForeignMistake> read_letters(std::string_view text) {
  const std::string_view line = bare_text(text);
  const std::size_t arrow = line.find("->");
  const bool letters =
      line.find_first_not_of("abcdefghijklmnopqrstuvwxyz,-> ") == std::string_view::npos;
  const std::size_t comma = line.find(',');
  if (!letters || arrow == std::string_view::npos || comma == std::string_view::npos ||
      comma > arrow)
    return std::nullopt;
  const auto array = [](std::string_view name, std::string_view word) {
    std::vector<ForeignDimension> dimensions;
    for (const char c : bare_text(word))
      dimensions.push_back({std::string(1, static_cast<char>(c & ~0x20))});
    return fmt::format("{}{}", name, brackets_text(dimensions));
  };
  std::vector<std::string> operands;
  std::string_view rest = line.substr(0, arrow);
  for (const char* const name : {"x", "w", "v", "u"}) {
    operands.push_back(array(name, rest.substr(0, rest.find(','))));
    if (rest.find(',') == std::string_view::npos) break;
    rest.remove_prefix(rest.find(',') + 1);
  }
  const std::string written =
      fmt::format("{} → {}", join(operands, " · "), array("y", line.substr(arrow + 2)));
  ForeignMistake mistake = foreign_mistake(
      0, text.size(), "letters of an einsum are dimensions here, in the brackets of arrays");
  if (is_readable(written)) mistake.help = {written};
  return mistake;
}

}  // namespace

std::optional<ForeignMistake> read_foreign_board(std::string_view text, const ForeignNames& names) {
  if (auto mistake = read_indices(text, names)) return mistake;
  if (auto mistake = read_sum_of_arrays(text)) return mistake;
  if (auto mistake = read_space(text)) return mistake;
  if (auto mistake = read_foreign_shape(text)) return mistake;
  if (auto mistake = read_letters(text)) return mistake;
  return read_foreign_matrices(text, names);
}

}  // namespace shard
