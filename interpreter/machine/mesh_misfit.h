// Meshes that do not fit their slice.
#pragma once

#include <vector>

#include "interpreter/check/brackets.h"
#include "runtime/machine/topology.h"

namespace shard {

// The declared axes as `hardware … wrap` or `nowrap` without a slice makes them.
std::vector<DeclaredAxis> axes_to_fit(const MachineState& machine);

// Whether the declared mesh can be laid over the slice in one way; where it cannot, that was reported.
bool fits_slice(const MachineState& machine);

// Reports MeshMismatch with a mesh for the slice and a slice for the mesh, or AmbiguousMesh with the possible meshes.
// REQUIRES: a declared mesh; if nothing fits, a slice.
void report_misfit(const Fit& fit, CheckContext& context);

// Reports a slice with more axes than the chip's torus has, with a chip whose torus has as many.
void report_torus(const ast::Hardware& hardware, const Chip& chip, const Slice& slice,
                  CheckContext& context);

}  // namespace shard
