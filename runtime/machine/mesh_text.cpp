#include "runtime/machine/mesh_text.h"

#include "base/words.h"

namespace shard {

namespace {

std::string axis_text(const MeshAxis& axis) {
  std::string text = axis.name + ": ";
  std::vector<std::string> lengths;
  for (const TorusAxis& torus : axis.torus) lengths.push_back(std::to_string(torus.length));
  text += lengths.empty() ? axis.size.to_string() : join(lengths, "x");
  if (axis.kind == AxisKind::Dcn) text += " dcn";
  if (axis.kind == AxisKind::Switch) text += " switch";
  if (axis.kind == AxisKind::Core) text += " core";
  return text;
}

}  // namespace

std::string slice_text(const std::vector<std::int64_t>& lengths) {
  std::vector<std::string> pieces;
  for (const std::int64_t length : lengths) pieces.push_back(std::to_string(length));
  return join(pieces, "x");
}

std::string mesh_text(const Mesh& mesh) {
  std::vector<std::string> axes;
  for (const MeshAxis& axis : mesh.axes) {
    // Without a size there is no mesh yet, only a name.
    if (axis.length()) axes.push_back(axis_text(axis));
  }
  return "{" + join(axes, ", ") + "}";
}

}  // namespace shard
