#include "interpreter/check_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "grammar/names.h"
#include "grammar/printer.h"
#include "interpreter/planning/relayout.h"

namespace shard {

namespace {

std::vector<std::string> axis_names(const Mesh& mesh) {
  std::vector<std::string> names;
  for (const MeshAxis& axis : mesh.axes) names.push_back(axis.name);
  return names;
}

bool check_name_length(const ast::Identifier& name, CheckContext& context) {
  if (name.text.size() <= kMaxNameLength) return true;
  report(
      context, DiagnosticKind::TooLarge, name.at.span,
      fmt::format("this name has {} letters; {} are the most", name.text.size(), kMaxNameLength));
  return false;
}

// A number that is bound to a dimension's name is its length. One that cannot be is reported once.
void check_bound_length(const ast::Identifier& name, CheckContext& context) {
  const BindingInfo* binding = context.scope.find_binding(name.text);
  const auto* quantity = binding == nullptr ? nullptr : std::get_if<Quantity>(&binding->value);
  if (quantity == nullptr || is_length(*quantity)) return;
  report(context, DiagnosticKind::BadArgument, name.at.span,
         fmt::format(
             "`{}` is {}, which is no length of a dimension: it must be a positive whole number",
             name.text, to_text(*quantity)),
         {}, {{binding->span, "it gets its value here"}});
  context.scope.unknown.insert(name_key(name.text));
  context.scope.bindings.erase(name_key(name.text));
}

std::optional<DimensionId> check_dimension(const ast::Dimension& dimension, CheckContext& context) {
  return match(
      dimension.name,
      [&](const ast::Identifier& name) -> std::optional<DimensionId> {
        if (!check_name_length(name, context)) return std::nullopt;
        check_bound_length(name, context);
        return context.scope.intern_dimension(name.text);
      },
      [&](const ast::Number& number) -> std::optional<DimensionId> {
        const auto length = number.value.to_int64();
        if (!length || *length <= 0 || !number.unit.is_plain()) {
          report(context, DiagnosticKind::BadArgument, number.at.span,
                 fmt::format("`{}` is no length of a dimension: it must be a positive whole number",
                             number.text));
          return std::nullopt;
        }
        return context.scope.intern_length(*length);
      });
}

void report_reused_axis(AxisId axis, const ast::ArrayRef& array, const ast::Identifier& place,
                        CheckContext& context) {
  const std::string name = context.scope.mesh().axes[axis].name;
  report(context, DiagnosticKind::AxisReused, place.at.span,
         fmt::format("axis `{}` is used twice in `{}`", name, print(array, Spelling::Unicode)),
         {fmt::format("an axis that splits one dimension is spent: every device along `{}` already "
                      "holds another "
                      "part, so drop one of the two",
                      name)});
}

// Resolves a list of axes, each used once in the whole bracket.
bool check_axes(const std::vector<ast::Identifier>& names, const ast::ArrayRef& array,
                std::set<AxisId>& seen, std::vector<AxisId>& axes, CheckContext& context) {
  bool fine = true;
  for (const ast::Identifier& name : names) {
    const auto axis = check_axis(name, context);
    if (!axis) {
      fine = false;
    } else if (!seen.insert(*axis).second) {
      report_reused_axis(*axis, array, name, context);
      fine = false;
    } else {
      axes.push_back(*axis);
    }
  }
  return fine;
}

bool check_divisible(const ast::ArrayRef& array, const Brackets& brackets, CheckContext& context) {
  const Scope& scope = context.scope;
  const auto bad =
      indivisible_dimension(scope.shape_of(brackets.labels), brackets.layout, scope.mesh());
  if (!bad) return true;
  const auto& axes = brackets.layout.dims[*bad];
  const std::string length = scope.size_of(brackets.labels[*bad]).to_string();
  const std::string ways = size_of(axes, scope.mesh()).to_string();
  report(context, DiagnosticKind::NotDivisible, array.dimensions[*bad].at.span,
         fmt::format("dimension `{}` is {} long and does not divide into {} parts",
                     scope.dimensions[brackets.labels[*bad]].name, length, ways),
         {fmt::format("make its length a multiple of {}, or split it over fewer axes", ways)});
  return false;
}

// A name one slip away from a known array's, long enough that it is hardly meant.
void warn_suspicious(const ast::Identifier& name, CheckContext& context) {
  constexpr std::size_t kShortest = 5;
  const std::string key = name_key(name.text);
  if (key.size() < kShortest) return;
  std::vector<std::string> known;
  if (std::any_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; })) return;
  for (const auto& [other, array] : context.scope.array_names) {
    if (other + "'" == key || key + "'" == other || "d" + other == key || "d" + key == other)
      return;
    if (other.size() >= kShortest) known.push_back(context.scope.arrays[array].name);
  }
  if (const auto near = nearest_name(name.text, known)) {
    report(context, DiagnosticKind::SuspiciousName, name.at.span,
           fmt::format("`{}` is not declared and is read as a new input; did you mean `{}`?",
                       name.text, *near),
           {fmt::format("declare it to say that it is another array: `{}: bf16[…]`", name.text)});
  }
}

