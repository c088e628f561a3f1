// What `minimize` finds over the meshes of as many devices.
#pragma once

#include <cstddef>
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

// The axes whose sizes it may change: those over DCN, switches or cores, and rings and lines, stay as they are declared.
std::vector<std::string> shared_axes(const Scope& scope);
// Of more there are too many meshes.
inline constexpr std::size_t kMostAxesTried = 4;

// Every size that the axis can have while the others take the rest of the devices: on a torus those that take whole axes of the
// slice, else the divisors. A single axis has fewer devices, and what is left does nothing. In the order of sizes; meshes for which
// `asked` has no value are left out, and of more than two axes the best mesh stands for all with that size. Where it is a formula on
// one of them, `open` has its sizes, and there is no answer.
// REQUIRES: `axis` is one of up to kMostAxesTried shared axes, all of known size.
std::vector<TriedMesh> tried_meshes(const std::string& axis, const ast::Expr& asked,
                                    EvaluationContext& context, std::vector<std::string>& open);

// Notes the blocks with a mesh of their own whose figures stand in what is asked for: they are the same on every mesh.
void note_own_meshes(const ast::Expr& asked, const std::string& axis, CheckContext& context);

}  // namespace shard
