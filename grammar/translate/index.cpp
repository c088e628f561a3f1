// What stands in brackets: `In[B_X, D]`, `x.shape[0]`, `h[:, 0, :]`.
#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "grammar/translate/writer.h"

namespace shard {
namespace {

using TreeKind = ForeignTree::Kind;
using OperandRank = ForeignOperand::Rank;

// `None`, `np.newaxis`
bool is_new_dimension(const ForeignTree& tree) {
  return tree.is_name("None") || (tree.kind == TreeKind::Attribute && tree.text == "newaxis");
}

}  // namespace

std::optional<ForeignOperand> ForeignWriter::bracketed_array(const ForeignTree& tree) const {
  const bool array = tree.kind == TreeKind::Index && tree.parts.size() > 1 &&
                     tree.parts.front().kind == TreeKind::Name &&
                     !names_.is_scalar(tree.parts.front().text);
  if (!array) return std::nullopt;
  std::vector<ForeignDimension> dimensions;
  for (auto part = tree.parts.begin() + 1; part != tree.parts.end(); ++part) {
    // `x[i]` takes an element; dimensions are capitals in every document.
    const bool capital = part->kind == TreeKind::Name && !part->text.empty() &&
                         part->text.front() >= 'A' && part->text.front() <= 'Z';
    if (!capital || part->text == "None") return std::nullopt;
    dimensions.push_back(dimension_written(part->text));
  }
  ForeignOperand operand =
      computed(tree.parts.front().text, OperandRank::Atom, std::move(dimensions));
  operand.named = true;
  operand.must_bracket = true;
  if (tree.text.starts_with("U_"))
    operand.unreduced = axes_written(std::string_view(tree.text).substr(2));
  else if (!tree.text.empty())
    operand.placed = fmt::format("{{{}}}", tree.text);
  return operand;
}

ForeignWriter::Result ForeignWriter::write_index(const ForeignTree& tree) {
  const ForeignTree& object = tree.parts.front();
  if (auto array = bracketed_array(tree)) return array;
  const bool shape = object.kind == TreeKind::Attribute && object.text == "shape";
  if (shape && tree.parts.size() == 2 && object.parts.front().is_name("mesh") &&
      tree.parts[1].kind == TreeKind::Text) {
    note(tree, "the size of an axis is written between bars");
    return scalar(fmt::format("|{}|", axis_named(tree.parts[1].text)));
  }
  if (shape && tree.parts.size() == 2) {
    const auto array = write_array(object.parts.front());
    const auto place = array ? axes_argument(&tree.parts[1], *array) : std::nullopt;
    note(object, fmt::format("`.shape` is Python: {}", foreign_method("shape")->meaning));
    if (place && place->size() == 1) return scalar(array->seen(place->front()).name);
    return std::nullopt;
  }
  const bool parts =
      std::any_of(tree.parts.begin() + 1, tree.parts.end(),
                  [](const ForeignTree& part) { return part.kind == TreeKind::Slice; });
  auto array = write(object);
  if (!array || !array->is_array || !array->named) return std::nullopt;
  const bool only_names =
      std::all_of(tree.parts.begin() + 1, tree.parts.end(), [](const ForeignTree& part) {
        return part.kind == TreeKind::Slice || is_new_dimension(part);
      });
  const bool widened = std::any_of(tree.parts.begin() + 1, tree.parts.end(), is_new_dimension);
  if (only_names && widened) {
    note(tree, "dimensions are matched by name, so no `None` is needed");
    return array;
  }
  if (has_places(tree)) return write_places_or_why(tree, *array);
  if (auto picked = write_pick(tree, *array)) return picked;
  if (auto part = parts ? write_slice(tree, *array) : std::nullopt) return part;
  const auto slice =
      std::find_if(tree.parts.begin() + 1, tree.parts.end(),
                   [](const ForeignTree& part) { return part.kind == TreeKind::Slice; });
  if (parts)
    return stuck(*slice, "a part of a dimension is cut by numbers and sizes that are known",
                 "B[I, 8] = A[I, 0:8]");
  return std::nullopt;
}

// `h[:, 0, :]` as `h[B, S, D][S = 0]`: a dimension is picked from by its name.
ForeignWriter::Result ForeignWriter::write_pick(const ForeignTree& tree,
                                                const ForeignOperand& array) {
  const std::size_t rank = array.order.size();
  const std::size_t given = tree.parts.size() - 1;
  const auto is_ellipsis = [](const ForeignTree& part) {
    return part.kind == TreeKind::Slice && part.text == "...";
  };
  const bool sliced =
      std::any_of(tree.parts.begin() + 1, tree.parts.end(),
                  [](const ForeignTree& part) { return part.kind == TreeKind::Slice; });
  if (!sliced || array.is_reordered()) return std::nullopt;
  std::vector<std::string> picks;
  std::vector<ForeignDimension> left;
  std::size_t place = 0;
  for (auto part = tree.parts.begin() + 1; part != tree.parts.end(); ++part) {
    if (is_ellipsis(*part)) {
      if (given > rank + 1) return std::nullopt;
      for (std::size_t i = given - 1; i < rank; ++i) left.push_back(array.seen(place++));
      continue;
    }
    if (place >= rank) return std::nullopt;
    const ForeignDimension& dimension = array.seen(place++);
    if (part->kind == TreeKind::Slice && part->text == ":") {
      left.push_back(dimension);
      continue;
    }
    if (part->kind == TreeKind::Slice) return std::nullopt;
    const auto index = write(*part);
    if (!index || index->is_array) return std::nullopt;
    picks.push_back(fmt::format("{} = {}", dimension.name, index->text));
  }
  while (place < rank) left.push_back(array.seen(place++));
  if (picks.empty()) return std::nullopt;
  note(tree, "an element is picked by the name of its dimension, in a second pair of brackets");
  ForeignOperand picked = computed(fmt::format("{}[{}]", bracketed_text(array), join(picks, ", ")),
                                   OperandRank::Atom, std::move(left));
  picked.use = ForeignOperand::Use::Target;
  return picked;
}

}  // namespace shard