std::optional<checked::Operation> use_of(ArrayId id, const Brackets& brackets, bool written,
                                         Span span, const Scope& scope) {
  checked::Operation use{
      .node = checked::Use{.array = id, .layout = brackets.layout, .written = written}};
  use.labels = brackets.labels;
  use.dtype = scope.arrays[id].dtype;
  use.layout = brackets.layout;
  use.span = span;
  return use;
}

// Whether the array is one that was dropped, which is reported.
bool report_dropped(const ast::ArrayRef& array, CheckContext& context) {
  const auto found = context.scope.dropped.find(name_key(array.name->text));
  if (found == context.scope.dropped.end()) return false;
  report(context, DiagnosticKind::DroppedArray, array.at.span,
         fmt::format("`{}` was dropped", array.name->text), {"drop an array behind its last use"},
         {{found->second, "dropped here"}});
  return true;
}

std::optional<checked::Operation> check_bare_use(const ast::ArrayRef& array,
                                                 CheckContext& context) {
  const Scope& scope = context.scope;
  const auto id = scope.find_array(array.name->text);
  if (!id || scope.arrays[*id].copies.empty()) {
    if (scope.is_unknown(array.name->text) || report_dropped(array, context)) return std::nullopt;
    if (scope.find_binding(array.name->text) != nullptr) {
      report(context, DiagnosticKind::NotArray, array.at.span,
             fmt::format("`{}` is {}, and an array is needed here", array.name->text,
                         to_text(scope.find_binding(array.name->text)->value)));
      return std::nullopt;
    }
    std::vector<std::string> known;
    for (const auto& [key, other] : scope.array_names) known.push_back(scope.arrays[other].name);
    const auto near = nearest_name(array.name->text, known);
    report(context, DiagnosticKind::UnknownName, array.at.span,
           fmt::format("no array is called `{}`", array.name->text),
           {near ? fmt::format("did you mean `{}`?", *near)
                 : fmt::format("write its dimensions to make it an input: `{}[I, J]`",
                               array.name->text)});
    return std::nullopt;
  }
  const ArrayInfo& info = scope.arrays[*id];
  return use_of(*id, {.labels = info.dimensions, .layout = info.copies.back().layout}, false,
                array.at.span, scope);
}

std::optional<checked::Operation> define_input(const ast::ArrayRef& array, const Brackets& brackets,
                                               CheckContext& context) {
  Scope& scope = context.scope;
  const bool anonymous = !array.name.has_value();
  if (!anonymous && scope.strict) {
    report(
        context, DiagnosticKind::UndeclaredInput, array.at.span,
        fmt::format("`{}` is not declared, and the script is strict", array.name->text),
        {fmt::format("{}: bf16{}", array.name->text,
                     to_string(brackets.layout, scope.names_of(brackets.labels), scope.mesh()))});
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
  info.copies.push_back(
      {.layout = without_trivial_axes(brackets.layout, scope.mesh()), .copy = {}});
  const ArrayId id = scope.arrays.add(std::move(info));
  if (!anonymous) scope.array_names[name_key(array.name->text)] = id;
  return use_of(id, brackets, true, array.at.span, scope);
}

void report_no_such_copy(const ast::ArrayRef& array, ArrayId id, const Layout& layout,
                         CheckContext& context) {
  const Scope& scope = context.scope;
  std::vector<std::string> help;
  if (!scope.arrays[id].copies.empty()) {
    auto line = relayout_line(id, scope.arrays[id].copies.back().layout, layout, scope);
    if (line) help.push_back(std::move(*line));
  }
  report(context, DiagnosticKind::NoSuchCopy, array.at.span,
         fmt::format("there is no copy `{}`; there is {}", print(array, Spelling::Unicode),
                     list_copies(id, scope)),
         std::move(help),
         {{scope.arrays[id].span, fmt::format("`{}` was made here", scope.arrays[id].name)}});
}

void add_input_copy(const ast::ArrayRef& array, ArrayId id, const Layout& layout,
                    CheckContext& context) {
  Scope& scope = context.scope;
  ArrayInfo& info = scope.arrays[id];
  const Layout& first = info.copies.front().layout;
  const planning::Shape shape{.lengths = scope.shape_of(info.dimensions), .dtype = info.dtype};
  const auto route = planning::cheapest_route({first}, layout, shape, scope.hardware());
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
  info.copies.push_back({.layout = layout, .copy = {}});
}

}  // namespace

