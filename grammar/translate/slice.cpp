// Parts of arrays and new shapes: `A[:, 0:512]`, `x.view(B, -1)`, `take(E, t, axis=0)`.
#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "grammar/translate/writer.h"

namespace shard {
namespace {

using TreeKind = ForeignTree::Kind;
using OperandRank = ForeignOperand::Rank;
using Dimensions = std::vector<ForeignDimension>;

// Which part of a dimension `512:1024` is, and how long it is; nullopt where numbers do not say that.
struct SlicePart {
  std::int64_t index = 0;
  std::int64_t length = 0;
};
std::optional<SlicePart> slice_part(const ForeignTree& slice) {
  if (slice.text != "part" || slice.parts.size() != 2) return std::nullopt;
  const ForeignTree& first = slice.parts[0];
  const auto begin = first.kind == TreeKind::Unread ? 0 : foreign_number(first);
  const auto end = foreign_number(slice.parts[1]);
  if (!begin || !end || *begin < 0 || *end <= *begin) return std::nullopt;
  const std::int64_t length = *end - *begin;
  if (*begin % length != 0) return std::nullopt;
  return SlicePart{*begin / length, length};
}

bool is_left_over(const ForeignTree& size) { return foreign_number(size) == -1; }

bool has_dimension_named(const Dimensions& dimensions, const std::string& name) {
  return std::any_of(dimensions.begin(), dimensions.end(),
                     [&](const ForeignDimension& dimension) { return dimension.name == name; });
}

}  // namespace

// Those of the names that neither the array nor the script has.
std::vector<std::string> ForeignWriter::unused_names(
    const ForeignOperand& array, std::initializer_list<const char*> wanted) const {
  std::vector<std::string> names;
  const std::vector<std::string> axes = names_.axes();
  for (const char* const name : wanted) {
    const bool own = has_dimension_named(array.dimensions, name) ||
                     std::find(axes.begin(), axes.end(), name) != axes.end();
    if (!own && !names_.is_scalar(name) && !names_.is_array(name)) names.emplace_back(name);
  }
  return names;
}

// `A[:, 0:512]`: the dimension is cut into parts of that length, and the first of them is picked.
ForeignWriter::Result ForeignWriter::write_slice(const ForeignTree& tree,
                                                 const ForeignOperand& array) {
  const std::size_t given = tree.parts.size() - 1;
  if (array.is_reordered() || given > array.order.size()) return std::nullopt;
  std::size_t place = given;
  std::optional<SlicePart> part;
  for (std::size_t i = 0; i < given; ++i) {
    const ForeignTree& index = tree.parts[i + 1];
    if (index.kind != TreeKind::Slice || index.text == "...") return std::nullopt;
    if (index.text == ":") continue;
    if (place != given) return std::nullopt;
    place = i;
    part = slice_part(index);
  }
  auto names = unused_names(array, {"H", "G", "N", "M", "L", "P", "Q", "R"});
  if (!part || names.size() < 2) return std::nullopt;
  const ForeignDimension cut = array.seen(place);
  // What the target calls it.
  const std::string meant = target_.size() == array.order.size() ? target_[place].name : "";
  const bool told =
      !meant.empty() && !has_dimension_named(array.dimensions, meant) && meant != names[0];
  if (told) names[1] = meant;
  const bool sized = told && names_.is_scalar(meant);
  Dimensions left = array.seen_dimensions();
  left[place] = {names[1]};
  Dimensions parts = left;
  parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(place), {names[0]});
  // Of a dimension that is split, the parts are picked where all of it is.
  std::string whole = bracketed_text(array);
  if (!cut.axes.empty()) {
    ForeignOperand gathered = array;
    gathered.dimensions[array.order[place]].axes.clear();
    before_ += fmt::format("{} → {}; ", whole, bracketed_text(gathered));
    whole = bracketed_text(gathered);
  }
  const std::string cut_array = free_array(array.text + "2");
  const std::string length = sized ? meant : fmt::format("{}", part->length);
  before_ += fmt::format("{} = {} / {}", names[0], cut.name, length);
  if (!sized) before_ += fmt::format(", {} = {}", names[1], length);
  before_ += fmt::format("; {}{} = Reshape({}); ", cut_array, brackets_text(parts), whole);
  note(tree, "a part of a dimension is picked from a dimension that counts the parts");
  ForeignOperand picked =
      computed(fmt::format("{}{}[{} = {}]", cut_array, brackets_text(parts), names[0], part->index),
               OperandRank::Atom, std::move(left));
  picked.use = ForeignOperand::Use::Target;
  picked.is_part = !told;
  return picked;
}

