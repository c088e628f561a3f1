#include "interpreter/holes/mesh_sizes.h"

#include <algorithm>
#include <utility>

#include "base/contains.h"
#include "grammar/tree/ast.h"
#include "interpreter/holes/walk_block.h"

namespace shard {

namespace {

std::optional<std::int64_t> written_size(const ast::MeshAxis& axis) {
  if (is_hole(axis)) return std::nullopt;
  std::int64_t product = 1;
  for (const ast::Number& size : axis.sizes) product *= size.value.to_int64().value_or(1);
  return product;
}

// With the axes of the slice that are given to each; nullopt if a written size is another one.
std::optional<ast::Mesh> with_sizes(const ast::Mesh& mesh,
                                    const std::vector<std::vector<std::int64_t>>& given) {
  ast::Mesh filled = mesh;
  for (std::size_t i = 0; i < mesh.axes.size(); ++i) {
    std::int64_t product = 1;
    for (const std::int64_t length : given[i]) product *= length;
    const auto written = written_size(mesh.axes[i]);
    if (written && *written != product) return std::nullopt;
    if (written) continue;
    filled.axes[i].sizes.clear();
    for (const std::int64_t length : given[i]) filled.axes[i].sizes.push_back(whole_number(length));
    if (given[i].empty()) filled.axes[i].sizes.push_back(whole_number(1));
  }
  return filled;
}

}  // namespace

std::vector<ast::Mesh> meshes_for(const ast::Mesh& mesh, const Scope& scope) {
  std::vector<ast::Mesh> meshes;
  if (!scope.machine.slice) return meshes;
  const auto& lengths = scope.machine.slice->lengths;
  std::size_t ways = 1;
  for (std::size_t i = 0; i < lengths.size(); ++i) ways *= mesh.axes.size();
  for (std::size_t way = 0; way < ways; ++way) {
    std::vector<std::vector<std::int64_t>> given(mesh.axes.size());
    std::size_t rest = way;
    for (const std::int64_t length : lengths) {
      given[rest % mesh.axes.size()].push_back(length);
      rest /= mesh.axes.size();
    }
    auto filled = with_sizes(mesh, given);
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
