// `chip`, `hardware` and `mesh`.
//
// In this folder:
//   machine.h         the statements `chip`, `hardware` and `mesh`
//   chip_catalogue.h  the chips of the library
//   mesh_misfit.h     meshes that do not lie on their slice
//   fault.h, send.h   what misbehaves; transfers from device to device
#pragma once

#include <optional>
#include <string>

#include "interpreter/check/array.h"

namespace shard {

inline constexpr std::int64_t kMaxDevices = 1 << 20;

// The figure of a chip that is the rate of an element type: `C`, `C_int8`.
std::string rate_figure(DType dtype);
// Reports BadChip, UnknownChip, UnitMismatch; a chip with mistakes is known all the same.
void check_chip(const ast::Chip& chip, CheckContext& context);
// Reports UnknownChip, BadSlice, BadChip, SliceLargerThanPod, MeshMismatch, AmbiguousMesh. The mesh in force is laid
// over the new slice.
void check_hardware(const ast::Hardware& hardware, Span span, CheckContext& context);
// Reports BadMesh, MeshMismatch, AmbiguousMesh, TooManyDevices. Arrays that were laid out over another mesh are
// forgotten.
void check_mesh(const ast::Mesh& mesh, Span span, CheckContext& context);

}  // namespace shard
