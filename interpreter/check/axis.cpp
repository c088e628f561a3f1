// Axes where they are named.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/contains.h"
#include "base/words.h"
#include "grammar/print/printer.h"
#include "interpreter/check/brackets.h"
#include "runtime/machine/mesh_text.h"

namespace shard {

namespace {

std::vector<std::string> axis_names(const Mesh& mesh) {
  std::vector<std::string> names;
  for (const MeshAxis& axis : mesh.axes) names.push_back(axis.name);
  return names;
}

// Without a mesh each new name in brackets is an axis.
bool check_axis_count(Span span, CheckContext& context) {
  if (context.scope.mesh().axes.size() < kMaxAxes) return true;
  if (std::exchange(context.scope.told.axis_count_reported, true)) return false;
  report(context, DiagnosticKind::TooLarge, span,
         fmt::format("this is the axis number {}; {} are the most", kMaxAxes + 1, kMaxAxes),
         {"declare the mesh, so that a misspelt axis is told: mesh {X: 4, Y: 2}"});
  return false;
}

std::string axes_there_are(const std::vector<std::string>& known) {
  if (known.empty()) return "the mesh has no axes";
  return "the mesh has the " +
         (known.size() == 1 ? "axis " + known.front() : "axes " + join_words(known));
}

std::string unknown_axis_help(const std::string& name, const Scope& scope) {
  if (name == "None") return "a dimension that is not split has no subscript";
  const std::vector<std::string> known = axis_names(scope.mesh());
  if (const auto near = nearest_name(name, known)) return fmt::format("did you mean `{}`?", *near);
  constexpr std::size_t kMostAxes = 3;  // so that the mesh with one more can be looked over
  std::string help = axes_there_are(known);
  // A slice has its chips laid out along the axes there are.
  if (known.empty() || known.size() > kMostAxes || scope.machine.slice) return help;
  std::string wider = mesh_text(scope.mesh());
  wider.insert(wider.size() - 1, fmt::format(", {}: 2", name));
  return help + fmt::format("; with `{}` it is mesh {}", name, wider);
}

void report_unknown_axis(const ast::Identifier& name, CheckContext& context) {
  Scope& scope = context.scope;
  // The statement is at fault then and not the mesh, and so may be others.
  if (scope.names.find_dimension(name.text) || scope.find_binding(name.text) != nullptr) {
    return report(
        context, DiagnosticKind::UnknownAxis, name.at.span,
        fmt::format("`{}` is a dimension, and what stands here is an axis of the mesh", name.text),
        {axes_there_are(axis_names(scope.mesh()))});
  }
  std::vector<Note> notes;
  if (scope.machine.mesh_span)
    notes.push_back({*scope.machine.mesh_span, "the mesh is declared here"});
  report(context, DiagnosticKind::UnknownAxis, name.at.span,
         fmt::format("the mesh has no axis `{}`", name.text), {unknown_axis_help(name.text, scope)},
         std::move(notes));
  scope.told.unknown_axes.insert(name.text);
}

// The axis taken out of the subscript that it stands in, and its underscore where it stands alone.
std::vector<Edit> without_axis(const ast::ArrayRef& array, const ast::Identifier& place) {
  for (const ast::Dimension& dimension : array.dimensions) {
    const auto found =
        std::find_if(dimension.axes.begin(), dimension.axes.end(),
                     [&](const ast::Identifier& axis) { return axis.at.span == place.at.span; });
    if (found == dimension.axes.end()) continue;
    if (dimension.axes.size() > 1) return {{place.at.span, ""}};
    const auto* name = std::get_if<ast::Identifier>(&dimension.name);
    if (name == nullptr || name->at.span.end + 1 != place.at.span.begin) return {};
    return {{cover(name->at.span, place.at.span), name->text}};
  }
  return {};
}

void report_reused_axis(AxisId axis, const ast::ArrayRef& array, const ast::Identifier& place,
                        CheckContext& context) {
  const std::string name = context.scope.mesh().axes[axis].name;
  report(context, DiagnosticKind::AxisReused, place.at.span,
         fmt::format("axis `{}` is used twice in `{}`", name, print(array, Spelling::Unicode)),
         {fmt::format("an axis is used once in an array: every device along `{}` already holds "
                      "another part",
                      name)},
         {}, without_axis(array, place));
}

// `DP` of `{U_DP}`, cut into letters of which none is an axis: one axis that is not there.
std::optional<ast::Identifier> as_one_axis(const std::vector<ast::Identifier>& letters,
                                           const Scope& scope) {
  if (letters.size() < 2 || !scope.machine.mesh_known()) return std::nullopt;
  ast::Identifier whole{"", {cover(letters.front().at.span, letters.back().at.span)}};
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const bool apart = i > 0 && letters[i - 1].at.span.end != letters[i].at.span.begin;
    if (apart || scope.find_axes(letters[i].text) ||
        scope.told.unknown_axes.contains(letters[i].text))
      return std::nullopt;
    whole.text += letters[i].text;
  }
  return whole;
}

// `Y` of `D_{Y…}`, where it is not one axis.
void report_several_axes(const ast::Identifier& name, const std::vector<AxisId>& axes,
                         CheckContext& context) {
  report(context, DiagnosticKind::ArgumentMismatch, name.at.span,
         fmt::format("a single axis is needed here, and `{}` {}", name.text,
                     axes.empty() ? "is none in this call"
                                  : fmt::format("is {} in this call",
                                                axes_to_string(axes, context.scope.mesh()))),
         {fmt::format("a parameter that is to be split over exactly one axis has `B_{0}` instead "
                      "of `B_{{{0}…}}`",
                      name.text)});
}

}  // namespace

