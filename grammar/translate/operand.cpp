#include "grammar/translate/operand.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/words.h"

namespace shard {
namespace {

using OperandRank = ForeignOperand::Rank;

bool has(const std::string& letters, char letter) {
  return letters.find(letter) != std::string::npos;
}

// A letter that stands twice in one operand takes its diagonal.
bool repeats(const std::string& letters) {
  return std::set<char>(letters.begin(), letters.end()).size() != letters.size();
}

// Whether they are known to be of different lengths.
bool differ_in_length(const std::string& left, const std::string& right,
                      const ForeignNames& names) {
  const auto length = names.length_of(left);
  const auto other = names.length_of(right);
  return length && other && *length != *other;
}

// A name that none of `taken` is, for a dimension as long as `own`.
std::string other_name(const std::string& own, const std::set<std::string>& taken,
                       const ForeignNames& names) {
  for (const char* const name : {"K", "L", "M", "N", "P", "Q", "R", "S"}) {
    if (taken.count(name) == 0 && !differ_in_length(name, own, names)) return name;
  }
  return own + "2";
}

// Names for the letters: those of the arrays where they have some. nullopt if a letter has two lengths.
std::optional<std::map<char, std::string>> name_letters(const std::vector<ForeignOperand>& operands,
                                                        const std::vector<std::string>& letters,
                                                        const ForeignNames& known) {
  std::map<char, std::string> names;
  std::set<std::string> taken;
  for (const ForeignOperand& operand : operands) {
    for (const ForeignDimension& dimension : operand.dimensions) taken.insert(dimension.name);
  }
  std::set<std::string> used;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    for (std::size_t place = 0; place < letters[i].size(); ++place) {
      const std::string& own = operands[i].seen(place).name;
      auto [entry, is_new] = names.try_emplace(letters[i][place], own);
      if (!is_new && differ_in_length(entry->second, own, known)) return std::nullopt;
      if (!is_new || used.insert(own).second) continue;
      entry->second = other_name(own, taken, known);
      taken.insert(entry->second);
      used.insert(entry->second);
    }
  }
  return names;
}

void rename(ForeignOperand& operand, const std::string& letters,
            const std::map<char, std::string>& names) {
  for (std::size_t place = 0; place < letters.size(); ++place) {
    ForeignDimension& dimension = operand.dimensions[operand.order[place]];
    const std::string& name = names.at(letters[place]);
    if (dimension.name == name) continue;
    dimension.name = name;
    operand.must_bracket = true;
  }
}

// The dimensions of the result, each split as the first operand that has it split.
std::vector<ForeignDimension> result_dimensions(const std::vector<ForeignOperand>& operands,
                                                const std::vector<std::string>& letters,
                                                const std::string& out) {
  std::vector<ForeignDimension> result;
  for (const char letter : out) {
    ForeignDimension dimension;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const std::size_t place = letters[i].find(letter);
      if (place == std::string::npos) continue;
      const ForeignDimension& own = operands[i].seen(place);
      dimension.name = own.name;
      if (dimension.axes.empty()) dimension.axes = own.axes;
    }
    result.push_back(std::move(dimension));
  }
  return result;
}

// Of one operand: a sum along what is not in the result, or another order.
std::optional<ForeignOperand> reduction(const ForeignOperand& operand, const std::string& letters,
                                        const std::string& out) {
  std::vector<std::string> summed;
  for (std::size_t place = 0; place < letters.size(); ++place) {
    if (!has(out, letters[place])) summed.push_back(operand.seen(place).name);
  }
  ForeignOperand result =
      computed("", OperandRank::Atom, result_dimensions({operand}, {letters}, out));
  result.use = ForeignOperand::Use::Target;
  if (!summed.empty()) {
    result.text =
        fmt::format("sum{}({})", index_text(summed), operand_text(operand, OperandRank::Atom));
    return result;
  }
  if (!operand.named) return std::nullopt;
  result.text = bracketed_text(operand);
  result.use = ForeignOperand::Use::Alone;
  return result;
}

