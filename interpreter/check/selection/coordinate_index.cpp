#include "interpreter/check/selection/coordinate_index.h"

#include <fmt/format.h>

#include "grammar/print/printer.h"
#include "grammar/tree/names.h"
#include "grammar/tree/walk_expression.h"

namespace shard {

namespace {

// The array of an axis's places, made known if it is not there for this mesh.
void intern_coordinates(const std::string& name, AxisId axis, std::int64_t length, Scope& scope) {
  const Layout layout{.dims = {{axis}}, .unreduced = {}};
  const Layout held = without_trivial_axes(layout, scope.mesh());
  if (const auto known = scope.names.find_array(name)) {
    const ArrayInfo& info = scope.store.arrays[*known];
    const bool same = scope.store.dimensions[info.dimensions.front()].own_length == length;
    const LiveCopies& copies = scope.held.of(*known);
    if (same && !copies.empty() && copies.front().layout == held) return;
  }
  const DimensionId places = scope.store.dimensions.add(
      {.name = name, .literal = {}, .own_length = length, .same_as = {}});
  scope.store.dimensions[places].coordinate = true;
  ArrayInfo info{.name = name, .dimensions = {places}, .dtype = DType::Int32, .declared = true};
  info.values = std::make_shared<const InputStep>(
      InputStep{.result = {}, .seed = name, .kind = InputKind::Coordinate});
  const ArrayId id = scope.store.arrays.add(std::move(info));
  LiveCopies& copies = scope.held.change(id);
  copies = {{.layout = held}};
  // Which places there are every device knows.
  if (held != replicated(1)) copies.push_back({.layout = replicated(1)});
  scope.names.array_names[name_key(name)] = id;
}

bool name_call(ast::Expr& expr, CheckContext& context) {
  const auto& call = std::get<ast::Call>(expr.node);
  const ast::ArrayRef* axis_name = call.arguments.size() == 1
                                       ? std::get_if<ast::ArrayRef>(&call.arguments.front()->node)
                                       : nullptr;
  if (axis_name == nullptr || axis_name->bracketed || !axis_name->name) {
    report(context, DiagnosticKind::BadArgument, expr.at.span, "`coord` takes an axis of the mesh",
           {"A[I, J][I = coord(X)]"});
    return false;
  }
  const auto axis = check_axis(*axis_name->name, context);
  if (!axis) return false;
  const std::string& axis_text = context.scope.mesh().axes[*axis].name;
  const auto length = context.scope.mesh().axes[*axis].length();
  if (!length) {
    report(context, DiagnosticKind::NoMesh, expr.at.span,
           fmt::format("the length of axis `{}` is not known, so a device has no place on it yet",
                       axis_text),
           {fmt::format("mesh {{{}: 4}}", axis_text)});
    return false;
  }
  const std::string name = fmt::format("coord({})", axis_text);
  intern_coordinates(name, *axis, *length, context.scope);
  const ast::Location at = expr.at;
  ast::ArrayRef array;
  array.name = ast::Identifier{name, at};
  array.at = at;
  expr.node = std::move(array);
  return true;
}

}  // namespace

bool name_coordinates(ast::Expr& index, CheckContext& context) {
  const auto* call = std::get_if<ast::Call>(&index.node);
  if (call != nullptr && call->function.text == "coord") return name_call(index, context);
  bool fine = true;
  for_each_operand(index,
                   [&](ast::Expr& operand) { fine = name_coordinates(operand, context) && fine; });
  return fine;
}

}  // namespace shard
