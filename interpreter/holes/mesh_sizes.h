// The sizes that the axes of a mesh may have.
#pragma once

#include <optional>
#include <vector>

#include "grammar/tree/machine.h"
#include "grammar/tree/statement.h"
#include "interpreter/ir/symbols.h"

namespace shard {

// Every way to give each axis of the slice to an axis of the mesh, on a node every way to divide its chips among them, where those
// of written sizes have these; without a slice none. Ways that differ in nothing are one.
std::vector<ast::Mesh> meshes_for(const ast::Mesh& mesh, const Scope& scope);

// The mesh that a block declares, among its own statements; null if it declares none.
ast::Mesh* mesh_of(std::vector<ast::Statement>& body);

}  // namespace shard
