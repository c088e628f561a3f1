// The mesh: named axes over the torus of a slice, and the coordinates of devices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "runtime/algebra/amount.h"
#include "runtime/machine/chip.h"

namespace shard {

struct AxisTag;
using AxisId = Id<AxisTag>;

// Links that carry 1/by of W1 in each direction.
struct SlowLink {
  std::int64_t position = 0;
  Rational by = 1;
  friend auto operator<=>(const SlowLink&, const SlowLink&) = default;
};

// One axis of the torus that a mesh axis runs over. Link p of it joins the places p and p + 1; the last one of a ring
// goes around its end.
struct TorusAxis {
  std::int64_t length = 1;
  bool wraps = true;  // as it was built
  std::vector<std::int64_t> cuts =
      {};  // links that have failed, in every ring or line of the axis, sorted
  std::vector<SlowLink> slow = {};  // sorted
  friend auto operator<=>(const TorusAxis&, const TorusAxis&) = default;

  std::int64_t links() const { return wraps ? length : length - 1; }
  // Whether it still goes around. A ring with a failed link is a line.
  bool is_ring() const { return wraps && cuts.empty(); }
  // Whether every place reaches every other one.
  bool is_connected() const { return cuts.size() <= (wraps ? 1U : 0U); }
  // Hops between the places that are farthest apart.
  std::int64_t longest_way() const { return is_ring() ? length / 2 : length - 1; }
  // Where the line begins that is no ring. REQUIRES: is_connected().
  std::int64_t line_begin() const { return cuts.empty() ? 0 : (cuts.front() + 1) % length; }
  // How much longer than it should the link takes for its bytes; 1 if it is not slow.
  Rational slowness(std::int64_t link) const;
  // The same of the slowest link that has not failed.
  Rational slowness() const;
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
  // The name of one of the torus axes that it runs over, the first having its own: "X", "X.1".
  std::string torus_name(std::size_t number) const;
  friend bool operator==(const MeshAxis&, const MeshAxis&) = default;
};

struct Mesh {
  IdVector<AxisId, MeshAxis> axes;

  std::optional<AxisId> find(std::string_view name) const;
  // Product of all sizes, if every size is a number and the product fits.
  std::optional<std::int64_t> device_count() const;
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

// Coordinates of a device, one per mesh axis in order of declaration; the first axis is the major
// one. REQUIRES: every size is a number.
std::vector<std::int64_t> coordinates(const Mesh& mesh, std::int64_t device);
std::int64_t device_at(const Mesh& mesh, const std::vector<std::int64_t>& coordinates);

}  // namespace shard