// How many elements an array of these has; nullopt where a length is not known.
std::optional<std::int64_t> ForeignWriter::elements_of(
    const std::vector<ForeignDimension>& dimensions) const {
  constexpr std::int64_t kMostElements = std::int64_t{1} << 53;
  std::int64_t elements = 1;
  for (const ForeignDimension& dimension : dimensions) {
    const bool number = std::all_of(dimension.name.begin(), dimension.name.end(), is_digit);
    const auto length = number ? foreign_number({.kind = TreeKind::Number, .text = dimension.name})
                               : names_.length_of(dimension.name);
    if (!length || *length < 1 || elements > kMostElements / *length) return std::nullopt;
    elements *= *length;
  }
  return elements;
}

// The dimension that -1 stands for beside those of the shape: a size of the script, or a number.
std::optional<std::string> ForeignWriter::rest_of_shape(
    const ForeignOperand& array, const std::vector<ForeignDimension>& shape) const {
  const auto all = elements_of(array.dimensions);
  const auto given = elements_of(shape);
  if (!all || !given || *all % *given != 0) return std::nullopt;
  const std::int64_t length = *all / *given;
  const auto name = names_.dimension_of(length);
  std::string rest = name && !has_dimension_named(shape, *name) ? *name : fmt::format("{}", length);
  return has_dimension_named(shape, rest) ? std::nullopt : std::optional(std::move(rest));
}

// Dimensions that keep their names keep their axes. A size of -1 is what is left: one dimension, or the product of several,
// which gets a name and is split as the first of them.
std::optional<std::vector<ForeignDimension>> ForeignWriter::new_shape(const ForeignOperand& array,
                                                                      const Arguments& arguments) {
  std::vector<const ForeignTree*> sizes;
  std::optional<std::size_t> open;
  for (std::size_t i = 1; i < arguments.positional.size(); ++i) {
    for (const ForeignTree* item : items_of(*arguments.positional[i])) {
      if (is_left_over(*item) && open) return std::nullopt;
      if (is_left_over(*item))
        open = sizes.size();
      else
        sizes.push_back(item);
    }
  }
  if (arguments.positional.size() == 1) open = 0;
  auto shape = shape_of(sizes);
  if (!shape) return std::nullopt;
  for (ForeignDimension& dimension : *shape) {
    for (const ForeignDimension& own : array.dimensions) {
      if (own.name == dimension.name) dimension.axes = own.axes;
    }
  }
  if (!open) return shape;
  Dimensions left;
  for (const ForeignDimension& own : array.seen_dimensions()) {
    if (!has_dimension_named(*shape, own.name)) left.push_back(own);
  }
  // What is new next to it is a part of it, of which is not known how long it is.
  if (left.empty() || *open > shape->size() || left.size() + shape->size() != array.order.size()) {
    const auto rest = rest_of_shape(array, *shape);
    if (!rest || *open > shape->size()) return std::nullopt;
    shape->insert(shape->begin() + static_cast<std::ptrdiff_t>(*open), ForeignDimension{*rest});
    return shape;
  }
  ForeignDimension rest = left.front();
  if (left.size() > 1) {
    std::vector<std::string> factors;
    for (const ForeignDimension& own : left) factors.push_back(own.name);
    const auto names = unused_names(array, {"N", "M", "L", "P", "Q", "R", "G", "H"});
    if (names.empty()) return std::nullopt;
    rest.name = names.front();
    before_ += fmt::format("{} = {}; ", rest.name, join(factors, " * "));
  }
  shape->insert(shape->begin() + static_cast<std::ptrdiff_t>(*open), rest);
  return shape;
}

