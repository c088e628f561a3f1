// Arrows without an array after them: `A · B →`.
#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "grammar/foreign/line.h"
#include "grammar/translate/writer.h"

namespace shard {
namespace {

using Dimensions = std::vector<ForeignDimension>;

// What a product of arrays leaves: what both have is summed over.
Dimensions left_of_product(const ForeignOperand& left, const ForeignOperand& right) {
  Dimensions all;
  const auto add = [&](const ForeignOperand& own, const ForeignOperand& other) {
    const std::vector<std::string> names = other.seen_names();
    for (const ForeignDimension& dimension : own.seen_dimensions()) {
      if (std::find(names.begin(), names.end(), dimension.name) == names.end())
        all.push_back(dimension);
    }
  };
  add(left, right);
  add(right, left);
  return computed("", ForeignOperand::Rank::Atom, std::move(all)).seen_dimensions();
}

void drop_axis(Dimensions& dimensions, std::string_view axis) {
  for (ForeignDimension& dimension : dimensions) {
    std::erase_if(dimension.axes, [&](const std::string& own) { return own == axis; });
  }
}

// What `AllGather_X A[I_X, J]` makes; the axis is that of the word.
struct OpenTarget {
  std::string name;
  Dimensions dimensions;
};
std::optional<OpenTarget> open_target(std::string_view left, const ForeignNames& names) {
  std::string_view operand = left;
  std::string_view axis;
  for (const std::string_view word : {"AllGather", "AllReduce", "Broadcast"}) {
    if (!left.starts_with(word)) continue;
    const std::size_t blank = left.find(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    if (left.size() > word.size() + 1 && left[word.size()] == '_')
      axis = left.substr(word.size() + 1, blank - word.size() - 1);
    operand = bare_text(left.substr(blank));
  }
  const bool collective = operand.size() != left.size();
  // Marks after the brackets are gone then.
  if (operand.ends_with('}') && operand.find("]{") != std::string_view::npos)
    operand = operand.substr(0, operand.find("]{") + 1);
  const auto tree = read_foreign_expression(operand);
  if (!tree) return std::nullopt;
  ForeignWriter writer(names);
  if (tree->kind == ForeignTree::Kind::Binary && tree->text == "·" && !collective) {
    const auto first = writer.write(tree->parts[0]);
    const auto second = writer.write(tree->parts[1]);
    const bool arrays = first && second && first->is_array && second->is_array &&
                        !first->order.empty() && !second->order.empty();
    if (!arrays) return std::nullopt;
    return OpenTarget{"", left_of_product(*first, *second)};
  }
  const auto value = writer.write(*tree);
  if (!value || !value->is_array || value->order.empty()) return std::nullopt;
  OpenTarget target{value->named ? value->text : "", value->seen_dimensions()};
  if (!value->named) return target;
  // What a flow of an array alone is for.
  for (ForeignDimension& dimension : target.dimensions) {
    if (!collective || axis.empty()) dimension.axes.clear();
  }
  drop_axis(target.dimensions, axis);
  return target;
}

}  // namespace

std::optional<ForeignMistake> read_foreign_target(std::string_view text,
                                                  const ForeignNames& names) {
  const std::string_view line = bare_text(text.substr(0, text.find('#')));
  std::size_t length = 0;
  for (const std::string_view arrow : {"→", "->", "=>", "⟶"}) {
    if (line.ends_with(arrow)) length = arrow.size();
  }
  if (length == 0 || line.find('\n') != std::string_view::npos) return std::nullopt;
  const std::string_view left = bare_text(line.substr(0, line.size() - length));
  const std::size_t equal = left.find('=');
  auto target = equal == std::string_view::npos ? open_target(left, names) : std::nullopt;
  if (!target) return std::nullopt;
  if (target->name.empty()) {
    target->name = "C";
    for (const char* const name : {"C", "Out", "Out2", "Out3"}) {
      target->name = name;
      if (!names.is_array(name) && !names.is_scalar(name)) break;
    }
  }
  const std::size_t begin = line.size() - length;
  ForeignMistake mistake =
      foreign_mistake(begin, line.size(),
                      "the array that is made stands after the arrow, with its "
                      "layout");
  const std::string written =
      fmt::format("{} → {}{}", left, target->name, brackets_text(target->dimensions));
  if (!is_readable(written)) return std::nullopt;
  mistake.help = {written};
  mistake.made = target->name;
  mistake.array = {target->dimensions};
  return mistake;
}

}  // namespace shard
