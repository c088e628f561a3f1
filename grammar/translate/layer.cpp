// Layers of other languages, which have their weights inside: `Linear(D, F)(x)`. Here weights are arrays.
#include <fmt/format.h>

#include <algorithm>

#include "grammar/translate/writer.h"

namespace shard {
namespace {

using TreeKind = ForeignTree::Kind;
using OperandRank = ForeignOperand::Rank;
using Use = ForeignOperand::Use;
using Dimensions = std::vector<ForeignDimension>;

// What the axis of split weights is called by most.
constexpr std::string_view kWeightAxes[] = {"tp", "TP", "model", "tensor", "mp"};

bool has_axis(const ForeignOperand& array, const std::string& axis) {
  return std::any_of(array.dimensions.begin(), array.dimensions.end(),
                     [&](const ForeignDimension& dimension) {
                       return std::find(dimension.axes.begin(), dimension.axes.end(), axis) !=
                              dimension.axes.end();
                     });
}

}  // namespace

std::string ForeignWriter::free_array(std::string_view name) const {
  std::string free(name);
  for (int i = 2; names_.is_array(free) || names_.is_scalar(free); ++i)
    free = fmt::format("{}{}", name, i);
  return free;
}

// The axis that splits the weights; nothing if none does.
std::string ForeignWriter::weights_axis(const ForeignFunction& function,
                                        const ForeignOperand* array) const {
  const std::vector<std::string> axes = names_.axes();
  if (function.word.empty() || axes.empty()) return "";
  // The target says it: `h[B, F_tp] = …`.
  if (function.word == "column" && !target_.empty() && target_.back().axes.size() == 1)
    return target_.back().axes.front();
  // What splits the batch does not split the weights.
  const auto is_free = [&](const std::string& axis) {
    return array == nullptr || !has_axis(*array, axis);
  };
  const ForeignDimension* last =
      array == nullptr || array->dimensions.empty() ? nullptr : &array->dimensions.back();
  if (function.word == "row" && last != nullptr && last->axes.size() == 1)
    return last->axes.front();
  for (const std::string_view usual : kWeightAxes) {
    const auto axis = std::find(axes.begin(), axes.end(), usual);
    if (axis != axes.end() && is_free(*axis)) return *axis;
  }
  const auto free = std::find_if(axes.begin(), axes.end(), is_free);
  return free == axes.end() ? "" : *free;
}

// `[D, F_X]` of `ColumnParallelLinear(D, F)`. A size alone is that of the result, `from` is what it is summed over.
std::optional<Dimensions> ForeignWriter::weights_of(const ForeignFunction& function,
                                                    const Arguments& sizes, const std::string& from,
                                                    const std::string& axis) const {
  std::vector<const ForeignTree*> written;
  for (const char* const keyword : {"in_features", "input_size", "num_embeddings"}) {
    if (const ForeignTree* tree = sizes.keyword(keyword)) written.push_back(tree);
  }
  for (const ForeignTree* tree : sizes.positional) {
    if (written.size() < 2) written.push_back(tree);
  }
  for (const char* const keyword : {"out_features", "output_size", "embedding_dim", "features"}) {
    const ForeignTree* tree = sizes.keyword(keyword);
    if (tree != nullptr && written.size() < 2) written.push_back(tree);
  }
  auto dimensions = shape_of(written);
  if (!dimensions || dimensions->empty() || dimensions->size() > 2) return std::nullopt;
  if (dimensions->size() == 1) {
    if (from.empty() || dimensions->front().name == from) return std::nullopt;
    dimensions->insert(dimensions->begin(), {from});
  }
  if (!axis.empty()) (*dimensions)[function.word == "row" ? 0 : 1].axes = {axis};
  return dimensions;
}

// `h[B, F_X] = x[B, D] ·_D W[D, F_X]`
ForeignWriter::Result ForeignWriter::apply_dense(const ForeignFunction& function,
                                                 const Arguments& sizes,
                                                 const ForeignOperand& array) {
  if (array.order.empty() || array.is_reordered() || array.use == Use::Alone) return std::nullopt;
  const std::string axis = weights_axis(function, &array);
  auto weights = weights_of(function, sizes, array.seen_dimensions().back().name, axis);
  if (!weights) return std::nullopt;
  ForeignOperand operand = array;
  ForeignDimension& last = operand.dimensions.back();
  // Of an array that nothing is known of, the layer tells the last dimension.
  const std::string& rows = weights->front().name;
  const bool told = std::all_of(operand.dimensions.begin(), operand.dimensions.end(),
                                [&](const ForeignDimension& own) { return own.name != rows; });
  if (operand.must_bracket && !names_.is_array(operand.text) && told && last.axes.empty() &&
      names_.written(operand.text).empty())
    last.name = rows;
  weights->front().name = last.name;
  const bool twice =
      std::any_of(operand.dimensions.begin(), operand.dimensions.end(),
                  [&](const ForeignDimension& own) { return own.name == weights->back().name; });
  if (twice) return std::nullopt;
  // The rows of the weights go with their part of what they are multiplied by.
  if (function.word == "row" && !axis.empty() && last.axes.empty() && operand.named) {
    const std::string whole = bracketed_text(operand);
    last.axes = {axis};
    before_ += fmt::format("{} → {}; ", whole, bracketed_text(operand));
  }
  Dimensions result = operand.dimensions;
  result.back() = weights->back();
  const std::string text =
      operand.named ? bracketed_text(operand) : operand_text(operand, OperandRank::Product);
  ForeignOperand product = computed(
      fmt::format("{} ·_{} {}{}", text, last.name, free_array("W"), brackets_text(*weights)),
      OperandRank::Product, std::move(result));
  product.use = Use::Target;
  return product;
}

// `x[T, D] = E[V_X, D][V = t]`
ForeignWriter::Result ForeignWriter::apply_lookup(const ForeignFunction& function,
                                                  const Arguments& sizes,
                                                  const ForeignOperand& index) {
  const auto table = weights_of(function, sizes, "", weights_axis(function, &index));
  if (!table || !index.named) return std::nullopt;
  Dimensions result = index.seen_dimensions();
  result.push_back(table->back());
  // What picks is a number of a row.
  if (index.must_bracket && !names_.is_array(index.text))
    before_ += fmt::format("{}: int32{}; ", index.text, brackets_text(index.dimensions));
  ForeignOperand picked =
      computed(fmt::format("{}{}[{} = {}]", free_array("E"), brackets_text(*table),
                           table->front().name, index.text),
               OperandRank::Atom, std::move(result));
  picked.use = Use::Target;
  return picked;
}

// `Linear(D, F)(x)`, `ReLU()(x)`
ForeignWriter::Result ForeignWriter::apply_layer(const ForeignFunction& function,
                                                 const ForeignTree& tree) {
  const bool layer = function.form == ForeignForm::Dense || function.form == ForeignForm::Lookup ||
                     function.form == ForeignForm::Element;
  if (!layer || tree.parts.size() < 2) return std::nullopt;
  auto array = write_array(tree.parts[1], function.form == ForeignForm::Lookup ? 1 : 2);
  if (!array) return std::nullopt;
  if (function.form == ForeignForm::Element) {
    if (function.word.empty()) return array;
    const std::string text = array->must_bracket ? bracketed_text(*array) : array->text;
    return computed(fmt::format("{}({})", function.word, text), OperandRank::Atom,
                    array->seen_dimensions());
  }
  Arguments sizes;
  const ForeignTree& inner = tree.parts.front();
  for (std::size_t i = 1; i < inner.parts.size(); ++i) {
    const bool keyword = inner.parts[i].kind == TreeKind::Keyword;
    (keyword ? sizes.keywords : sizes.positional).push_back(&inner.parts[i]);
  }
  return function.form == ForeignForm::Dense ? apply_dense(function, sizes, *array)
                                             : apply_lookup(function, sizes, *array);
}

// `ColumnParallelLinear(x[B, D], D, F)`: the array stands in front of the sizes.
ForeignWriter::Result ForeignWriter::apply_layer_of_array(const ForeignFunction& function,
                                                          const Arguments& arguments) {
  const auto is_array = [&](const ForeignTree& tree) {
    return (tree.kind == TreeKind::Name && names_.is_array(tree.text)) ||
           bracketed_array(tree).has_value();
  };
  const auto& given = arguments.positional;
  if (given.size() < 2 || !is_array(*given[0]) || is_array(*given[1])) return std::nullopt;
  const auto array = write_array(*given[0], function.form == ForeignForm::Lookup ? 1 : 2);
  if (!array) return std::nullopt;
  Arguments sizes = arguments;
  sizes.positional.erase(sizes.positional.begin());
  return function.form == ForeignForm::Dense ? apply_dense(function, sizes, *array)
                                             : apply_lookup(function, sizes, *array);
}

// `up = Linear(D, F)` declares the weights.
ForeignWriter::Result ForeignWriter::apply_weights_alone(const ForeignFunction& function,
                                                         const Arguments& arguments) {
  if (auto layer = apply_layer_of_array(function, arguments)) return layer;
  // `F.linear(x, W)`, `F.embedding`
  if (!arguments.positional.empty() && arguments.positional[0]->kind == TreeKind::Name &&
      names_.is_array(arguments.positional[0]->text))
    return arguments.positional.size() < 2
               ? std::nullopt
               : apply_product({.name = "matmul",
                                .form = ForeignForm::Product,
                                .word = {},
                                .meaning = {},
                                .example = {}},
                               {{arguments.positional[0], arguments.positional[1]}, {}});
  const auto weights = weights_of(function, arguments, "", weights_axis(function, nullptr));
  if (!weights) return std::nullopt;
  ForeignOperand declared = computed("", OperandRank::Atom, *weights);
  declared.use = Use::Declared;
  declared.dtype = "bf16";
  return declared;
}

// `up(x)` of weights that a line before has made.
ForeignWriter::Result ForeignWriter::apply_weights(const ForeignTree& tree) {
  ForeignTree pair{.kind = TreeKind::Binary, .text = "@"};
  pair.parts = {tree.parts[1], tree.parts.front()};
  note(tree.parts.front(),
       fmt::format("`{}` is an array, and no function: a product has a sign, and names the "
                   "dimension that it sums over",
                   tree.parts.front().text));
  return write_matrix_product(pair);
}

}  // namespace shard
