// Patterns of einops: `rearrange(x, 'b (n h) -> b n h', n=8)`, `reduce(x, 'b d -> b', 'mean')`.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/words.h"
#include "grammar/translate/writer.h"

namespace shard {
namespace {

using TreeKind = ForeignTree::Kind;
using OperandRank = ForeignOperand::Rank;
using Use = ForeignOperand::Use;

// `b (n h)`: the words of each dimension; several where it is put together from them.
using Side = std::vector<std::vector<std::string>>;

std::optional<Side> side_of(std::string_view text) {
  Side side;
  bool inside = false;
  std::size_t i = 0;
  while (i < text.size()) {
    const char c = text[i];
    if (c == ' ' || c == '(' || c == ')') {
      if ((c == '(' && inside) || (c == ')' && !inside)) return std::nullopt;
      if (c == '(') side.emplace_back();
      if (c != ' ') inside = c == '(';
      ++i;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" ()", i), text.size());
    if (std::isalpha(static_cast<unsigned char>(c)) == 0) return std::nullopt;
    if (!inside) side.emplace_back();
    side.back().emplace_back(text.substr(i, end - i));
    i = end;
  }
  const bool empty =
      std::any_of(side.begin(), side.end(),
                  [](const std::vector<std::string>& words) { return words.empty(); });
  if (inside || empty) return std::nullopt;
  return side;
}

std::vector<std::string> words_of(const Side& side) {
  std::vector<std::string> words;
  for (const auto& group : side) words.insert(words.end(), group.begin(), group.end());
  return words;
}

// `heads` is `Heads`: dimensions are capitals in every document.
std::string dimension_named(std::string word) {
  word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
  return word;
}

}  // namespace

struct ForeignWriter::EinopsPattern {
  Side from;
  Side to;

  bool is_whole() const { return parts() == from.size() + to.size(); }

 private:
  std::size_t parts() const { return words_of(from).size() + words_of(to).size(); }
};

std::optional<ForeignWriter::EinopsPattern> ForeignWriter::einops_pattern(
    const Arguments& arguments) {
  if (arguments.positional.size() < 2 || arguments.positional[1]->kind != TreeKind::Text)
    return std::nullopt;
  const std::string_view text = arguments.positional[1]->text;
  const std::size_t arrow = text.find("->");
  if (arrow == std::string_view::npos) return std::nullopt;
  auto from = side_of(text.substr(0, arrow));
  auto to = side_of(text.substr(arrow + 2));
  if (!from || !to) return std::nullopt;
  return EinopsPattern{*std::move(from), *std::move(to)};
}

ForeignWriter::Result ForeignWriter::apply_rearrange(const Arguments& arguments) {
  const auto pattern = einops_pattern(arguments);
  if (!pattern) return std::nullopt;
  auto array = write_array(*arguments.positional[0], pattern->from.size());
  if (!array || !array->named || array->order.size() != pattern->from.size()) return std::nullopt;
  const std::vector<std::string> from = words_of(pattern->from);
  const std::vector<std::string> to = words_of(pattern->to);
  if (!pattern->is_whole())
    return from == to ? reshaped(*array, *pattern, arguments)
                      : reshaped_in_order(*array, *pattern, arguments);
  if (!std::is_permutation(from.begin(), from.end(), to.begin(), to.end())) return std::nullopt;
  std::vector<std::size_t> order;
  for (const std::string& word : to) {
    const auto place = std::find(from.begin(), from.end(), word) - from.begin();
    order.push_back(array->order[static_cast<std::size_t>(place)]);
  }
  array->order = std::move(order);
  return array;
}

