// What `minimize` finds over the meshes of as many devices.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluator.h"

namespace shard {

// A mesh of the search, and what is to be least there.
struct TriedMesh {
  std::string mesh;       // "{X: 4x4, Y: 4}"
  std::int64_t size = 1;  // of the axis
  Quantity value;
};

// Every size that the axis can have while the other one takes the rest of the devices: of a slice those that take whole axes of it,
// else the divisors. In the order of sizes; meshes for which `asked` is no number are left out. REQUIRES: the mesh has two axes of
// known size.
std::vector<TriedMesh> tried_meshes(const std::string& axis, const ast::Expr& asked,
                                    EvaluationContext& context);

}  // namespace shard
