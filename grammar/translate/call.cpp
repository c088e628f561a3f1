// Functions of arrays and numbers.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/words.h"
#include "grammar/translate/language.h"
#include "grammar/translate/writer.h"

namespace shard {
namespace {

using TreeKind = ForeignTree::Kind;
using OperandRank = ForeignOperand::Rank;
using Use = ForeignOperand::Use;

bool is_module_path(const std::string& path) {
  return path.find('.') != std::string::npos &&
         !foreign_language(std::string_view(path).substr(0, path.find('.'))).empty();
}

std::string message_of(const ForeignFunction& function, const std::string& path,
                       std::string_view reason = "") {
  std::string_view language = foreign_language(std::string_view(path).substr(0, path.find('.')));
  if (language.empty()) language = language_of_function(function.name);
  const bool own = function.form == ForeignForm::Reduce || function.form == ForeignForm::Along;
  if (reason.empty()) reason = function.meaning;
  if (language.empty() && own) return std::string(reason);
  if (function.form == ForeignForm::Bytes && language.empty())
    return fmt::format("no function is called `{}`: {}", path, function.meaning);
  return fmt::format("`{}` is {}: {}", path, language.empty() ? "Python" : language, reason);
}

// `x.at[0].set` of `x.at[0].set(1)`
bool is_element_change(const ForeignTree& callee) {
  if (callee.kind != TreeKind::Attribute || callee.parts.front().kind != TreeKind::Index)
    return false;
  const ForeignTree& indexed = callee.parts.front().parts.front();
  return indexed.kind == TreeKind::Attribute && indexed.text == "at";
}

}  // namespace

const ForeignTree* ForeignWriter::Arguments::keyword(std::string_view name) const {
  for (const ForeignTree* tree : keywords) {
    if (tree->text == name) return &tree->parts.front();
  }
  return nullptr;
}

const ForeignTree* ForeignWriter::Arguments::at(std::size_t place, std::string_view name) const {
  if (const ForeignTree* named = keyword(name)) return named;
  return place < positional.size() ? positional[place] : nullptr;
}

// `where(A = 0, 1, A)`: what looks like an argument with a name is a comparison.
ForeignWriter::Result ForeignWriter::write_compared(const ForeignTree& call) {
  if (!path_of(call.parts.front()).ends_with("where")) return std::nullopt;
  ForeignTree own = call;
  bool changed = false;
  for (ForeignTree& argument : own.parts) {
    if (argument.kind != TreeKind::Keyword || !names_.is_array(argument.text)) continue;
    note(argument, "`=` gives a value, and `==` compares");
    ForeignTree comparison{.kind = TreeKind::Binary, .text = "=="};
    comparison.parts = {{.text = argument.text}, argument.parts.front()};
    argument = std::move(comparison);
    changed = true;
  }
  return changed ? write_call(own) : std::nullopt;
}

ForeignWriter::Result ForeignWriter::write_call(const ForeignTree& tree) {
  const ForeignTree& callee = tree.parts.front();
  Arguments arguments;
  if (auto compared = write_compared(tree)) return compared;
  for (std::size_t i = 1; i < tree.parts.size(); ++i) {
    const ForeignTree& argument = tree.parts[i];
    (argument.kind == TreeKind::Keyword ? arguments.keywords : arguments.positional)
        .push_back(&argument);
  }
  const std::string path = path_of(callee);
  if (is_element_change(callee))
    return stuck(callee.parts.front().parts.front(),
                 "elements are changed by an index on the left of `=`",
                 "KC[B, S, H][S = 4] = v[B, H]");
  if (path.empty() || callee.kind == TreeKind::Call) {
    const bool method = callee.kind == TreeKind::Attribute;
    const ForeignFunction* function = method ? foreign_method(callee.text) : nullptr;
    if (function == nullptr) return apply_wrapper(tree);
    arguments.positional.insert(arguments.positional.begin(), &callee.parts.front());
    return apply(*function, callee, arguments);
  }
  if (is_of_unknown_module(callee, arguments))
    return apply(*function_called(callee, path, arguments), callee, arguments);
  if (names_.is_array(path) && arguments.positional.size() == 1) return apply_weights(tree);
  if (callee.kind == TreeKind::Attribute && !is_module_path(path)) {
    const ForeignFunction* function = foreign_method(callee.text);
    if (function == nullptr) return apply_lacking_method(callee, arguments);
    arguments.positional.insert(arguments.positional.begin(), &callee.parts.front());
    return apply(*function, callee, arguments);
  }
  if (auto result = write_called_collective(callee, arguments)) return result;
  const ForeignFunction* function = function_called(callee, path, arguments);
  if (function != nullptr && (is_module_path(path) || !names_.is_function(path)))
    return apply(*function, callee, arguments);
  if (is_module_path(path)) {
    if (const auto dtype = bracket_dtype(callee.text))
      return apply(foreign_cast(*dtype), callee, arguments);
    return apply_lacking(callee, path, arguments);
  }
  // Functions of the language and of the script, whose arguments may be foreign.
  const bool along =
      function != nullptr && !arguments.positional.empty() &&
      (function->form == ForeignForm::Reduce || function->form == ForeignForm::Along);
  const bool named = arguments.keyword("axis") != nullptr || arguments.keyword("dim") != nullptr ||
                     arguments.keyword("keepdims") != nullptr;
  // `max(x, y)` of two arrays is the language's own.
  const bool of_elements = (path == "max" || path == "min") && arguments.positional.size() > 1 &&
                           names_.is_array(arguments.positional[1]->text);
  const bool foreign =
      along && (named || (!of_elements && names_.is_array(arguments.positional[0]->text)));
  if (foreign) return apply(*function, callee, arguments);
  if (function != nullptr && function->form == ForeignForm::Call)
    return apply_elements(*function, arguments);
  const auto ordered = in_order(path, arguments);
  if (!ordered) return std::nullopt;
  std::vector<std::string> texts;
  bool array = false;
  for (const ForeignTree* argument : *ordered) {
    const auto operand = write(*argument);
    if (!operand) return std::nullopt;
    texts.push_back(operand->must_bracket ? bracketed_text(*operand) : operand->text);
    array = array || operand->is_array;
  }
  return ForeignOperand{.text = fmt::format("{}({})", path, join(texts, ", ")),
                        .is_array = array && !is_language_function(path)};
}

// `kernels.dot(A, B)`: the word in front of the dot is no array, and the first argument is one.
bool ForeignWriter::is_of_unknown_module(const ForeignTree& callee,
                                         const Arguments& arguments) const {
  if (callee.kind != TreeKind::Attribute || !is_unknown(callee.parts.front())) return false;
  return foreign_function(callee.text) != nullptr && !arguments.positional.empty() &&
         arguments.positional[0]->kind == TreeKind::Name &&
         names_.is_array(arguments.positional[0]->text);
}

ForeignWriter::Result ForeignWriter::apply(const ForeignFunction& function, const ForeignTree& tree,
                                           const Arguments& arguments) {
  if (function.form == ForeignForm::Cast && is_device(arguments))
    return apply(*foreign_method("cuda"), tree, arguments);
  const std::string path = path_of(tree);
  const bool field = tree.kind == TreeKind::Attribute && !is_module_path(path) &&
                     !is_of_unknown_module(tree, arguments);
  const std::string word = field ? "." + tree.text : path;
  ForeignTree place = tree;
  if (field) place.begin = tree.end - tree.text.size() - 1;
  const bool is_first = !piece_;
  const std::string example = example_of(function, arguments);
  note(place, message_of(function, word), example);
  const std::string outside = std::exchange(reason_, "");
  auto result = apply_form(function, arguments);
  const std::string message = message_of(function, word, std::exchange(reason_, outside));
  if (is_first) piece_->message = message;
  if (!result) return stuck(place, message, example);
  return result;
}

ForeignWriter::Result ForeignWriter::apply_form(const ForeignFunction& function,
                                                const Arguments& arguments) {
  switch (function.form) {
    case ForeignForm::Einsum:
      return apply_einsum(arguments);
    case ForeignForm::Product:
    case ForeignForm::Outer:
    case ForeignForm::Infix:
    case ForeignForm::Call:
    case ForeignForm::Square:
    case ForeignForm::Same:
      return apply_elements(function, arguments);
    case ForeignForm::Reduce:
    case ForeignForm::Along:
      return apply_reduce(function, arguments);
    case ForeignForm::Input:
    case ForeignForm::Like:
    case ForeignForm::Load:
      return apply_input(function, arguments);
    case ForeignForm::Seed:
      return arguments.positional.empty() ? std::nullopt : write(*arguments.positional[0]);
    case ForeignForm::Wrapper:
    case ForeignForm::Say:
    case ForeignForm::Save:
    case ForeignForm::Layout:
    case ForeignForm::Mesh:
      return std::nullopt;
    case ForeignForm::Top:
      return apply_top(arguments);
    case ForeignForm::Pick:
      return apply_pick(arguments);
    case ForeignForm::Rearrange:
      return apply_rearrange(arguments);
    case ForeignForm::EinopsReduce:
      return apply_einops_reduce(arguments);
    case ForeignForm::Dense:
    case ForeignForm::Lookup:
      return apply_weights_alone(function, arguments);
    case ForeignForm::Element:
      return std::nullopt;
    case ForeignForm::Sizes:
    case ForeignForm::Count:
    case ForeignForm::Length:
    case ForeignForm::Bytes:
    case ForeignForm::Devices:
      return apply_sizes(function, arguments);
    default:
      return apply_layout_function(function, arguments);
  }
}

std::optional<std::vector<std::size_t>> ForeignWriter::axes_argument(
    const ForeignTree* tree, const ForeignOperand& operand) const {
  const auto rank = static_cast<std::int64_t>(operand.order.size());
  std::vector<std::size_t> places;
  std::vector<const ForeignTree*> items = {tree};
  if (tree->kind == TreeKind::Tuple) {
    items.clear();
    for (const ForeignTree& part : tree->parts) items.push_back(&part);
  }
  for (const ForeignTree* item : items) {
    auto place = foreign_number(*item);
    if (!place) return std::nullopt;
    if (*place < 0) *place += rank;
    if (*place < 0 || *place >= rank) return std::nullopt;
    places.push_back(static_cast<std::size_t>(*place));
  }
  return places;
}

ForeignWriter::Result ForeignWriter::apply_reduce(const ForeignFunction& function,
                                                  const Arguments& arguments) {
  if (arguments.positional.empty()) return std::nullopt;
  const auto array = write_array(*arguments.positional[0]);
  if (!array || array->use == Use::Alone || array->order.empty()) return std::nullopt;
  const ForeignTree* axis = arguments.keyword("dim");
  if (axis == nullptr) axis = arguments.at(1, "axis");
  std::vector<std::size_t> places;
  if (axis != nullptr && !axis->is_name("None")) {
    const auto named = axes_argument(axis, *array);
    if (!named) return std::nullopt;
    places = *named;
  } else if (function.form == ForeignForm::Along) {
    places = {array->order.size() - 1};
  } else {
    for (std::size_t i = 0; i < array->order.size(); ++i) places.push_back(i);
  }
  if (function.word == "argmax" && places.size() != 1) return std::nullopt;
  std::vector<std::string> along;
  for (const std::size_t place : places) along.push_back(array->seen(place).name);
  std::vector<ForeignDimension> left;
  for (const ForeignDimension& dimension : array->seen_dimensions()) {
    const bool gone = std::find(along.begin(), along.end(), dimension.name) != along.end();
    if (!gone || function.form == ForeignForm::Along) left.push_back(dimension);
  }
  // Parentheses of its own, also around a product.
  const std::string inner =
      array->named && array->must_bracket ? bracketed_text(*array) : array->text;
  return computed(fmt::format("{}{}({})", function.word, index_text(along), inner),
                  OperandRank::Atom, std::move(left));
}

ForeignWriter::Result ForeignWriter::apply_product(const ForeignFunction& function,
                                                   const Arguments& arguments) {
  if (arguments.positional.size() != 2) return std::nullopt;
  ForeignTree pair{.kind = TreeKind::Binary, .text = "@"};
  pair.parts = {*arguments.positional[0], *arguments.positional[1]};
  if (function.form == ForeignForm::Product) return write_matrix_product(pair);
  const auto left = write_array(pair.parts[0], 1);
  const auto right = write_array(pair.parts[1], 1);
  if (!left || !right || left->order.size() != 1 || right->order.size() != 1) return std::nullopt;
  return contraction({*left, *right}, {"a", "b"}, "ab", names_);
}

ForeignWriter::Result ForeignWriter::apply_elements(const ForeignFunction& function,
                                                    const Arguments& arguments) {
  if (arguments.positional.empty()) return std::nullopt;
  const bool product = function.form == ForeignForm::Product || function.form == ForeignForm::Outer;
  if (product) return apply_product(function, arguments);
  Operands operands;
  for (const ForeignTree* tree : arguments.positional) {
    auto operand =
        is_unknown(*tree) && function.form != ForeignForm::Call ? write_array(*tree) : write(*tree);
    if (!operand) return std::nullopt;
    operands.push_back(*std::move(operand));
    if (function.form == ForeignForm::Same) return operands.front();
  }
  ForeignOperand& first = operands.front();
  if (function.form == ForeignForm::Infix)
    return operands.size() == 2 ? elementwise(function.word, first, operands[1]) : std::nullopt;
  if (function.form == ForeignForm::Square)
    return first.is_array ? elementwise("⊙", first, first) : std::nullopt;
  std::vector<std::string> texts;
  bool array = false;
  for (const ForeignOperand& operand : operands) {
    if (operand.use == Use::Alone) return std::nullopt;
    texts.push_back(operand.must_bracket ? bracketed_text(operand) : operand.text);
    array = array || operand.is_array;
  }
  std::string text = fmt::format("{}({})", function.word, join(texts, ", "));
  if (!array) return ForeignOperand{.text = std::move(text)};
  const auto* longest = &*std::max_element(operands.begin(), operands.end(),
                                           [](const ForeignOperand& a, const ForeignOperand& b) {
                                             return a.dimensions.size() < b.dimensions.size();
                                           });
  return computed(std::move(text), OperandRank::Atom, longest->seen_dimensions());
}

ForeignWriter::Result ForeignWriter::apply_input(const ForeignFunction& function,
                                                 const Arguments& arguments) {
  ForeignOperand result{.text = std::string(function.word), .use = Use::Alone, .is_array = true};
  const bool of_array = arguments.positional.size() == 1 &&
                        arguments.positional[0]->kind == TreeKind::Name &&
                        names_.is_array(arguments.positional[0]->text) &&
                        function.form == ForeignForm::Input && !function.word.starts_with("random");
  if (function.form == ForeignForm::Like || of_array) return like_array(function, arguments);
  if (function.form == ForeignForm::Load) {
    if (arguments.positional.size() != 1 || arguments.positional[0]->kind != TreeKind::Text)
      return std::nullopt;
    result = unknown_array("", 2);
    result.named = false;
    result.text = fmt::format("load(\"{}\")", arguments.positional[0]->text);
    result.use = Use::Alone;
    return result;
  }
  // A key or a seed may stand in front of the shape.
  std::vector<const ForeignTree*> sizes;
  if (const ForeignTree* shape = arguments.keyword("shape")) {
    sizes = {shape};
  } else if (const ForeignTree* size = arguments.keyword("size")) {
    sizes = {size};
  } else {
    for (const ForeignTree* tree : arguments.positional) {
      if (tree->kind == TreeKind::Tuple) sizes = {tree};
    }
    if (sizes.empty()) sizes = arguments.positional;
  }
  auto shape = shape_of(sizes);
  if (!shape || shape->empty()) return std::nullopt;
  for (const char* const word : {"device", "out_sharding", "sharding"}) {
    const ForeignTree* where = arguments.keyword(word);
    const auto layout = where == nullptr ? std::nullopt : layout_of(*where);
    if (!layout || layout->size() > shape->size()) continue;
    for (std::size_t i = 0; i < layout->size(); ++i) (*shape)[i].axes = (*layout)[i];
  }
  result = computed(std::string(function.word), OperandRank::Atom, *shape);
  result.use = Use::Alone;
  const ForeignTree* dtype = arguments.keyword("dtype");
  if (dtype == nullptr && arguments.positional.size() > 1) dtype = arguments.positional.back();
  if (dtype != nullptr) result.dtype = foreign_dtype(*dtype);
  return result;
}

// `jit(f)(x)` is `f(x)`.
ForeignWriter::Result ForeignWriter::apply_wrapper(const ForeignTree& tree) {
  const ForeignTree* inner = &tree.parts.front();
  if (inner->kind != TreeKind::Call) return std::nullopt;
  const std::string path = path_of(inner->parts.front());
  const std::string name = path.substr(path.rfind('.') + 1);
  const ForeignFunction* function = foreign_function(name);
  if (function == nullptr) return std::nullopt;
  note(inner->parts.front(), message_of(*function, path), std::string(function->example));
  if (auto layer = apply_layer(*function, tree)) return layer;
  if (inner->parts.size() < 2 || function->form != ForeignForm::Wrapper ||
      inner->parts[1].kind != TreeKind::Name)
    return stuck(inner->parts.front(), message_of(*function, path), std::string(function->example));
  ForeignTree call = tree;
  call.parts.front() = inner->parts[1];
  return write_call(call);
}

}  // namespace shard