// The text of two operands, or of a chain, which the result's dimensions make clear.
std::optional<std::string> product_text(const std::vector<ForeignOperand>& operands,
                                        const std::vector<std::string>& letters,
                                        const std::string& out,
                                        const std::map<char, std::string>& names) {
  std::vector<std::string> texts;
  for (const ForeignOperand& operand : operands)
    texts.push_back(operand.named ? bracketed_text(operand)
                                  : operand_text(operand, OperandRank::Product));
  if (operands.size() > 2) return join(texts, " · ");
  std::vector<std::string> summed;
  bool same = true;
  for (const char letter : letters[0]) {
    if (has(letters[1], letter) && !has(out, letter)) summed.push_back(names.at(letter));
    same = same && has(letters[1], letter);
  }
  if (!summed.empty()) return fmt::format("{} ·{} {}", texts[0], index_text(summed), texts[1]);
  const bool contained = same || std::all_of(letters[1].begin(), letters[1].end(),
                                             [&](char letter) { return has(letters[0], letter); });
  if (contained)
    return fmt::format("{} ⊙ {}", operand_text(operands[0], OperandRank::Product),
                       operand_text(operands[1], OperandRank::Power));
  return join(texts, " · ");
}

}  // namespace

std::vector<std::string> ForeignOperand::seen_names() const {
  std::vector<std::string> names;
  for (const std::size_t place : order) names.push_back(dimensions[place].name);
  return names;
}

std::vector<ForeignDimension> ForeignOperand::seen_dimensions() const {
  std::vector<ForeignDimension> seen;
  for (const std::size_t place : order) seen.push_back(dimensions[place]);
  return seen;
}

bool ForeignOperand::is_reordered() const { return !std::is_sorted(order.begin(), order.end()); }

std::string axes_text(const std::vector<std::string>& axes) {
  if (axes.empty()) return "";
  if (axes.size() == 1) return "_" + axes.front();
  const bool letters = std::all_of(axes.begin(), axes.end(),
                                   [](const std::string& axis) { return axis.size() == 1; });
  return fmt::format("_{{{}}}", join(axes, letters ? "" : ","));
}

std::string brackets_text(const std::vector<ForeignDimension>& dimensions,
                          const std::vector<std::string>& unreduced) {
  std::vector<std::string> texts;
  for (const ForeignDimension& dimension : dimensions)
    texts.push_back(dimension.name + axes_text(dimension.axes));
  const std::string mark = unreduced.empty() ? "" : fmt::format("{{U{}}}", axes_text(unreduced));
  return fmt::format("[{}]{}", join(texts, ", "), mark);
}

std::string index_text(const std::vector<std::string>& names) {
  return names.size() == 1 ? "_" + names.front() : fmt::format("_{{{}}}", join(names, ","));
}

std::string bracketed_text(const ForeignOperand& operand) {
  if (!operand.named) return operand.text;
  return operand.text + brackets_text(operand.dimensions, operand.unreduced) + operand.placed;
}

std::string operand_text(const ForeignOperand& operand, OperandRank rank) {
  if (operand.named && operand.must_bracket) return bracketed_text(operand);
  return operand.rank < rank ? fmt::format("({})", operand.text) : operand.text;
}

ForeignOperand scalar(std::string text, ForeignOperand::Rank rank) {
  return {.text = std::move(text), .rank = rank};
}

ForeignOperand computed(std::string text, OperandRank rank,
                        std::vector<ForeignDimension> dimensions) {
  ForeignOperand result{.text = std::move(text), .rank = rank, .is_array = true};
  std::set<std::string> used;
  for (ForeignDimension& dimension : dimensions) {
    const bool twice = std::any_of(dimension.axes.begin(), dimension.axes.end(),
                                   [&](const std::string& axis) { return used.count(axis) > 0; });
    if (twice) dimension.axes.clear();
    used.insert(dimension.axes.begin(), dimension.axes.end());
    result.order.push_back(result.order.size());
  }
  result.dimensions = std::move(dimensions);
  return result;
}

