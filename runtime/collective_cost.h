// The parts that the costs of collectives are put together from.
#pragma once

#include <optional>
#include <vector>

#include "runtime/cost.h"
#include "runtime/links.h"

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

// One axis of the torus, with its length as a formula: a ring as long as its symbol where no mesh
// is declared.
struct TorusSpan {
  Formula length;
  bool wraps = true;
  Rational slowness = 1;  // of its slowest link

  // Hops until everyone has everything: half way around a ring, from end to end of a line.
  Formula hops() const;
};
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

// Bytes of the blocks that are exchanged over the g-th of the groups, of which each has so many places, by devices that hold
// so many bytes before the collective: what its schedule is chosen by (schedule.h). For AllGather, ReduceScatter,
// AllReduce and AllToAll.
std::int64_t exchanged_bytes(CollectiveKind kind, const std::vector<std::int64_t>& places,
                             std::size_t g, const Rational& held);

std::vector<TorusSpan> torus_spans(const AxisGroup& group, const Mesh& mesh);

}  // namespace shard
