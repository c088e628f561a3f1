// Axes where they are named.
#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "interpreter/check_brackets.h"
#include "interpreter/machine_text.h"

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
  if (std::exchange(context.scope.axis_count_reported, true)) return false;
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
  if (scope.find_dimension(name.text) || scope.find_binding(name.text) != nullptr) {
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
  scope.unknown_axes.insert(name.text);
}

}  // namespace

std::optional<AxisId> check_axis(const ast::Identifier& name, CheckContext& context) {
  Scope& scope = context.scope;
  if (const auto axis = scope.find_axis(name.text)) return axis;
  if (scope.machine.mesh_known()) {
    if (!scope.unknown_axes.contains(name.text)) report_unknown_axis(name, context);
    return std::nullopt;
  }
  if (!check_name_length(name, context) || !check_axis_count(name.at.span, context))
    return std::nullopt;
  return scope.machine.machine.mesh.axes.add(
      {.name = name.text, .size = Amount::symbol(name.text)});
}

}  // namespace shard
