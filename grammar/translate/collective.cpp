// Collectives as other languages call them: `psum(x, 'X')`, `dist.all_gather(outs, x)`, `AllGather(x, axis=X)`.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/words.h"
#include "grammar/translate/function.h"
#include "grammar/translate/writer.h"

namespace shard {

namespace {

using TreeKind = ForeignTree::Kind;
using OperandRank = ForeignOperand::Rank;
using Use = ForeignOperand::Use;
using Dimensions = std::vector<ForeignDimension>;
using Axes = std::vector<std::string>;

// What a collective makes of the array; as a flow where the target has its name. `left`: the axes that it stays unreduced over.
ForeignOperand collected(std::string text, const ForeignOperand& array, Dimensions to,
                         Axes left = {}) {
  ForeignOperand result = alone(std::move(text), std::move(to));
  result.flow_of = array.text;
  result.unreduced = std::move(left);
  return result;
}

// The axes of the first that are, or are not, among the second.
Axes axes_among(const Axes& axes, const Axes& others, bool are) {
  Axes found;
  std::copy_if(axes.begin(), axes.end(), std::back_inserter(found), [&](const std::string& axis) {
    return (std::find(others.begin(), others.end(), axis) != others.end()) == are;
  });
  return found;
}

// `AllReduce_{XY} `, `ReduceScatter_{X,K} `. A length has no place in a subscript: brackets alone say which one is meant.
std::string collective_word(std::string_view word, const Axes& axes,
                            const std::string& dimension = "") {
  const bool named = !dimension.empty() && !is_digit(dimension.front());
  if (!named) return fmt::format("{}{} ", word, axes_text(axes));
  const bool letters = std::all_of(axes.begin(), axes.end(),
                                   [](const std::string& axis) { return axis.size() == 1; });
  return fmt::format("{}_{{{},{}}} ", word, join(axes, letters ? "" : ","), dimension);
}

bool has_axis_name(const Axes& axes, const std::string& axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

ForeignDimension* split_by(Dimensions& dimensions, const std::string& axis) {
  const auto found = std::find_if(
      dimensions.begin(), dimensions.end(),
      [&](const ForeignDimension& dimension) { return has_axis_name(dimension.axes, axis); });
  return found == dimensions.end() ? nullptr : &*found;
}

bool is_whole(const ForeignOperand& array) {
  return array.unreduced.empty() &&
         std::all_of(array.dimensions.begin(), array.dimensions.end(),
                     [](const ForeignDimension& dimension) { return dimension.axes.empty(); });
}

// The axes over which an array holds no partial sums: it is the same along them, or they split it.
struct WithoutSums {
  Axes whole;
  Axes split;
};

// An array that is known nowhere holds partial sums over those that do not split it. nullopt where that cannot be said of it.
std::optional<WithoutSums> axes_without_sums(ForeignOperand& array, const Axes& axes,
                                             bool is_known) {
  WithoutSums found;
  for (const std::string& axis : axes) {
    if (has_axis_name(array.unreduced, axis)) continue;
    if (split_by(array.dimensions, axis) != nullptr)
      found.split.push_back(axis);
    else if (is_known)
      found.whole.push_back(axis);
    else if (array.must_bracket)
      array.unreduced.push_back(axis);
    else
      return std::nullopt;
  }
  return found;
}

// `|X| * |Y|`
std::string size_text(const Axes& axes) {
  Axes sizes;
  for (const std::string& axis : axes) sizes.push_back(fmt::format("|{}|", axis));
  return axes.size() == 1 ? sizes.front() : fmt::format("({})", join(sizes, " * "));
}

}  // namespace

// The axes that are named; of a group of processes, which is not known, those that the array is unreduced over, or the one
// that splits it.
std::vector<std::string> ForeignWriter::collective_axes(const Arguments& arguments,
                                                        const ForeignOperand& array,
                                                        bool reduces) const {
  const Axes known = names_.axes();
  for (const std::string_view keyword : {"axis_name", "axis", "axes", "over", "mesh_axis"}) {
    const ForeignTree* written = arguments.at(1, keyword);
    if (written == nullptr) continue;
    Axes axes;
    for (const ForeignTree* item : items_of(*written)) {
      const bool axis = item->kind == TreeKind::Name && has_axis_name(known, item->text);
      if (item->kind == TreeKind::Text || axis) axes.push_back(axis_named(item->text));
    }
    if (!axes.empty()) return axes;
  }
  if (!array.unreduced.empty()) return array.unreduced;
  for (const ForeignDimension& dimension : array.dimensions) {
    if (!reduces && array.named && !dimension.axes.empty()) return {dimension.axes.back()};
  }
  return known.empty() ? Axes() : Axes{known.front()};
}

// Of brackets that say no layout, `A[I, J]`, the array's own holds.
void ForeignWriter::take_known_layout(ForeignOperand& array) const {
  const auto known = array.named && is_whole(array) ? names_.array(array.text) : std::nullopt;
  if (!known || known->dimensions.size() != array.dimensions.size()) return;
  for (std::size_t i = 0; i < array.dimensions.size(); ++i) {
    if (array.dimensions[i].name != known->dimensions[i].name) return;
  }
  array.dimensions = known->dimensions;
  array.unreduced = known->unreduced;
}

// What the devices along an axis hold of a dimension that it splits, taken together: their blocks get a dimension that counts
// them, and the sum is along it.
ForeignWriter::Result ForeignWriter::sum_of_blocks(const ForeignFunction& function,
                                                   const ForeignOperand& array,
                                                   const std::string& axis) {
  explain(
      fmt::format("`{0}` is split over `{1}` and has no partial sums, so its blocks are taken "
                  "together, along a dimension that counts them",
                  array.text, axis));
  Dimensions blocks = array.dimensions;
  ForeignDimension* split = split_by(blocks, axis);
  const auto names = unused_names(array, {"G", "K", "L", "M", "N", "P", "Q"});
  const bool plain = split != nullptr && split->axes.size() == 1 && array.placed.empty() &&
                     target_.empty() && !array.is_reordered() && names.size() > 1;
  if (!plain) return std::nullopt;
  before_ += fmt::format("{0} = |{2}|; {1} = {3} / |{2}|; ", names[0], names[1], axis, split->name);
  *split = {names[1]};
  const Dimensions sum = blocks;
  blocks.insert(blocks.begin() + (split - blocks.data()), {names[0], {axis}});
  const std::string part = free_array("Tmp");
  before_ +=
      fmt::format("{}{} = Reshape({}); ", part, brackets_text(blocks), bracketed_text(array));
  const std::string_view word = function.word.empty() ? "sum" : function.word;
  ForeignOperand result =
      computed(fmt::format("{}_{}({})", word, names[0], part), OperandRank::Atom, sum);
  result.use = Use::Target;
  return result;
}

// Where an array is the same on all devices along the axes.
ForeignWriter::Result ForeignWriter::without_sums(const ForeignFunction& function,
                                                  const ForeignOperand& array,
                                                  const std::vector<std::string>& axes) {
  const bool sum = function.word != "max" && function.word != "min" && function.word != "mean";
  const std::string mark = fmt::format("`{{U{}}}`", axes_text(axes));
  explain(sum ? fmt::format("`{}` has no partial sums over `{}`: what makes an array adds them up, "
                            "where its target does not say {}",
                            array.text, join(axes, "`, `"), mark)
              : fmt::format("`{}` is the same on all devices along `{}`", array.text,
                            join(axes, "`, `")));
  return array;
}

// AllReduce and ReduceScatter: the array has to be unreduced over the axes.
ForeignWriter::Result ForeignWriter::reduced(const ForeignFunction& function,
                                             const Arguments& arguments, ForeignOperand array,
                                             const std::vector<std::string>& axes) {
  const bool scatters = function.form == ForeignForm::ReduceScatter;
  const bool mean = function.word == "mean";
  const bool extreme = function.word == "max" || function.word == "min";
  // Sums over a split dimension are added up by the sign itself.
  if (!array.named) return scatters || mean || extreme ? std::nullopt : Result(array);
  const auto not_summed = axes_without_sums(array, axes, names_.array(array.text).has_value());
  if (!not_summed) return std::nullopt;
  const auto& [whole, split] = *not_summed;
  const bool open = split.size() + whole.size() < axes.size();
  if (!split.empty())
    return scatters || open || split.size() > 1 ? std::nullopt
                                                : sum_of_blocks(function, array, split.front());
  if (!whole.empty() && !open && !scatters) return without_sums(function, array, whole);
  Dimensions to = array.dimensions;
  const Axes left = axes_among(array.unreduced, axes, false);
  if (scatters) {
    const auto place = dimension_argument(arguments.keyword("scatter_dimension"), array);
    ForeignDimension& part = to[place.value_or(array.order[0])];
    part.axes.insert(part.axes.end(), axes.begin(), axes.end());
    const std::string word = whole.empty() ? collective_word("ReduceScatter", axes, part.name) : "";
    explain_untiled(function, arguments, axes);
    return collected(word + bracketed_text(array), array, std::move(to), left);
  }
  const Axes marks = axes_among(array.unreduced, axes, true);
  if (!extreme && !mean)
    return collected(collective_word("AllReduce", marks) + bracketed_text(array), array,
                     std::move(to), left);
  const std::string plain = array.text + brackets_text(to, left);
  if (extreme && names_.array(array.text)) return std::nullopt;
  if (extreme)
    return collected(fmt::format("{}{}{{{}{}}}", collective_word("AllReduce", marks), plain,
                                 function.word, axes_text(marks)),
                     array, std::move(to));
  before_ +=
      fmt::format("{}{} → {}; ", collective_word("AllReduce", marks), bracketed_text(array), plain);
  // The brackets say which of its copies, where one is left that has partial sums.
  ForeignOperand result =
      computed(fmt::format("{} / {}", left.empty() ? array.text : plain, size_text(marks)),
               OperandRank::Product, std::move(to));
  if (!left.empty()) result.use = Use::Target;
  result.unreduced = left;
  return result;
}

// AllGather, AllToAll, Shift: each axis has to split a dimension.
ForeignWriter::Result ForeignWriter::moved(const ForeignFunction& function,
                                           const Arguments& arguments, ForeignOperand array,
                                           const std::vector<std::string>& axes) {
  const ForeignForm form = function.form;
  const auto distance = form == ForeignForm::Shift ? shift_distance(arguments) : 1;
  if (!array.named || !distance || (form == ForeignForm::Shift && axes.size() > 1))
    return std::nullopt;
  const auto joined = joined_dimension(form, arguments, array);
  Dimensions to = array.dimensions;
  for (const std::string& axis : axes) {
    ForeignDimension* held = split_by(to, axis);
    if (held == nullptr && names_.array(array.text)) {
      explain(fmt::format("`{}` is not split over `{}`", array.text, axis));
      return form != ForeignForm::AllGather ? std::nullopt : Result(array);
    }
    if (held == nullptr) {
      if (!array.must_bracket) return std::nullopt;
      const std::size_t place = joined.value_or(0);
      array.dimensions[place].axes.push_back(axis);
      held = &to[place];
      held->axes.push_back(axis);
    }
    const auto place = static_cast<std::size_t>(held - to.data());
    if (joined && !joins_split(array, *joined, place, axis)) return std::nullopt;
    std::erase(held->axes, axis);
  }
  explain_untiled(function, arguments, axes);
  if (form == ForeignForm::AllToAll) return exchanged(arguments, array, axes);
  if (form == ForeignForm::AllGather)
    return collected(collective_word("AllGather", axes) + bracketed_text(array), array,
                     std::move(to));
  const std::string word = *distance == 1
                               ? collective_word("Shift", axes)
                               : fmt::format("Shift_{{{},{}}} ", axes.front(), *distance);
  return collected(word + bracketed_text(array), array, array.dimensions);
}

// AllToAll: the axes, which split one dimension, split another one then.
ForeignWriter::Result ForeignWriter::exchanged(const Arguments& arguments,
                                               const ForeignOperand& array,
                                               const std::vector<std::string>& axes) {
  Dimensions to = array.dimensions;
  const ForeignDimension* held = split_by(to, axes.front());
  if (held == nullptr) return std::nullopt;
  const std::string from = held->name;
  const auto given = dimension_argument(
      has_named_axes(arguments) ? arguments.at(2, "split_axis") : arguments.keyword("split_axis"),
      array);
  ForeignDimension& other = to[given.value_or(array.order.back())];
  if (other.name == from) {
    explain(fmt::format(
        "AllToAll moves a split from dimension to dimension, and `{}` splits `{}` already",
        axes.front(), from));
    return std::nullopt;
  }
  for (const std::string& axis : axes) {
    ForeignDimension* split = split_by(to, axis);
    if (split == nullptr || split->name != from) return std::nullopt;
    std::erase(split->axes, axis);
  }
  other.axes.insert(other.axes.end(), axes.begin(), axes.end());
  return collected(collective_word("AllToAll", axes, other.name) + bracketed_text(array), array,
                   std::move(to));
}

// What a collective is of: PyTorch has the array that is made in front of it, `all_gather(outs, A)`.
ForeignWriter::Moved ForeignWriter::moved_by(const ForeignFunction& function,
                                             const Arguments& arguments) const {
  static constexpr std::string_view kInputs[] = {"input_tensor", "input", "tensor", "x"};
  static constexpr std::string_view kOutputs[] = {"output_tensor", "output", "tensor_list"};
  Moved moved;
  for (const std::string_view name : kInputs) {
    if (moved.input == nullptr) moved.input = arguments.keyword(name);
  }
  for (const std::string_view name : kOutputs) {
    if (moved.output == nullptr) moved.output = arguments.keyword(name);
  }
  const auto& given = arguments.positional;
  const bool output_first = moved.input == nullptr && given.size() > 1 &&
                            (function.word == "output first" ||
                             (given[1]->kind == TreeKind::Name && names_.is_array(given[1]->text)));
  // `reduce_scatter(out, [A, B])`
  const bool listed = given.size() > 1 && given[1]->kind == TreeKind::Tuple &&
                      !given[1]->parts.empty() && given[1]->parts.front().kind == TreeKind::Name &&
                      names_.is_array(given[1]->parts.front().text);
  if (moved.input == nullptr && listed) {
    moved.output = given[0];
    moved.input = &given[1]->parts.front();
  } else if (output_first) {
    moved.output = given[0];
    moved.input = given[1];
  } else if (moved.input != nullptr && moved.output == nullptr && !given.empty()) {
    moved.output = given[0];
  } else if (moved.input == nullptr && !given.empty()) {
    moved.input = given[0];
  }
  return moved;
}

ForeignWriter::Result ForeignWriter::apply_collective(const ForeignFunction& function,
                                                      const Arguments& arguments) {
  const Moved moves = moved_by(function, arguments);
  if (moves.input == nullptr) return std::nullopt;
  auto array = write_array(*moves.input, collective_rank(function.form, arguments));
  const bool reduces =
      function.form == ForeignForm::AllReduce || function.form == ForeignForm::ReduceScatter;
  if (!array || array->order.empty()) return std::nullopt;
  take_known_layout(*array);
  const Axes axes = collective_axes(arguments, *array, reduces);
  if (axes.empty()) return std::nullopt;
  auto result = reduces ? reduced(function, arguments, *std::move(array), axes)
                        : moved(function, arguments, *std::move(array), axes);
  // What flows there is said by the line itself.
  const bool made = moves.output != nullptr && moves.output->kind == TreeKind::Name;
  if (result && made && !result->flow_of.empty()) {
    result->flow_of = moves.output->text;
    result->names_target = true;
  }
  return result;
}

// `AllGather(A, X)`, `allgather(A, axis="X")`: with its axis in the parentheses.
ForeignWriter::Result ForeignWriter::write_called_collective(const ForeignTree& callee,
                                                             const Arguments& arguments) {
  const ForeignFunction* collective =
      callee.kind == TreeKind::Name ? called_collective(callee.text) : nullptr;
  const std::size_t given = arguments.positional.size() + arguments.keywords.size();
  if (collective == nullptr || given < 2 || foreign_function(callee.text) != nullptr ||
      names_.is_function(callee.text))
    return std::nullopt;
  note(callee, std::string(collective->meaning), std::string(collective->example));
  return apply_form(*collective, arguments);
}

}  // namespace shard
