// `chip`, `hardware` and `mesh`.
//
// In this folder:
//   machine.h         the statements `chip`, `hardware` and `mesh`
//   figures.h         the figures in their braces
//   chip_catalogue.h  the chips of the library
//   mesh_misfit.h     meshes that do not fit their slice
//   fault.h, send.h   faults of the machine; transfers from device to device
#pragma once

#include <optional>
#include <string>

#include "interpreter/check/array.h"

namespace shard {

// About a hundred of the largest pods; docs/language.md states it. More are TooManyDevices.
inline constexpr std::int64_t kMaxDevices = 1 << 20;

// The figure of a chip that is the rate of an element type: `C`, `C_int8`.
std::string rate_figure(DType dtype);
// Reports BadChip, UnknownChip, UnitMismatch; a chip with mistakes is still declared.
void check_chip(const ast::Chip& chip, CheckContext& context);
// Reports UnknownChip, BadSlice, BadChip, SliceLargerThanPod, MeshMismatch, AmbiguousMesh. The current mesh is laid
// over the new slice.
void check_hardware(const ast::Hardware& hardware, Span span, CheckContext& context);
// Reports BadMesh, MeshMismatch, AmbiguousMesh, TooManyDevices. Forgets arrays that were laid out over another mesh.
void check_mesh(const ast::Mesh& mesh, Span span, CheckContext& context);

// The ways to lay the mesh over the slice that differ in cost, each as it could be written; empty if there is one or none.
// Reports nothing.
std::vector<ast::Mesh> placements_of(const ast::Mesh& mesh, CheckContext& context);

}  // namespace shard
