// The mesh: named axes over the torus of a slice, and device coordinates.
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

// Carries 1/by of W1 in each direction.
struct SlowLink {
  std::int64_t position = 0;
  Rational by = 1;
  friend auto operator<=>(const SlowLink&, const SlowLink&) = default;
};

// One axis of the torus under a mesh axis. Link p joins the places p and p + 1; the last link of a ring joins its ends.
struct TorusAxis {
  std::int64_t length = 1;
  bool wraps = true;  // as built
  // Links that have failed, in every ring or line of the axis; sorted.
  std::vector<std::int64_t> cuts = {};
  std::vector<SlowLink> slow = {};  // sorted
  friend auto operator<=>(const TorusAxis&, const TorusAxis&) = default;

  std::int64_t links() const { return wraps ? length : length - 1; }
  // Whether it still wraps around. A ring with a failed link is a line.
  bool is_ring() const { return wraps && cuts.empty(); }
  // Whether every place can reach every other.
  bool is_connected() const { return cuts.size() <= (wraps ? 1U : 0U); }
  // Hops between the two places farthest apart.
  std::int64_t longest_way() const { return is_ring() ? length / 2 : length - 1; }
  // The first place of the line, if it is not a ring. REQUIRES: is_connected().
  std::int64_t line_begin() const { return cuts.empty() ? 0 : (cuts.front() + 1) % length; }
  // The factor by which the link takes longer for its bytes; 1 if it is not slow.
  Rational slowness(std::int64_t link) const;
  // That factor for the slowest link that has not failed.
  Rational slowness() const;
};

struct MeshAxis {
  std::string name;
  Amount size;  // a number, or the axis's symbol while no mesh is declared
  AxisKind kind = AxisKind::Ici;
  // Ici: major first, lengths of 1 left out; empty while the size is a symbol: one ring.
  std::vector<TorusAxis> torus;
  std::optional<Rational> bandwidth;  // Switch or Dcn: bytes/s, if written at the axis

  // The size, if it is a number.
  std::optional<std::int64_t> length() const;
  // The name of one of its torus axes; the first has the axis's own name: "X", "X.1".
  std::string torus_name(std::size_t number) const;
  friend bool operator==(const MeshAxis&, const MeshAxis&) = default;
};

struct Mesh {
  IdVector<AxisId, MeshAxis> axes;

  std::optional<AxisId> find(std::string_view name) const;
  // The product of all sizes, if each is a number and the product fits.
  std::optional<std::int64_t> device_count() const;
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

// A device's coordinates, one per mesh axis in order of declaration, the first axis being the major one. REQUIRES:
// every size is a number.
std::vector<std::int64_t> coordinates(const Mesh& mesh, std::int64_t device);
std::int64_t device_at(const Mesh& mesh, const std::vector<std::int64_t>& coordinates);

}  // namespace shard