// The sizes of new dimensions are said by lines before it. What is cut or joined keeps the axes of its first part.
ForeignWriter::Result ForeignWriter::reshaped(const ForeignOperand& array,
                                              const EinopsPattern& pattern,
                                              const Arguments& arguments) {
  // Sizes of the target's dimensions are those of the script.
  const bool targeted =
      target_.size() == pattern.to.size() &&
      std::all_of(target_.begin(), target_.end(), [&](const ForeignDimension& dimension) {
        return names_.is_scalar(dimension.name);
      });
  const auto define = [&](const std::string& name, const std::string& size) {
    if (!targeted && !names_.is_scalar(name) && name != size)
      before_ += fmt::format("{} = {}; ", name, size);
  };
  std::map<std::string, ForeignDimension> parts;
  for (std::size_t i = 0; i < pattern.from.size(); ++i) {
    const auto& group = pattern.from[i];
    const ForeignDimension& own = array.seen(i);
    if (group.size() == 1) {
      parts[group[0]] = own;
      continue;
    }
    std::string rest = own.name;
    std::string left;
    for (const std::string& word : group) {
      parts[word] = {dimension_named(word)};
      const ForeignTree* size = arguments.keyword(word);
      const auto written = size != nullptr ? write(*size) : std::nullopt;
      // `heads=N` is the dimension N.
      if (written && names_.is_scalar(written->text)) parts[word].name = written->text;
      if (!written && !left.empty()) return std::nullopt;
      if (written) {
        define(parts[word].name, written->text);
        rest += " / " + parts[word].name;
      } else {
        left = parts[word].name;
      }
    }
    if (!left.empty()) define(left, rest);
    parts[group.front()].axes = own.axes;
  }
  std::vector<ForeignDimension> dimensions;
  for (const auto& group : pattern.to) {
    ForeignDimension joined = parts[group.front()];
    if (targeted) {
      dimensions.push_back(target_[dimensions.size()]);
      continue;
    }
    std::vector<std::string> sizes;
    for (const std::string& word : group) {
      sizes.push_back(parts[word].name);
      if (word != group.front() && !parts[word].axes.empty()) joined.axes.clear();
    }
    if (group.size() > 1) {
      for (const char* const name : {"D", "F", "M", "K"}) {
        joined.name = name;
        if (!names_.is_scalar(name)) break;
      }
      define(joined.name, join(sizes, " * "));
    }
    dimensions.push_back(std::move(joined));
  }
  ForeignOperand result =
      computed(fmt::format("Reshape({})", operand_text(array, OperandRank::Atom)),
               OperandRank::Atom, std::move(dimensions));
  result.use = Use::Alone;
  return result;
}

// `b s (n h) -> b n s h`: cut on a line before it, then put in order; `b n s h -> b s (n h)`: the other way round.
ForeignWriter::Result ForeignWriter::reshaped_in_order(const ForeignOperand& array,
                                                       const EinopsPattern& pattern,
                                                       const Arguments& arguments) {
  const std::vector<std::string> from = words_of(pattern.from);
  const std::vector<std::string> to = words_of(pattern.to);
  if (!std::is_permutation(from.begin(), from.end(), to.begin(), to.end())) return std::nullopt;
  Side cut;
  for (const std::string& word : from) cut.push_back({word});
  const auto named = [&](const ForeignOperand& operand) {
    const std::string name = free_array("Tmp");
    const std::string text = operand.named ? bracketed_text(operand) : operand.text;
    before_ += fmt::format("{}{} = {}; ", name, brackets_text(operand.seen_dimensions()), text);
    ForeignOperand result = computed(name, OperandRank::Atom, operand.seen_dimensions());
    result.named = true;
    return result;
  };
  ForeignOperand parts = array;
  if (pattern.from.size() != from.size()) {
    const auto whole = reshaped(array, {pattern.from, cut}, arguments);
    if (!whole) return std::nullopt;
    parts = named(*whole);
  }
  std::vector<std::size_t> order;
  for (const std::string& word : to) {
    const auto place = std::find(from.begin(), from.end(), word) - from.begin();
    order.push_back(parts.order[static_cast<std::size_t>(place)]);
  }
  parts.order = std::move(order);
  if (pattern.to.size() == to.size()) return parts;
  if (pattern.from.size() != from.size()) return std::nullopt;
  ForeignOperand turned = computed(parts.text, OperandRank::Atom, parts.seen_dimensions());
  before_ += fmt::format("{}{} = {}; ", free_array("Tmp"), brackets_text(turned.dimensions),
                         bracketed_text(parts));
  turned.text = free_array("Tmp");
  turned.named = true;
  Side joined;
  for (const std::string& word : to) joined.push_back({word});
  return reshaped(turned, {joined, pattern.to}, arguments);
}

ForeignWriter::Result ForeignWriter::apply_einops_reduce(const Arguments& arguments) {
  const auto pattern = einops_pattern(arguments);
  if (!pattern || !pattern->is_whole()) return std::nullopt;
  const ForeignTree* operation = arguments.at(2, "reduction");
  const auto array = write_array(*arguments.positional[0], pattern->from.size());
  const std::vector<std::string> from = words_of(pattern->from);
  const std::vector<std::string> to = words_of(pattern->to);
  if (!array || operation == nullptr || operation->kind != TreeKind::Text ||
      array->order.size() != from.size())
    return std::nullopt;
  std::vector<std::string> along;
  std::vector<ForeignDimension> left;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (std::find(to.begin(), to.end(), from[i]) != to.end())
      left.push_back(array->seen(i));
    else
      along.push_back(array->seen(i).name);
  }
  if (along.empty()) return std::nullopt;
  const std::string inner = array->must_bracket ? bracketed_text(*array) : array->text;
  return computed(fmt::format("{}{}({})", operation->text, index_text(along), inner),
                  OperandRank::Atom, std::move(left));
}

}  // namespace shard
