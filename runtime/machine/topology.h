// How a declared mesh lies on a slice of the chip's torus (cost model, "Which axes wrap
// around").
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "runtime/machine/mesh.h"

namespace shard {

// A slice as written: `4x4x4`, with `wrap` or `nowrap` if that was said.
struct Slice {
  std::vector<std::int64_t> lengths;
  std::optional<bool> wraparound;
  friend bool operator==(const Slice&, const Slice&) = default;
};

// An axis of the mesh as written: `X: 4`, `X: 4x4`, `X: 8 ring`, `P: 2 dcn`, `X: 16 switch 2.5e10
// B/s`.
struct DeclaredAxis {
  std::string name;
  std::vector<std::int64_t> sizes;  // as written; {16} and {4, 4} differ
  AxisKind kind = AxisKind::Ici;
  std::optional<bool> ring;  // `ring` or `line` was written
  std::optional<Rational> bandwidth;
};

// The torus axes of a slice by the chip's rule. Axes of length 1 stay, as lines.
std::vector<TorusAxis> torus_of(const Chip& chip, const Slice& slice);
// Whether the slice is larger than the chip's pod.
bool exceeds_pod(const Chip& chip, const Slice& slice);

// No assignment of slice axes to mesh axes has the right sizes.
struct NoFit {};
// Several do, and they differ in cost: each as the mesh would be written, "{X: 2x4, Y: 8}".
struct SeveralFits {
  std::vector<std::string> meshes;
};
using Fit = std::variant<Mesh, NoFit, SeveralFits>;

// Lays the axes over the slice: each Ici axis takes slice axes whose product is its size (a written
// product `4x4` takes exactly those lengths), every slice axis longer than 1 is used once, and an
// axis of size 1 takes none. Fits that give every mesh axis the same lengths with the same
// wraparound cost the same and are one. A mesh axis runs over its slice axes as written, else in
// the order of the slice; the first is the major one.
// Without a slice the mesh is its own slice: each written factor is one torus axis, and wraps by the
// chip's rule (without a chip, that is without a name, it is a ring). Written `ring` and `line`
// override the rule. Dcn and Switch axes take no slice axis; on a chip with the Switch rule every
// Ici axis is a Switch axis, and their sizes multiply to the slice.
Fit fit_mesh(const Chip& chip, const std::optional<Slice>& slice,
             const std::vector<DeclaredAxis>& axes);

// A slice without a mesh: its axes named X, Y, Z, … (axes of length 1 left out unless it is all
// there is).
Mesh default_mesh(const Chip& chip, const Slice& slice);

}  // namespace shard
