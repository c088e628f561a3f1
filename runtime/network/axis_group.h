// The axes of a collective as networks: which of them are crossed together, and what their links carry.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/algebra/amount.h"
#include "runtime/algebra/formula.h"
#include "runtime/machine/machine.h"
#include "runtime/network/torus.h"

namespace shard {

// Beyond so many devices on the axes of a collective nobody looks which blocks change device, nor goes through the hops:
// formulas say what it takes.
inline constexpr std::int64_t kMostEnumeratedDevices = 65'536;
// Beyond so many hops of a collective's stage along one axis, or of blocks on their routes, they are not made either.
inline constexpr double kMostTimedHops = 1 << 22;

// Axes of a collective that one primitive runs over: all of the torus together; or those of one
// network, on which the product of the sizes is the number of devices that exchange.
struct AxisGroup {
  AxisKind kind = AxisKind::Ici;
  std::vector<AxisId> axes;
  Amount size;        // product
  Formula bandwidth;  // W1 on the torus; bytes/s per device into the network else
  Formula hop;        // seconds that a hop takes at least
};

// The groups from the fastest to the slowest: torus, switch, network between slices, and of one kind by bandwidth where
// it is known. Axes of size 1 are left out.
std::vector<AxisGroup> groups_of(const std::vector<AxisId>& axes, const Machine& machine);

// The axes of the torus under mesh axes, or a whole axis of another network. Both number the same devices alike, because a
// mesh axis takes its torus axes major first. REQUIRES: the lengths are numbers.
struct LinkAxis {
  TorusAxis torus;
  AxisId mesh;
};
std::vector<LinkAxis> link_axes(const std::vector<AxisId>& axes, const Mesh& mesh);
// The torus of the group's axes, or the network that they are, if their lengths are numbers.
std::optional<Torus> torus_of(const AxisGroup& group, const Mesh& mesh);
// What the links of a group carry, if it is known.
std::optional<LinkRates> rates_of(const AxisGroup& group);
// The same where collectives are timed on the links: under the model `links`.
std::optional<LinkRates> rates_on_links(const AxisGroup& group, const Machine& machine);

}  // namespace shard