void report(CheckContext& context, DiagnosticKind kind, Span span, std::string message,
            std::vector<std::string> help, std::vector<Note> notes) {
  context.sink.report({.kind = kind,
                       .span = span,
                       .message = std::move(message),
                       .notes = std::move(notes),
                       .help = std::move(help)});
}

std::optional<AxisId> check_axis(const ast::Identifier& name, CheckContext& context) {
  Scope& scope = context.scope;
  if (const auto axis = scope.mesh().find(name.text)) return axis;
  if (!scope.machine.mesh_known()) {
    if (!check_name_length(name, context)) return std::nullopt;
    return scope.machine.machine.mesh.axes.add(
        {.name = name.text, .size = Amount::symbol(name.text)});
  }
  const std::vector<std::string> known = axis_names(scope.mesh());
  if (scope.unknown_axes.count(name.text) != 0) return std::nullopt;
  std::vector<std::string> help;
  if (const auto near = nearest_name(name.text, known)) {
    help.push_back(fmt::format("did you mean `{}`?", *near));
  } else {
    help.push_back("the mesh has " + (known.empty() ? "no axes" : "the axes " + join_words(known)));
  }
  std::vector<Note> notes;
  if (scope.machine.mesh_span)
    notes.push_back({*scope.machine.mesh_span, "the mesh is declared here"});
  report(context, DiagnosticKind::UnknownAxis, name.at.span,
         fmt::format("the mesh has no axis `{}`", name.text), std::move(help), std::move(notes));
  return std::nullopt;
}

std::optional<Brackets> check_brackets(const ast::ArrayRef& array, CheckContext& context) {
  if (array.dimensions.size() > kMaxRank) {
    report(context, DiagnosticKind::TooLarge, array.at.span,
           fmt::format("this array has {} dimensions; {} are the most", array.dimensions.size(),
                       kMaxRank));
    return std::nullopt;
  }
  Brackets brackets;
  std::set<AxisId> axes_seen;
  std::set<DimensionId> names_seen;
  bool fine = true;
  for (const ast::Dimension& dimension : array.dimensions) {
    const auto label = check_dimension(dimension, context);
    fine = label.has_value() && fine;
    brackets.labels.push_back(label.value_or(DimensionId{}));
    if (label && !context.scope.dimensions[*label].literal && !names_seen.insert(*label).second) {
      report(context, DiagnosticKind::DimensionReused, dimension.at.span,
             fmt::format("dimension `{}` stands twice in `{}`",
                         context.scope.dimensions[*label].name, print(array, Spelling::Unicode)),
             {"give the second one a name of its own: dimensions are told apart by their names"});
      fine = false;
    }
    brackets.layout.dims.emplace_back();
    fine =
        check_axes(dimension.axes, array, axes_seen, brackets.layout.dims.back(), context) && fine;
  }
  fine = check_axes(array.unreduced, array, axes_seen, brackets.layout.unreduced, context) && fine;
  std::sort(brackets.layout.unreduced.begin(), brackets.layout.unreduced.end());
  if (!fine || !check_divisible(array, brackets, context)) return std::nullopt;
  return brackets;
}

std::optional<DType> check_dtype(const ast::Identifier& word, CheckContext& context) {
  if (const auto dtype = parse_dtype(word.text)) return dtype;
  const auto near =
      nearest_name(word.text, {"bf16", "fp32", "fp64", "fp16", "fp8", "int8", "int4", "int32"});
  report(context, DiagnosticKind::UnknownDtype, word.at.span,
         fmt::format("`{}` is no element type", word.text),
         {near ? fmt::format("did you mean `{}`?", *near)
               : "there are bf16, fp32, fp64, fp16, fp8, int8, int4 and int32"});
  return std::nullopt;
}

