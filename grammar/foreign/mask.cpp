// Elements that a condition picks, on the left of `=`: `A[A > 0] = 0`.
#include <fmt/format.h>

#include "grammar/foreign/line_reader.h"

namespace shard {
namespace {

using TreeKind = ForeignTree::Kind;

// Whether it is the array with one thing in its brackets.
bool is_index_of(const ForeignTree& tree, const std::string& array) {
  return tree.kind == TreeKind::Index && tree.parts.size() == 2 && tree.parts[0].is_name(array);
}

}  // namespace

// `A` in the place of each `A[mask]`; whether there was any.
bool ForeignLineReader::drop_mask(ForeignTree& value, const std::string& array,
                                  const std::string& mask) {
  if (is_index_of(value, array)) {
    const auto index = writer_.write(value.parts[1]);
    if (!index || index->text != mask) return false;
    value = {.kind = TreeKind::Name, .text = array, .begin = value.begin, .end = value.end};
    return true;
  }
  bool dropped = false;
  for (ForeignTree& part : value.parts) dropped = drop_mask(part, array, mask) || dropped;
  return dropped;
}

std::optional<std::string> ForeignLineReader::write_masked(const ForeignStatement& statement) {
  if (statement.targets.size() != 1 || statement.values.size() != 1) return std::nullopt;
  const ForeignTree& target = statement.targets.front();
  const std::string array = target.parts.empty() ? "" : target.parts.front().text;
  if (!is_index_of(target, array) || !names_.is_array(array)) return std::nullopt;
  const ForeignTree& condition = target.parts[1];
  if (condition.kind != TreeKind::Binary) return std::nullopt;
  const auto mask = writer_.write(condition);
  if (!mask || !mask->is_array || mask->rank != ForeignOperand::Rank::Comparison)
    return std::nullopt;
  find(target, "where a condition holds, elements are chosen by `where`");
  ForeignTree value = statement.values.front();
  const bool dropped = drop_mask(value, array, mask->text);
  const auto given = writer_.write(value);
  // Of another array as many elements would be meant as the condition picks.
  if (!given || (given->is_array && !dropped)) return std::nullopt;
  if (statement.sign.size() > 1) {
    ForeignTree change{.kind = TreeKind::Binary,
                       .text = statement.sign.substr(0, statement.sign.size() - 1)};
    change.parts = {{.kind = TreeKind::Name, .text = array}, value};
    value = std::move(change);
  }
  const auto written = writer_.write(value);
  if (!written || written->use == ForeignOperand::Use::Alone) return std::nullopt;
  const auto whole = writer_.write({.kind = TreeKind::Name, .text = array});
  if (!whole) return std::nullopt;
  return write_assignment(
      array, computed(fmt::format("where({}, {}, {})", mask->text, written->text, array),
                      ForeignOperand::Rank::Atom, whole->seen_dimensions()));
}

}  // namespace shard
