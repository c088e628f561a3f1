// Shapes and layouts: what changes neither values nor their number.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/words.h"
#include "grammar/translate/writer.h"
#include "grammar/tree/names.h"

namespace shard {
namespace {

using TreeKind = ForeignTree::Kind;
using OperandRank = ForeignOperand::Rank;
using Use = ForeignOperand::Use;

}  // namespace

std::string ForeignWriter::axis_named(std::string_view word) const {
  const auto lower = [](std::string_view text) {
    std::string small(text);
    for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return small;
  };
  for (const std::string& axis : names_.axes()) {
    if (axis == word) return axis;
  }
  for (const std::string& axis : names_.axes()) {
    if (lower(axis) == lower(word)) return axis;
  }
  return std::string(word);
}

// The axes of `X`, `XY`, `{XY}`, `{X,Y}`.
std::vector<std::string> ForeignWriter::axes_written(std::string_view subscript) const {
  if (subscript.starts_with('{') && subscript.ends_with('}'))
    subscript = subscript.substr(1, subscript.size() - 2);
  Names names;
  names.axes = names_.axes();
  std::vector<std::string> axes;
  while (!subscript.empty()) {
    const std::string_view word = subscript.substr(0, subscript.find(','));
    const AxisRow row = split_axes(word, names).value_or(AxisRow{std::string(word)});
    axes.insert(axes.end(), row.begin(), row.end());
    subscript.remove_prefix(std::min(word.size() + 1, subscript.size()));
  }
  return axes;
}

// `I_X`, `I_{XY}`; `W_in` is a name.
ForeignDimension ForeignWriter::dimension_written(const std::string& text) const {
  const std::size_t mark = text.ends_with('}') ? text.find("_{") : text.rfind('_');
  if (mark == std::string::npos || mark == 0) return {text};
  std::vector<std::string> axes = axes_written(std::string_view(text).substr(mark + 1));
  const std::vector<std::string> known = names_.axes();
  const bool all = std::all_of(axes.begin(), axes.end(), [&](const std::string& axis) {
    return std::find(known.begin(), known.end(), axis) != known.end();
  });
  if (!all && !text.ends_with('}')) return {text};
  return {text.substr(0, mark), std::move(axes)};
}

// That of an array, or of what a line before has called a layout.
std::optional<std::vector<std::vector<std::string>>> ForeignWriter::named_layout(
    const std::string& name) const {
  const auto known = names_.array(name);
  if (!known) return std::nullopt;
  std::vector<std::vector<std::string>> layout;
  for (const ForeignDimension& dimension : known->dimensions) layout.push_back(dimension.axes);
  return layout;
}

std::optional<std::vector<std::vector<std::string>>> ForeignWriter::layout_of(
    const ForeignTree& tree) const {
  if (tree.kind == TreeKind::Name) return named_layout(tree.text);
  if (auto placements = placements_of(tree)) return placements;
  if (tree.kind != TreeKind::Call) return std::nullopt;
  const std::string path = path_of(tree.parts.front());
  const std::string name = path.substr(path.rfind('.') + 1);
  if (name == "NamedSharding")
    return tree.parts.size() < 3 ? std::nullopt : layout_of(tree.parts[2]);
  if (name != "P" && name != "PS" && name != "PartitionSpec") return std::nullopt;
  std::vector<std::vector<std::string>> layout;
  for (std::size_t i = 1; i < tree.parts.size(); ++i) {
    std::vector<std::string> axes;
    for (const ForeignTree* item : items_of(tree.parts[i])) {
      if (item->is_name("None")) continue;
      if (item->kind != TreeKind::Text && item->kind != TreeKind::Name) return std::nullopt;
      axes.push_back(axis_named(item->text));
    }
    layout.push_back(std::move(axes));
  }
  return layout;
}

// DTensor's `[Shard(0), Replicate()]`: one for each axis of the mesh, in its order.
std::optional<std::vector<std::vector<std::string>>> ForeignWriter::placements_of(
    const ForeignTree& tree) const {
  const std::vector<std::string> axes = names_.axes();
  std::vector<std::vector<std::string>> layout;
  std::size_t next = 0;
  for (const ForeignTree* item : items_of(tree)) {
    const std::string path = item->kind == TreeKind::Call ? path_of(item->parts.front()) : "";
    const std::string name = path.substr(path.rfind('.') + 1);
    const std::size_t axis = next++;
    if (name == "Replicate") continue;
    const ForeignTree* place = item->parts.size() == 2 ? &item->parts[1] : nullptr;
    if (place != nullptr && place->kind == TreeKind::Keyword) place = &place->parts.front();
    const auto number = place == nullptr ? std::nullopt : foreign_number(*place);
    constexpr std::int64_t kMostDimensions = 8;
    if (name != "Shard" || !number || *number < 0 || *number >= kMostDimensions ||
        axis >= axes.size())
      return std::nullopt;
    const auto dimension = static_cast<std::size_t>(*number);
    layout.resize(std::max(layout.size(), dimension + 1));
    layout[dimension].push_back(axes[axis]);
  }
  if (next == 0) return std::nullopt;
  return layout;
}

std::optional<std::vector<ForeignDimension>> ForeignWriter::shape_of(
    const std::vector<const ForeignTree*>& sizes) const {
  std::vector<ForeignDimension> dimensions;
  for (const ForeignTree* tree : sizes) {
    for (const ForeignTree* item : items_of(*tree)) {
      if (!foreign_dtype(*item).empty()) continue;
      const auto number = foreign_number(*item);
      if (item->kind != TreeKind::Name && (!number || *number < 1)) return std::nullopt;
      std::string name = number ? names_.dimension_of(*number).value_or(item->text) : item->text;
      const bool twice =
          std::any_of(dimensions.begin(), dimensions.end(),
                      [&](const ForeignDimension& known) { return known.name == name; });
      if (twice) return std::nullopt;
      dimensions.push_back({std::move(name)});
    }
  }
  return dimensions;
}

ForeignWriter::Result ForeignWriter::apply_layout_function(const ForeignFunction& function,
                                                           const Arguments& arguments) {
  if (arguments.positional.empty()) return apply_collective(function, arguments);
  switch (function.form) {
    case ForeignForm::Reshape:
      return apply_reshape(arguments);
    case ForeignForm::Transpose:
      return apply_transpose(function, arguments);
    case ForeignForm::Cast:
      return apply_cast(function, arguments);
    case ForeignForm::Device:
      return apply_device(arguments);
    case ForeignForm::Relayout:
      return apply_relayout(function, arguments);
    default:
      return apply_collective(function, arguments);
  }
}

// Dimensions that keep their names keep their axes.
ForeignWriter::Result ForeignWriter::apply_reshape(const Arguments& arguments) {
  const auto array = write_array(*arguments.positional[0]);
  if (!array || !array->named) return std::nullopt;
  const auto shape = new_shape(*array, arguments);
  if (!shape || shape->empty()) return std::nullopt;
  const auto before = elements_of(array->dimensions);
  const auto behind = elements_of(*shape);
  if (before && behind && *before != *behind)
    return stuck(*arguments.positional[0],
                 fmt::format("it has {} elements, and the new shape {}", *before, *behind));
  return alone(fmt::format("Reshape({})", operand_text(*array, OperandRank::Atom)), *shape);
}

ForeignWriter::Result ForeignWriter::apply_transpose(const ForeignFunction& function,
                                                     const Arguments& arguments) {
  auto array = write_array(*arguments.positional[0]);
  if (!array || array->use == Use::Alone) return std::nullopt;
  const std::size_t rank = array->order.size();
  std::vector<std::size_t> places;
  for (std::size_t i = 1; i < arguments.positional.size(); ++i) {
    const auto named = axes_argument(arguments.positional[i], *array);
    if (!named) return std::nullopt;
    places.insert(places.end(), named->begin(), named->end());
  }
  std::vector<std::size_t> order = array->order;
  // `transpose(0, 1)` is of no use but as a swap.
  const bool swaps = function.word == "swap" ||
                     (places.size() == 2 &&
                      (rank != 2 || (function.name == "transpose" && places[0] < places[1])));
  if (swaps) {
    if (places.size() != 2) return std::nullopt;
    std::swap(order[places[0]], order[places[1]]);
  } else if (places.empty()) {
    std::reverse(order.begin(), order.end());
  } else {
    if (places.size() != rank) return std::nullopt;
    for (std::size_t i = 0; i < rank; ++i) order[i] = array->order[places[i]];
  }
  array->order = order;
  return array;
}

ForeignWriter::Result ForeignWriter::apply_cast(const ForeignFunction& function,
                                                const Arguments& arguments) {
  const ForeignTree& tree = *arguments.positional[0];
  auto operand = is_unknown(tree) ? write_array(tree) : write(tree);
  if (!operand || operand->use == Use::Alone) return std::nullopt;
  std::string dtype(function.word);
  std::string like;
  for (const std::string_view key : {"dtype", "new_dtype"}) {
    const ForeignTree* to = arguments.at(1, key);
    if (to == nullptr) continue;
    dtype = foreign_dtype(*to);
    like = array_of_dtype(*to);
  }
  if (dtype.empty() && like.empty()) return std::nullopt;
  // A number takes the type of what it stands next to.
  if (!operand->is_array) return operand;
  const std::string inner = operand->must_bracket ? bracketed_text(*operand) : operand->text;
  std::string text =
      like.empty() ? fmt::format("{}({})", dtype, inner) : fmt::format("cast({}, {})", inner, like);
  return computed(std::move(text), OperandRank::Atom, operand->seen_dimensions());
}

// `y.to("cuda:1")`, `y.cuda(1)`: an array that one place of the mesh holds goes to another one; all others are where they are.
ForeignWriter::Result ForeignWriter::apply_device(const Arguments& arguments) {
  auto array = write_array(*arguments.positional[0]);
  if (!array || !array->named) return std::nullopt;
  const ForeignTree* device = arguments.at(1, "device");
  std::string number;
  if (device != nullptr && device->kind == TreeKind::Text) {
    const std::size_t colon = device->text.find(':');
    if (colon != std::string::npos) number = device->text.substr(colon + 1);
    if (number.starts_with('{') && number.ends_with('}'))
      number = number.substr(1, number.size() - 2);
  } else if (device != nullptr) {
    const auto written = write(*device);
    const bool counts = written && !written->is_array &&
                        (device->kind != TreeKind::Name || names_.is_scalar(device->text));
    if (counts) number = written->text;
  }
  const std::size_t equal = array->placed.find('=');
  const bool one_place = equal != std::string::npos && array->placed.find(',') == std::string::npos;
  if (number.empty() || !one_place) return array;
  ForeignOperand result = alone(bracketed_text(*array), array->seen_dimensions());
  result.flow_of = array->text;
  result.placed = fmt::format("{}={}}}", array->placed.substr(0, equal), number);
  return result;
}

// Whether it names devices and no type: `"cuda:1"`, `device`, `torch.device("cpu")`, `rank`.
bool ForeignWriter::is_device(const Arguments& arguments) {
  if (arguments.keyword("device") != nullptr) return true;
  if (arguments.keyword("dtype") != nullptr || arguments.positional.size() < 2) return false;
  const ForeignTree& tree = *arguments.positional[1];
  return foreign_dtype(tree).empty() && array_of_dtype(tree).empty();
}

ForeignWriter::Result ForeignWriter::apply_relayout(const ForeignFunction& function,
                                                    const Arguments& arguments) {
  const ForeignTree* written = nullptr;
  for (std::size_t i = 1; i < arguments.positional.size(); ++i) {
    if (layout_of(*arguments.positional[i])) written = arguments.positional[i];
  }
  for (const ForeignTree* keyword : arguments.keywords) {
    if (layout_of(keyword->parts.front())) written = &keyword->parts.front();
  }
  const bool whole = function.word == "full";
  if (written == nullptr && !whole) return std::nullopt;
  const auto layout = whole ? std::vector<std::vector<std::string>>{} : layout_of(*written);
  const ForeignTree& operand = *arguments.positional[0];
  const auto array = write_array(operand, std::max<std::size_t>(layout->size(), 1));
  if (!array || !array->named || layout->size() > array->order.size()) return std::nullopt;
  std::vector<ForeignDimension> to = array->seen_dimensions();
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i].axes = i < layout->size() ? (*layout)[i] : std::vector<std::string>{};
  ForeignOperand result = alone(bracketed_text(*array), std::move(to));
  result.flow_of = array->text;
  return result;
}