std::optional<AxisId> check_axis(const ast::Identifier& name, CheckContext& context) {
  Scope& scope = context.scope;
  if (name.text.starts_with('?')) {
    if (scope.told.open_sizes) return std::nullopt;
    report(context, DiagnosticKind::OpenLayout, name.at.span,
           fmt::format("`_{}` is a hole, and nothing looks for axes in its place here", name.text),
           {"put all lines that name the array into one block: best { … }"});
    return std::nullopt;
  }
  if (const auto axis = scope.find_axis(name.text)) return axis;
  if (const auto axes = scope.find_axes(name.text)) {
    report_several_axes(name, *axes, context);
    return std::nullopt;
  }
  if (scope.machine.mesh_known()) {
    if (!scope.told.unknown_axes.contains(name.text)) report_unknown_axis(name, context);
    return std::nullopt;
  }
  if (!check_name_length(name, context) || !check_axis_count(name.at.span, context))
    return std::nullopt;
  return scope.machine.machine.mesh.axes.add(
      {.name = name.text, .size = Amount::symbol(name.text)});
}

std::optional<std::vector<AxisId>> check_axes_called(const ast::Identifier& name,
                                                     CheckContext& context) {
  if (auto axes = context.scope.find_axes(name.text)) return axes;
  const auto axis = check_axis(name, context);
  return axis ? std::optional(std::vector{*axis}) : std::nullopt;
}

bool check_axes(const std::vector<ast::Identifier>& names, const ast::ArrayRef& array,
                std::vector<AxisId>& seen, std::vector<AxisId>& axes, CheckContext& context) {
  if (const auto whole = as_one_axis(names, context.scope)) {
    check_axis(*whole, context);
    return false;
  }
  bool fine = true;
  for (const ast::Identifier& name : names) {
    const auto called = check_axes_called(name, context);
    if (!called) fine = false;
    for (const AxisId axis : called.value_or(std::vector<AxisId>())) {
      if (contains(seen, axis)) {
        report_reused_axis(axis, array, name, context);
        fine = false;
        break;
      }
      seen.push_back(axis);
      axes.push_back(axis);
    }
  }
  return fine;
}

}  // namespace shard
