#include "interpreter/check/array.h"

#include <fmt/format.h>

#include <algorithm>

#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "interpreter/check/former_array.h"
#include "interpreter/check/origin_notes.h"
#include "interpreter/check/selection/places.h"
#include "interpreter/planning/search/route_search.h"
#include "runtime/machine/chip_figure.h"

namespace shard {

namespace {

// Gradients and second versions are alike on purpose.
bool has_kin(const std::string& key, const Scope& scope) {
  const auto is_known = [&](const std::string& other) {
    return scope.names.array_names.contains(other);
  };
  return is_known(key + "'") || is_known("d" + key) ||
         (key.back() == '\'' && is_known(key.substr(0, key.size() - 1))) ||
         (key.front() == 'd' && is_known(key.substr(1)));
}

void warn_suspicious(const ast::Identifier& name, CheckContext& context) {
  if (!context.sink.shows_more_others() || has_kin(name_key(name.text), context.scope)) return;
  if (const auto near =
          context.scope.store.nearest_long_name(name.text, context.scope.names.array_names)) {
    report(context, DiagnosticKind::SuspiciousName, name.at.span,
           fmt::format("`{}` is not declared and is read as a new input; did you mean `{}`?",
                       name.text, *near),
           {fmt::format("declare it to say that it is another array: `{}: bf16[…]`", name.text)});
  }
}

std::optional<checked::Operation> use_of(ArrayId id, Brackets brackets, bool written, Span span,
                                         const Scope& scope) {
  checked::Operation use{
      .node = checked::Use{.array = id, .layout = brackets.layout, .written = written}};
  use.labels = std::move(brackets.labels);
  use.dtype = scope.store.arrays[id].dtype;
  use.layout = std::move(brackets.layout);
  use.span = span;
  return use;
}

std::optional<checked::Operation> check_bare_use(const ast::ArrayRef& array,
                                                 CheckContext& context) {
  const Scope& scope = context.scope;
  const auto id = scope.names.find_array(array.name->text);
  const LiveCopy* meant = id ? scope.held.newest_written(*id) : nullptr;
  if (meant == nullptr) {
    if (scope.told.is_unknown(array.name->text) ||
        report_dropped(array.name->text, array.at.span, context))
      return std::nullopt;
    if (scope.find_binding(array.name->text) != nullptr) {
      report(context, DiagnosticKind::NotArray, array.at.span,
             fmt::format("`{}` is {}, and an array is needed here", array.name->text,
                         to_text(scope.find_binding(array.name->text)->value)));
      return std::nullopt;
    }
    if (report_ended(array.name->text, array.at.span, context)) return std::nullopt;
    report_unknown_array(array.name->text, array.name->at.span, context);
    return std::nullopt;
  }
  const ArrayInfo& info = scope.store.arrays[*id];
  context.scope.store.arrays[*id].read = true;
  const auto place = [&](std::size_t) { return array.at.span; };
  if (!check_divisible(info.dimensions, meant->layout, array.name, place, context))
    return std::nullopt;
  return use_of(*id, {.labels = info.dimensions, .layout = meant->layout}, false, array.at.span,
                scope);
}

std::optional<checked::Operation> define_input(const ast::ArrayRef& array, const Brackets& brackets,
                                               CheckContext& context) {
  Scope& scope = context.scope;
  const bool anonymous = !array.name.has_value();
  if (!anonymous && scope.strict) {
    report(context, DiagnosticKind::UndeclaredInput, array.at.span,
           fmt::format("`{}` is not declared, and the script is strict", array.name->text),
           {fmt::format(
               "{}: bf16{}", array.name->text,
               to_string(brackets.layout, scope.store.names_of(brackets.labels), scope.mesh()))});
  }
  std::optional<DType> dtype = DType::Bf16;
  if (array.dtype) dtype = check_dtype(*array.dtype, context);
  if (!dtype) return std::nullopt;
  if (!anonymous) {
    if (!check_name_length(*array.name, context)) return std::nullopt;
    warn_suspicious(*array.name, context);
  }
  ArrayInfo info{
      .name = anonymous ? "" : array.name->text, .dimensions = brackets.labels, .dtype = *dtype};
  info.anonymous = anonymous;
  info.span = array.at.span;
  const ArrayId id = scope.store.arrays.add(std::move(info));
  scope.held.change(id) = {{.layout = without_trivial_axes(brackets.layout, scope.mesh())}};
  if (!anonymous) scope.names.array_names[name_key(array.name->text)] = id;
  return use_of(id, brackets, true, array.at.span, scope);
}

void report_no_such_copy(const ast::ArrayRef& array, ArrayId id, const Layout& layout,
                         CheckContext& context) {
  const Scope& scope = context.scope;
  std::vector<std::string> help;
  if (const LiveCopy* newest = scope.held.newest_written(id)) {
    auto line = relayout_line(id, newest->layout, layout, scope);
    if (line) help.push_back(std::move(*line));
  }
  report(context, DiagnosticKind::NoSuchCopy, array.at.span,
         fmt::format("there is no copy `{}`; there is {}", print(array, Spelling::Unicode),
                     list_copies(id, scope)),
         std::move(help),
         {{scope.store.arrays[id].span,
           fmt::format("`{}` was made here", scope.store.arrays[id].name)}});
}

void add_input_copy(const ast::ArrayRef& array, ArrayId id, const Layout& layout,
                    CheckContext& context) {
  Scope& scope = context.scope;
  const ArrayInfo& info = std::as_const(scope.store.arrays)[id];
  LiveCopies& copies = scope.held.change(id);
  const Layout first = copies.front().layout;
  const planning::Shape shape{.lengths = scope.shape_of(info.dimensions), .dtype = info.dtype};
  const auto route = planning::cheapest_route({first}, layout, shape, scope.hardware(),
                                              planning::MoveRule::Direct);
  if (route && route->weight.seconds > 0) {
    const Cost cost = planning::cost_of(*route, shape, scope.hardware());
    const std::string price = scope.machine.chip
                                  ? "take " + to_text(Quantity{cost.comms, kSeconds})
                                  : "move " + to_text(Quantity{Formula(cost.comm_bytes), kBytes});
    report(context, DiagnosticKind::SecondInputLayout, array.at.span,
           fmt::format("`{}` is taken as a second copy of the input `{}`",
                       print(array, Spelling::Unicode), scope.describe(id, first)),
           {fmt::format("making it would {}: {}", price, *relayout_line(id, first, layout, scope))},
           {{info.span, "first used here"}});
  }
  // It is given: one that planning made in that layout is not meant.
  std::erase_if(copies, [&](const LiveCopy& copy) { return copy.layout == layout; });
  copies.push_back({.layout = layout});
}

// The brackets with the same dimensions as the array has them.
std::vector<Edit> in_own_order(const ast::ArrayRef& array, const Brackets& brackets,
                               const ArrayInfo& info) {
  if (array.dimensions.size() != brackets.labels.size()) return {};
  ast::ArrayRef own = array;
  own.dimensions.clear();
  for (const DimensionId label : info.dimensions) {
    const auto found = std::find(brackets.labels.begin(), brackets.labels.end(), label);
    own.dimensions.push_back(
        array.dimensions[static_cast<std::size_t>(found - brackets.labels.begin())]);
  }
  return {{array.at.span, print(own, Spelling::Unicode)}};
}

// `W[F_X, D] → WT[D, F_X]`
std::string transpose_help(const Brackets& brackets, const ArrayInfo& info, const Scope& scope) {
  std::string name = info.name + "T";
  while (scope.names.find_array(name)) name += "2";
  const auto id = scope.names.find_array(info.name);
  const Layout held = id ? newest_layout(*id, scope) : replicated(info.dimensions.size());
  Layout turned = held;
  for (std::size_t i = 0; i < brackets.labels.size(); ++i) {
    const auto found =
        std::find(info.dimensions.begin(), info.dimensions.end(), brackets.labels[i]);
    turned.dims.edit()[i] = held.dims[static_cast<std::size_t>(found - info.dimensions.begin())];
  }
  return fmt::format(
      "dimensions are known by their names, so a product needs no transpose; as a line of its own "
      "it is {}{} → {}{}",
      info.name, to_string(held, scope.store.names_of(info.dimensions), scope.mesh()), name,
      to_string(turned, scope.store.names_of(brackets.labels), scope.mesh()));
}

// "In[M = m]" for `In[m]`, as other languages write an element: one number, or a name that is no dimension of the array.
std::optional<std::string> element_text(const ast::ArrayRef& array, const ArrayInfo& info,
                                        const Scope& scope) {
  if (array.dimensions.size() != 1 || !array.indices.empty() || info.dimensions.empty())
    return std::nullopt;
  const std::string& first = scope.store.dimensions[info.dimensions.front()].name;
  const auto& written = array.dimensions.front();
  std::string index;
  if (const auto* name = std::get_if<ast::Identifier>(&written.name)) {
    if (!written.axes.empty() || scope.find_binding(name->text) == nullptr) return std::nullopt;
    index = name->text;
  } else if (const auto* number = std::get_if<ast::Number>(&written.name)) {
    index = number->text;
  } else {
    return std::nullopt;
  }
  return fmt::format("{}[{} = {}]", info.name, first, index);
}

// "W[L, D]".
std::string own_text(const ArrayInfo& info, const Scope& scope) {
  return scope.describe(*scope.names.find_array(info.name), replicated(info.dimensions.size()));
}

void report_rank(const ast::ArrayRef& array, const ArrayInfo& info, CheckContext& context) {
  const Scope& scope = context.scope;
  const ArrayId id = *scope.names.find_array(info.name);
  const auto& copies = scope.held.of(id);
  std::vector<std::string> help = {
      fmt::format("it is `{}`", copies.empty() ? own_text(info, scope)
                                               : scope.describe(id, copies.back().layout))};
  if (auto element = element_text(array, info, scope))
    help.insert(help.begin(), "an element along the first dimension is " + *std::move(element));
  const std::size_t here = array.dimensions.size();
  report(context, DiagnosticKind::RankMismatch, array.at.span,
         fmt::format("`{}` has {} dimension{} here, and {} where it was made", info.name, here,
                     here == 1 ? "" : "s", info.dimensions.size()),
         std::move(help), {{info.span, "made here"}});
}

// `W[l]` with an l that is 0, and `A[0, 0, 0]` of two dimensions: that 0 is no length would be the second mistake.
bool is_element_of(const ast::ArrayRef& array, const ArrayInfo& info, const Scope& scope) {
  if (array.dimensions.size() > info.dimensions.size()) return counts_places(array);
  if (info.dimensions.size() < 2 || !element_text(array, info, scope)) return false;
  const auto* name = std::get_if<ast::Identifier>(&array.dimensions.front().name);
  return name == nullptr || !scope.names.find_dimension(name->text);
}

}  // namespace

namespace {

// The scalar, or the position along a dimension, that a name next to arrays was probably to be.
std::optional<std::string> nearest_number(const std::string& name, const CheckContext& context) {
  if (!context.sink.shows_more_errors()) return std::nullopt;
  const Scope& scope = context.scope;
  std::vector<std::string> known;
  for (const auto& [key, binding] : scope.names.bindings) {
    if (std::holds_alternative<Quantity>(binding.value)) known.push_back(binding.name);
  }
  for (const auto& [key, dimension] : scope.names.dimension_names) {
    if (!scope.store.dimensions[dimension].literal)
      known.push_back(std::string(kIotaPrefix) + scope.store.dimensions[dimension].name);
  }
  return nearest_name(name, known);
}

std::string help_for_unknown_array(const std::string& name, const Scope& scope) {
  if (name.starts_with(kIotaPrefix)) {
    const std::string dimension = name.substr(kIotaPrefix.size());
    return fmt::format("`{}` is no dimension to count along; give it a size: {} = 8", dimension,
                       dimension);
  }
  if (name == "inf" || name == "infinity" || name == "Inf")
    return "infinity is no number of a script; a mask of scores takes a large one: -1e30";
  const ChipFigure* figure = find_chip_figure(name);
  if (figure != nullptr && is_read(*figure) && !scope.hardware().chip.name.empty())
    return fmt::format("`{}` is a figure of the chip, and elements of arrays are plain numbers",
                       name);
  return fmt::format("write its dimensions to make it an input: `{}[I, J]`", name);
}

}  // namespace

void report_unknown_array(const std::string& name, Span span, CheckContext& context) {
  auto near = nearest_array(name, context);
  if (!near) near = nearest_number(name, context);
  report(context, DiagnosticKind::UnknownName, span, fmt::format("no array is called `{}`", name),
         {near ? fmt::format("did you mean `{}`?", *near)
               : help_for_unknown_array(name, context.scope)},
         {}, near ? std::vector<Edit>{{span, *near}} : std::vector<Edit>());
}

bool check_labels(const ast::ArrayRef& array, const Brackets& brackets, const ArrayInfo& info,
                  CheckContext& context) {
  Scope& scope = context.scope;
  if (brackets.labels == info.dimensions) return true;
  if (brackets.labels.size() != info.dimensions.size()) {
    report_rank(array, info, context);
    return false;
  }
  if (std::is_permutation(brackets.labels.begin(), brackets.labels.end(),
                          info.dimensions.begin())) {
    report(context, DiagnosticKind::TransposedUse, array.at.span,
           fmt::format("`{}` has these dimensions in another order", info.name),
           {transpose_help(brackets, info, scope)}, {{info.span, "made here"}},
           in_own_order(array, brackets, info));
    return false;
  }
  for (std::size_t i = 0; i < brackets.labels.size(); ++i) {
    const Amount here = scope.size_of(brackets.labels[i]);
    const Amount there = scope.size_of(info.dimensions[i]);
    if (!here.constant() || !there.constant())
      scope.identify_lengths(brackets.labels[i], info.dimensions[i]);
    if (here == there || !here.constant() || !there.constant()) continue;
    std::vector<std::string> help = {fmt::format("it is `{}`", own_text(info, scope))};
    // `A[3, J]` is an element elsewhere.
    const auto* number = std::get_if<ast::Number>(&array.dimensions[i].name);
    if (number != nullptr && array.dimensions.size() == info.dimensions.size() && array.name) {
      help.push_back(fmt::format("element {1} of it is {0}[{2} = {1}]", array.name->text,
                                 number->text, scope.store.dimensions[info.dimensions[i]].name));
    }
    std::vector<Note> notes = length_notes({brackets.labels[i], info.dimensions[i]}, scope);
    notes.insert(notes.begin(), {info.span, "made here"});
    report(context, DiagnosticKind::SizeMismatch, span_of_dimension(array, i),
           fmt::format(
               "dimension `{}` is {} long, but the dimension `{}` of `{}` that it renames is {}",
               scope.store.dimensions[brackets.labels[i]].name, here.to_string(),
               scope.store.dimensions[info.dimensions[i]].name, info.name, there.to_string()),
           help, std::move(notes));
    return false;
  }
  return true;
}

const LiveCopy* find_copy(ArrayId array, const Layout& layout, const Scope& scope) {
  const Layout wanted = without_trivial_axes(layout, scope.mesh());
  for (const LiveCopy& copy : scope.held.of(array)) {
    if (!copy.inferred && copy.layout == wanted) return &copy;
  }
  return nullptr;
}

Layout newest_layout(ArrayId array, const Scope& scope) {
  const LiveCopy* newest = scope.held.newest_written(array);
  return newest == nullptr ? replicated(scope.store.arrays[array].dimensions.size())
                           : newest->layout;
}

std::string list_copies(ArrayId array, const Scope& scope) {
  std::vector<std::string> copies;
  for (const LiveCopy& copy : scope.held.of(array)) {
    if (!copy.inferred) copies.push_back("`" + scope.describe(array, copy.layout) + "`");
  }
  return copies.empty() ? "none: it was dropped" : join_words(copies);
}

std::optional<checked::Operation> check_use(const ast::ArrayRef& array, CheckContext& context) {
  if (!array.bracketed) return check_bare_use(array, context);
  Scope& scope = context.scope;
  const auto id = array.name ? scope.names.find_array(array.name->text) : std::nullopt;
  if (id && is_element_of(array, scope.store.arrays[*id], scope)) {
    report_rank(array, scope.store.arrays[*id], context);
    return std::nullopt;
  }
  if (report_unknown_element(array, context)) return std::nullopt;
  auto brackets = check_brackets(array, context);
  const std::string key = array.name ? name_key(array.name->text) : "";
  if (!brackets && !id && array.name) scope.told.misread_inputs.insert(key);
  if (!brackets || (!id && scope.told.unknown.count(key) != 0)) return std::nullopt;
  scope.told.misread_inputs.erase(key);
  if (!id && array.name && report_dropped(array.name->text, array.at.span, context))
    return std::nullopt;
  if (!id) return define_input(array, *brackets, context);
  scope.store.arrays[*id].read = true;
  if (!check_labels(array, *brackets, scope.store.arrays[*id], context)) return std::nullopt;
  const Layout layout = without_trivial_axes(brackets->layout, scope.mesh());
  if (find_copy(*id, layout, scope) == nullptr) {
    if (scope.store.arrays[*id].computed || scope.held.newest_written(*id) == nullptr) {
      report_no_such_copy(array, *id, layout, context);
      return std::nullopt;
    }
    add_input_copy(array, *id, layout, context);
  }
  return use_of(*id, *std::move(brackets), true, array.at.span, scope);
}

std::optional<Copy> described_copy(const ast::ArrayRef& array, CheckContext& context) {
  Scope& scope = context.scope;
  const auto known = array.name ? scope.names.find_array(array.name->text) : std::nullopt;
  Copy copy;
  if (known) copy.dtype = scope.store.arrays[*known].dtype;
  if (array.dtype) {
    const auto dtype = check_dtype(*array.dtype, context);
    if (!dtype) return std::nullopt;
    copy.dtype = *dtype;
  }
  std::vector<DimensionId> labels;
  if (!array.bracketed) {
    const auto use = check_use(array, context);
    if (!use) return std::nullopt;
    copy.layout = *use->layout;
    labels = use->labels;
  } else {
    const auto brackets = check_brackets(array, context);
    if (!brackets ||
        (known && !check_labels(array, *brackets, scope.store.arrays[*known], context)))
      return std::nullopt;
    copy.layout = brackets->layout;
    labels = brackets->labels;
  }
  copy.shape = scope.shape_of(labels);
  copy.dimensions = scope.store.names_of(labels);
  if (array.name) copy.name = array.name->text;
  return copy;
}

}  // namespace shard