ForeignOperand alone(std::string text, std::vector<ForeignDimension> dimensions) {
  ForeignOperand result =
      computed(std::move(text), ForeignOperand::Rank::Atom, std::move(dimensions));
  result.use = ForeignOperand::Use::Alone;
  return result;
}

std::optional<ForeignOperand> contraction(std::vector<ForeignOperand> operands,
                                          const std::vector<std::string>& letters,
                                          const std::string& out, const ForeignNames& known) {
  std::string all;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool fits = operands[i].order.size() == letters[i].size() && !repeats(letters[i]);
    if (!fits || operands[i].use == ForeignOperand::Use::Alone) return std::nullopt;
    all += letters[i];
  }
  if (repeats(out) || !std::all_of(out.begin(), out.end(), [&](char c) { return has(all, c); }))
    return std::nullopt;
  const auto names = name_letters(operands, letters, known);
  if (!names) return std::nullopt;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].named) continue;
    rename(operands[i], letters[i], *names);
  }
  if (operands.size() == 1) return reduction(operands[0], letters[0], out);
  for (const char letter : all) {
    if (!has(out, letter) && std::count(all.begin(), all.end(), letter) == 1) return std::nullopt;
  }
  auto text = product_text(operands, letters, out, *names);
  if (!text) return std::nullopt;
  ForeignOperand result =
      computed(*std::move(text), OperandRank::Product, result_dimensions(operands, letters, out));
  result.use = ForeignOperand::Use::Target;
  return result;
}

bool are_equally_long(const std::string& left, const std::string& right,
                      const ForeignNames& names) {
  const auto length = names.length_of(left);
  return left == right || (length && length == names.length_of(right));
}

SummedPlaces summed_places(const ForeignOperand& left, const ForeignOperand& right) {
  const std::size_t columns = right.order.size();
  return {left.order.size() - 1, columns > 1 ? columns - 2 : 0};
}

std::optional<ForeignOperand> matrix_product(const ForeignOperand& left,
                                             const ForeignOperand& right,
                                             const ForeignNames& names) {
  const std::size_t rows = left.order.size();
  const std::size_t columns = right.order.size();
  if (rows == 0 || columns == 0 || rows + columns > 16) return std::nullopt;
  std::string first;
  for (std::size_t i = 0; i < rows; ++i) first += static_cast<char>('a' + i);
  std::string second;
  for (std::size_t i = 0; i < columns; ++i) second += static_cast<char>('A' + i);
  // What stands in places that fit is summed; else a name that both have, and nothing else, tells.
  const SummedPlaces places = summed_places(left, right);
  std::size_t summed_left = places.left;
  std::size_t summed_right = places.right;
  std::size_t shared =
      are_equally_long(left.seen(places.left).name, right.seen(places.right).name, names) ? 2 : 0;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      if (left.seen(i).name != right.seen(j).name || left.text == right.text) continue;
      if (++shared > 1) continue;
      summed_left = i;
      summed_right = j;
    }
  }
  if (shared > 1) {
    summed_left = places.left;
    summed_right = places.right;
  }
  second[summed_right] = first[summed_left];
  // What stands in front of two matrices is a batch.
  for (std::size_t i = 0; rows == columns && i + 2 < rows; ++i) {
    if (i != summed_left && i != summed_right) second[i] = first[i];
  }
  std::string out;
  for (const char letter : first) out += letter == first[summed_left] ? "" : std::string(1, letter);
  for (const char letter : second) out += has(first, letter) ? "" : std::string(1, letter);
  return contraction({left, right}, {first, second}, out, names);
}

}  // namespace shard
