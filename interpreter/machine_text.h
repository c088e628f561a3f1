// Meshes as one writes them.
#pragma once

#include <string>

#include "runtime/mesh.h"

namespace shard {

// "{X: 4x4, Y: 4}"; axes without a size are left out.
std::string mesh_text(const Mesh& mesh);

}  // namespace shard
