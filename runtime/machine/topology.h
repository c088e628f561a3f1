// How a declared mesh is laid over a slice of the chip's torus (cost model, "Which axes wrap around").
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "runtime/machine/mesh.h"

namespace shard {

// A slice as written: `4x4x4`, with `wrap` or `nowrap` if given.
struct Slice {
  std::vector<std::int64_t> lengths;
  std::optional<bool> wraparound;
  friend bool operator==(const Slice&, const Slice&) = default;
};

// A mesh axis as written: `X: 4`, `X: 4x4`, `X: 8 ring`, `P: 2 dcn`, `X: 16 switch 2.5e10 B/s`, `C: 2 core`.
struct DeclaredAxis {
  std::string name;
  std::vector<std::int64_t> sizes;  // as written; {16} and {4, 4} differ
  AxisKind kind = AxisKind::Ici;
  std::optional<bool> ring;  // `ring` or `line`, if written
  std::optional<Rational> bandwidth;
};

// The torus axes of a slice by the chip's rule. Axes of length 1 are kept, as lines.
std::vector<TorusAxis> torus_of(const Chip& chip, const Slice& slice);
// Whether the slice does not fit the chip's pod, in whatever order its axes are taken.
bool exceeds_pod(const Chip& chip, const Slice& slice);

// No assignment of slice axes to mesh axes has the right sizes.
struct NoFit {};
// Several assignments do, and differ in cost: each as the mesh could be written, "{X: 2x4, Y: 8}".
struct SeveralFits {
  std::vector<std::string> meshes;
  std::vector<Mesh> laid;  // the same
};
using Fit = std::variant<Mesh, NoFit, SeveralFits>;

// Lays the axes over the slice: each Ici axis takes slice axes whose product is its size (a written product `4x4` takes
// exactly those lengths), every slice axis longer than 1 is used exactly once, and an axis of size 1 takes none. Fits
// that give every mesh axis the same lengths with the same wraparound cost the same and count as one. A mesh axis runs
// over its slice axes as written, else in the order of the slice; the first is the major one.
// Without a slice the mesh is its own slice: each written factor is one torus axis and wraps by the chip's rule
// (without a chip, that is, without a name, it is a ring). Explicit `ring` and `line` override the rule. Dcn and Switch
// axes take no slice axis; on a chip without a torus (`has_torus`) every Ici axis is a Switch axis, and their sizes
// multiply to the slice.
Fit fit_mesh(const Chip& chip, const std::optional<Slice>& slice,
             const std::vector<DeclaredAxis>& axes);

// The mesh of a slice declared without one: its axes are named X, Y, Z, …; axes of length 1 are left out unless there
// are no others. A chip of several cores adds an axis over them.
Mesh default_mesh(const Chip& chip, const Slice& slice);

// The figures of one device: of a core, if the mesh has an axis over cores, else of the chip.
Chip chip_of_device(const Chip& chip, const Mesh& mesh);

}  // namespace shard