ForeignWriter::Result ForeignWriter::apply_top(const Arguments& arguments) {
  if (arguments.positional.size() < 2) return std::nullopt;
  const auto array = write_array(*arguments.positional[0]);
  if (!array || array->order.empty()) return std::nullopt;
  const ForeignTree& count = *arguments.positional[1];
  std::string name = count.kind == TreeKind::Name ? count.text : "";
  if (const auto number = foreign_number(count)) name = names_.dimension_of(*number).value_or("");
  if (name.empty()) return std::nullopt;
  std::vector<ForeignDimension> dimensions = array->seen_dimensions();
  const std::string last = dimensions.back().name;
  dimensions.back() = {name};
  ForeignOperand result =
      computed(fmt::format("top{}({})", index_text({last, name}), bracketed_text(*array)),
               OperandRank::Atom, std::move(dimensions));
  result.use = ForeignOperand::Use::Target;
  return result;
}

// An index that is known nowhere is declared with the line, along a dimension of its own.
ForeignWriter::Result ForeignWriter::index_of(const std::string& name,
                                              const ForeignOperand& table) {
  std::vector<std::string> names;
  for (const ForeignDimension& one : target_) {
    if (!has_dimension_named(table.dimensions, one.name)) names.push_back(one.name);
  }
  if (names.empty()) names = unused_names(table, {"T", "K", "N", "M", "L", "P"});
  if (names.empty()) return std::nullopt;
  ForeignOperand index = unknown_array(name, std::vector<std::string>{names.front()});
  before_ += fmt::format("{}: int32{}; ", name, brackets_text(index.dimensions));
  return index;
}

// `take(E, t, axis=0)`, `embedding(t, E)`, `gather(E, 0, t)`.
ForeignWriter::Result ForeignWriter::apply_pick(const Arguments& arguments) {
  std::vector<const ForeignTree*> given = arguments.positional;
  const ForeignTree* axis = arguments.keyword("axis");
  if (axis == nullptr) axis = arguments.keyword("dim");
  if (given.size() > 2 && foreign_number(*given[1])) {
    axis = given[1];
    given.erase(given.begin() + 1);
  }
  if (given.size() < 2) return std::nullopt;
  auto table = write_array(*given[0]);
  auto index =
      is_unknown(*given[1]) && table ? index_of(given[1]->text, *table) : write_array(*given[1], 1);
  if (!table || !index) return std::nullopt;
  if (table->order.size() < index->order.size()) std::swap(table, index);
  if (!table->named || !index->named || table->order.empty()) return std::nullopt;
  const auto places = axis == nullptr ? std::nullopt : axes_argument(axis, *table);
  const std::size_t place = places ? places->front() : 0;
  std::vector<ForeignDimension> dimensions;
  for (std::size_t i = 0; i < table->order.size(); ++i) {
    if (i != place) {
      dimensions.push_back(table->seen(i));
    } else {
      // One that both have is the same of both.
      for (const ForeignDimension& one : index->seen_dimensions()) {
        if (!has_dimension_named(table->dimensions, one.name)) dimensions.push_back(one);
      }
    }
  }
  ForeignOperand result = computed(
      fmt::format("{}[{} = {}]", bracketed_text(*table), table->seen(place).name, index->text),
      OperandRank::Atom, std::move(dimensions));
  result.use = ForeignOperand::Use::Target;
  return result;
}

// `zeros_like(A)`: as long as A, and of its element type.
ForeignWriter::Result ForeignWriter::like_array(const ForeignFunction& function,
                                                const Arguments& arguments) {
  const auto array =
      arguments.positional.empty() ? std::nullopt : write_array(*arguments.positional[0]);
  if (!array) return std::nullopt;
  const ForeignTree* dtype = arguments.keyword("dtype");
  const bool typed = dtype == nullptr && array->named && names_.is_array(array->text);
  const std::string word(function.word);
  ForeignOperand result = computed(typed ? fmt::format("{}({})", word, array->text) : word,
                                   OperandRank::Atom, array->seen_dimensions());
  result.use = ForeignOperand::Use::Alone;
  if (dtype != nullptr) result.dtype = foreign_dtype(*dtype);
  return result;
}

}  // namespace shard
