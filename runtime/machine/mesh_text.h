// Meshes as they are written in a script.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/machine/mesh.h"

namespace shard {

// "4x4x4".
std::string slice_text(const std::vector<std::int64_t>& lengths);
// "{X: 4x4, Y: 4}"; axes without a size are left out.
std::string mesh_text(const Mesh& mesh);

}  // namespace shard