bool check_labels(const ast::ArrayRef& array, const Brackets& brackets, const ArrayInfo& info,
                  CheckContext& context) {
  Scope& scope = context.scope;
  if (brackets.labels == info.dimensions) return true;
  const std::string own =
      scope.describe(*scope.find_array(info.name), replicated(info.dimensions.size()));
  if (brackets.labels.size() != info.dimensions.size()) {
    report(context, DiagnosticKind::RankMismatch, array.at.span,
           fmt::format("`{}` has {} dimension{} here, and {} where it was made", info.name,
                       brackets.labels.size(), brackets.labels.size() == 1 ? "" : "s",
                       info.dimensions.size()),
           {fmt::format("it is `{}`", own)}, {{info.span, "made here"}});
    return false;
  }
  if (std::is_permutation(brackets.labels.begin(), brackets.labels.end(),
                          info.dimensions.begin())) {
    report(context, DiagnosticKind::TransposedUse, array.at.span,
           fmt::format("`{}` has these dimensions in another order", info.name),
           {fmt::format("it is `{}`; a transpose is written {} → B{}", own, own,
                        to_string(replicated(brackets.labels.size()),
                                  scope.names_of(brackets.labels), scope.mesh()))},
           {{info.span, "made here"}});
    return false;
  }
  for (std::size_t i = 0; i < brackets.labels.size(); ++i) {
    const Amount here = scope.size_of(brackets.labels[i]);
    const Amount there = scope.size_of(info.dimensions[i]);
    if (!here.constant() || !there.constant())
      scope.identify_lengths(brackets.labels[i], info.dimensions[i]);
    if (here == there || !here.constant() || !there.constant()) continue;
    report(context, DiagnosticKind::SizeMismatch, array.dimensions[i].at.span,
           fmt::format(
               "dimension `{}` is {} long, but the dimension `{}` of `{}` that it renames is {}",
               scope.dimensions[brackets.labels[i]].name, here.to_string(),
               scope.dimensions[info.dimensions[i]].name, info.name, there.to_string()),
           {fmt::format("it is `{}`", own)}, {{info.span, "made here"}});
    return false;
  }
  return true;
}

const LiveCopy* find_copy(const ArrayInfo& info, const Layout& layout, const Mesh& mesh) {
  const Layout wanted = without_trivial_axes(layout, mesh);
  for (const LiveCopy& copy : info.copies) {
    if (copy.layout == wanted) return &copy;
  }
  return nullptr;
}

std::string list_copies(ArrayId array, const Scope& scope) {
  std::vector<std::string> copies;
  for (const LiveCopy& copy : scope.arrays[array].copies)
    copies.push_back("`" + scope.describe(array, copy.layout) + "`");
  return copies.empty() ? "none: it was dropped" : join_words(copies);
}

std::optional<std::string> relayout_line(ArrayId array, const Layout& from, const Layout& to,
                                         const Scope& scope) {
  const ArrayInfo& info = scope.arrays[array];
  const planning::Shape shape{.lengths = scope.shape_of(info.dimensions), .dtype = info.dtype};
  const auto route = planning::cheapest_route({from}, to, shape, scope.hardware());
  if (!route) return std::nullopt;
  const std::string line = scope.describe(array, from) + " → " + scope.describe(array, to);
  if (route->moves.size() != 1 || !route->moves.front().kind) return line;
  return planning::name_of(route->moves.front(), scope.names_of(info.dimensions), scope.mesh()) +
         " " + line;
}

std::optional<checked::Operation> check_use(const ast::ArrayRef& array, CheckContext& context) {
  if (!array.bracketed) return check_bare_use(array, context);
  const auto brackets = check_brackets(array, context);
  if (!brackets) return std::nullopt;
  Scope& scope = context.scope;
  const auto id = array.name ? scope.find_array(array.name->text) : std::nullopt;
  if (!id && array.name && (scope.is_unknown(array.name->text) || report_dropped(array, context))) {
    return std::nullopt;
  }
  if (!id) return define_input(array, *brackets, context);
  if (!check_labels(array, *brackets, scope.arrays[*id], context)) return std::nullopt;
  const Layout layout = without_trivial_axes(brackets->layout, scope.mesh());
  if (find_copy(scope.arrays[*id], layout, scope.mesh()) == nullptr) {
    if (scope.arrays[*id].computed || scope.arrays[*id].copies.empty()) {
      report_no_such_copy(array, *id, layout, context);
      return std::nullopt;
    }
    add_input_copy(array, *id, layout, context);
  }
  return use_of(*id, *brackets, true, array.at.span, scope);
}

}  // namespace shard
