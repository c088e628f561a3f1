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

// The most devices, on the axes of a collective, whose blocks and hops are enumerated, in time and memory proportional
// to them. Beyond, formulas give the cost.
inline constexpr std::int64_t kMostEnumeratedDevices = 65'536;
// The most hops that are built for a collective's stage along one axis, or for blocks on their routes: at 48 bytes a
// hop, 200 MB. Beyond, formulas give the cost.
inline constexpr double kMostTimedHops = 1 << 22;

// Axes of a collective that one primitive runs over: all of the torus together, or those of one network, on which the
// product of their sizes is the number of devices that exchange. In a fully linked node that number is what counts: n
// devices exchange over n - 1 links each, whichever axes they are on.
struct AxisGroup {
  AxisKind kind = AxisKind::Ici;
  std::vector<AxisId> axes;
  Amount size;  // product
  Formula
      link;  // bytes/s from one device to one other: W1 on the torus, a port into a network, or a link of the node
  // Bytes/s from one device to all others of the group at once: n - 1 links in a fully linked node of n, (n - 1)·W1.
  // Otherwise that of the link: the port is shared, and on the torus formulas count links themselves.
  Formula bandwidth;
  Formula hop;  // the least seconds a hop takes
  Fabric fabric = Fabric::Torus;
};

// What joins the devices along an axis. Fully linked are the axes of a node by WrapRule::Full that have no bandwidth of
// their own.
Fabric fabric_of(const MeshAxis& axis, const Chip& chip);

// The groups from fastest to slowest: cores of a chip, torus, switch, network between slices, and within a kind by
// what a link carries, if known.
// Axes of size 1 are left out.
std::vector<AxisGroup> groups_of(const std::vector<AxisId>& axes, const Machine& machine);

// The torus axes under mesh axes, or a whole axis of another network. Both number the same devices the same way, as a
// mesh axis takes its torus axes major first. REQUIRES: the lengths are numbers.
struct LinkAxis {
  TorusAxis torus;
  AxisId mesh;
};
std::vector<LinkAxis> link_axes(const std::vector<AxisId>& axes, const Mesh& mesh);
// The torus of the group's axes, or the network they form, if their lengths are numbers.
std::optional<Torus> torus_of(const AxisGroup& group, const Mesh& mesh);
// What the links of a group carry, if known.
std::optional<LinkRates> rates_of(const AxisGroup& group);
// The rates, if collectives are timed on the links, that is, under the model `links`.
std::optional<LinkRates> rates_on_links(const AxisGroup& group, const Machine& machine);

}  // namespace shard
