// The mesh: named axes over the torus of a slice, and the coordinates of devices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "runtime/amount.h"
#include "runtime/chip.h"

namespace shard {

struct AxisTag;
using AxisId = Id<AxisTag>;

enum class AxisKind { Ici, Dcn, Switch };

// One axis of the torus that a mesh axis runs over.
struct TorusAxis {
  std::int64_t length = 1;
  bool wraps = true;
  friend auto operator<=>(const TorusAxis&, const TorusAxis&) = default;
};

struct MeshAxis {
  std::string name;
  Amount size;  // a number, or the axis's symbol while no mesh is declared
  AxisKind kind = AxisKind::Ici;
  std::vector<TorusAxis>
      torus;  // Ici: major first; lengths of 1 left out; empty if the size is a symbol: one ring
  std::optional<Rational> bandwidth;  // Switch or Dcn written with its own bytes/s

  // The size, if it is a number.
  std::optional<std::int64_t> length() const;
  friend bool operator==(const MeshAxis&, const MeshAxis&) = default;
};

struct Mesh {
  IdVector<AxisId, MeshAxis> axes;

  std::optional<AxisId> find(std::string_view name) const;
  // Product of all sizes, if every size is a number and the product fits.
  std::optional<std::int64_t> device_count() const;
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

// What costs and execution need to know of the hardware.
struct Machine {
  Chip chip = unknown_chip();
  Mesh mesh;
  friend bool operator==(const Machine&, const Machine&) = default;
};

// Coordinates of a device, one per mesh axis in order of declaration; the first axis is the major
// one. REQUIRES: every size is a number.
std::vector<std::int64_t> coordinates(const Mesh& mesh, std::int64_t device);
std::int64_t device_at(const Mesh& mesh, const std::vector<std::int64_t>& coordinates);

}  // namespace shard
