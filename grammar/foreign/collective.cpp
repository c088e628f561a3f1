// Collectives as other languages call them: `psum(x, 'X')`, `dist.all_gather(outs, x)`, `AllGather(x, axis=X)`.
#include <fmt/format.h>

#include <algorithm>

#include "grammar/foreign/function.h"
#include "grammar/foreign/writer.h"

namespace shard {

namespace {

using TreeKind = ForeignTree::Kind;

// What a collective makes of the array; as a flow where the target has its name.
ForeignOperand collected(std::string text, const ForeignOperand& array,
                         std::vector<ForeignDimension> to) {
  ForeignOperand result = alone(std::move(text), std::move(to));
  result.flow_of = array.text;
  return result;
}

}  // namespace

// The axis that is named; of a group of processes, which is not told, the one that the array is unreduced over, or that
// splits it.
std::optional<std::string> ForeignWriter::collective_axis(const Arguments& arguments,
                                                          const ForeignOperand& array,
                                                          bool reduces) const {
  const std::vector<std::string> known = names_.axes();
  for (const std::string_view keyword : {"axis_name", "axis", "axes", "over", "mesh_axis"}) {
    const ForeignTree* written = arguments.at(1, keyword);
    if (written == nullptr) continue;
    if (written->kind == TreeKind::Text) return axis_named(written->text);
    const bool axis = std::find(known.begin(), known.end(), written->text) != known.end();
    if (written->kind == TreeKind::Name && axis) return written->text;
  }
  if (!array.unreduced.empty()) return array.unreduced.front();
  for (const ForeignDimension& dimension : array.dimensions) {
    if (!reduces && array.named && !dimension.axes.empty()) return dimension.axes.back();
  }
  if (known.empty()) return std::nullopt;
  return known.front();
}

// The place that an argument of that name counts, among the stored dimensions.
std::size_t ForeignWriter::dimension_argument(const Arguments& arguments, std::string_view keyword,
                                              const ForeignOperand& array,
                                              std::size_t otherwise) const {
  const ForeignTree* tree = arguments.keyword(keyword);
  const auto place = tree == nullptr ? std::nullopt : axes_argument(tree, array);
  return array.order[place && !place->empty() ? place->front() : otherwise];
}

// AllReduce and ReduceScatter: the array has to be unreduced over the axis.
ForeignWriter::Result ForeignWriter::reduced(ForeignForm form, const Arguments& arguments,
                                             ForeignOperand array, const std::string& axis) {
  const bool scatters = form == ForeignForm::ReduceScatter;
  // Sums over a split dimension are added up by the sign itself.
  if (!array.named) return scatters ? std::nullopt : Result(array);
  const auto& marks = array.unreduced;
  if (std::find(marks.begin(), marks.end(), axis) == marks.end()) {
    if (!array.must_bracket) return std::nullopt;
    array.unreduced = {axis};
  }
  std::vector<ForeignDimension> to = array.dimensions;
  if (!scatters)
    return collected(fmt::format("AllReduce{} {}", axes_text({axis}), bracketed_text(array)), array,
                     std::move(to));
  ForeignDimension& part = to[dimension_argument(arguments, "scatter_dimension", array, 0)];
  part.axes.push_back(axis);
  return collected(
      fmt::format("ReduceScatter_{{{},{}}} {}", axis, part.name, bracketed_text(array)), array,
      std::move(to));
}

// AllGather, AllToAll, Shift: the axis has to split a dimension.
ForeignWriter::Result ForeignWriter::moved(ForeignForm form, const Arguments& arguments,
                                           ForeignOperand array, const std::string& axis) {
  if (!array.named) return std::nullopt;
  const auto has_axis = [&](const ForeignDimension& dimension) {
    return std::find(dimension.axes.begin(), dimension.axes.end(), axis) != dimension.axes.end();
  };
  std::vector<ForeignDimension> to = array.dimensions;
  auto held = std::find_if(to.begin(), to.end(), has_axis);
  if (held == to.end()) {
    if (!array.must_bracket) return std::nullopt;
    array.dimensions[0].axes = to[0].axes = {axis};
    held = to.begin();
  }
  if (form == ForeignForm::Shift)
    return collected(fmt::format("Shift{} {}", axes_text({axis}), bracketed_text(array)), array,
                     std::move(to));
  held->axes.erase(std::find(held->axes.begin(), held->axes.end(), axis));
  if (form == ForeignForm::AllGather)
    return collected(fmt::format("AllGather{} {}", axes_text({axis}), bracketed_text(array)), array,
                     std::move(to));
  ForeignDimension& other =
      to[dimension_argument(arguments, "split_axis", array, array.order.size() - 1)];
  if (other.name == held->name) return std::nullopt;
  other.axes.push_back(axis);
  return collected(fmt::format("AllToAll_{{{},{}}} {}", axis, other.name, bracketed_text(array)),
                   array, std::move(to));
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
  auto array = write_array(*moves.input);
  const bool reduces =
      function.form == ForeignForm::AllReduce || function.form == ForeignForm::ReduceScatter;
  const auto axis = array ? collective_axis(arguments, *array, reduces) : std::nullopt;
  if (!axis || array->order.empty()) return std::nullopt;
  auto result = reduces ? reduced(function.form, arguments, *std::move(array), *axis)
                        : moved(function.form, arguments, *std::move(array), *axis);
  // What flows there is told by the line itself.
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
