#include "interpreter/holes/mesh_sizes.h"

#include <algorithm>
#include <utility>

#include "base/contains.h"
#include "grammar/tree/ast.h"
#include "interpreter/holes/walk_block.h"
#include "runtime/machine/mesh_splits.h"

namespace shard {

namespace {

std::optional<std::int64_t> written_size(const ast::MeshAxis& axis) {
  if (is_hole(axis)) return std::nullopt;
  std::int64_t product = 1;
  for (const ast::Number& size : axis.sizes) product *= size.value.to_int64().value_or(1);
  return product;
}

// Those over DCN or cores take nothing of the slice, nor do those over switches on a torus.
bool takes_of_slice(const ast::MeshAxis& axis, bool on_torus) {
  if (axis.kind == ast::AxisKind::Switch) return !on_torus;
  return axis.kind != ast::AxisKind::Dcn && axis.kind != ast::AxisKind::Core;
}

// With what is given to each of the axes that take of the slice; nullopt if a written size is another one.
std::optional<ast::Mesh> with_sizes(const ast::Mesh& mesh, const MeshSplit& given, bool on_torus) {
  ast::Mesh filled = mesh;
  auto next = given.begin();
  for (ast::MeshAxis& axis : filled.axes) {
    if (!takes_of_slice(axis, on_torus)) continue;
    const AxisLengths& lengths = *next++;
    std::int64_t product = 1;
    for (const std::int64_t length : lengths) product *= length;
    const auto written = written_size(axis);
    if (written && *written != product) return std::nullopt;
    if (written) continue;
    axis.sizes.clear();
    for (const std::int64_t length : lengths) axis.sizes.push_back(whole_number(length));
    if (lengths.empty()) axis.sizes.push_back(whole_number(1));
  }
  return filled;
}

// Longer first axes come first.
std::vector<MeshSplit> splits_of(const Slice& slice, std::size_t count, bool on_torus) {
  if (on_torus) return torus_splits(slice.lengths, count);
  std::int64_t devices = 1;
  for (const std::int64_t length : slice.lengths) devices *= length;
  auto splits = divisor_splits(devices, count);
  std::reverse(splits.begin(), splits.end());
  return splits;
}

}  // namespace

std::vector<ast::Mesh> meshes_for(const ast::Mesh& mesh, const Scope& scope) {
  std::vector<ast::Mesh> meshes;
  const MachineState& machine = scope.machine;
  if (!machine.chip || !machine.slice) return meshes;
  const bool on_torus = is_torus(*machine.chip, *machine.slice);
  const auto takers =
      std::count_if(mesh.axes.begin(), mesh.axes.end(),
                    [&](const ast::MeshAxis& axis) { return takes_of_slice(axis, on_torus); });
  for (const MeshSplit& split :
       splits_of(*machine.slice, static_cast<std::size_t>(takers), on_torus)) {
    auto filled = with_sizes(mesh, split, on_torus);
    if (filled && !contains(meshes, *filled)) meshes.push_back(*std::move(filled));
  }
  return meshes;
}

ast::Mesh* mesh_of(std::vector<ast::Statement>& body) {
  for (ast::Statement& statement : body) {
    if (auto* mesh = std::get_if<ast::Mesh>(&statement.node)) return mesh;
  }
  return nullptr;
}

}  // namespace shard