ForeignWriter::Result ForeignWriter::apply_sizes(const ForeignFunction& function,
                                                 const Arguments& arguments) {
  if (function.form == ForeignForm::Devices) return ForeignOperand{.text = "devices"};
  if (arguments.positional.size() != 1) return std::nullopt;
  const ForeignTree& tree = *arguments.positional[0];
  const std::vector<std::string> axes = names_.axes();
  const bool axis = tree.kind == TreeKind::Name || tree.kind == TreeKind::Text;
  if (axis && std::find(axes.begin(), axes.end(), tree.text) != axes.end())
    return ForeignOperand{.text = fmt::format("|{}|", tree.text)};
  if (tree.kind == TreeKind::Call && path_of(tree.parts.front()).ends_with("devices"))
    return ForeignOperand{.text = "devices"};
  if (is_unknown(tree)) return std::nullopt;
  const auto array = write_array(tree);
  if (!array || array->order.empty()) return std::nullopt;
  std::vector<std::string> sizes = array->seen_names();
  if (function.form == ForeignForm::Bytes)
    return ForeignOperand{.text = fmt::format("{}({})", function.word, array->text)};
  if (function.form == ForeignForm::Length) return ForeignOperand{.text = sizes.front()};
  if (function.form == ForeignForm::Count)
    return ForeignOperand{.text = join(sizes, " * "), .rank = OperandRank::Product};
  return ForeignOperand{.text = join(sizes, ", "), .rank = OperandRank::Comparison};
}

}  // namespace shard
