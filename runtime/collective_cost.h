// The parts that the costs of collectives are put together from.
#pragma once

#include <vector>

#include "runtime/cost.h"

namespace shard {

// Axes of a collective that one primitive runs over: all of the torus together; or those of one
// network, on which the product of the sizes is the number of devices that exchange.
struct AxisGroup {
  AxisKind kind = AxisKind::Ici;
  std::vector<AxisId> axes;
  Amount size;        // product
  Formula bandwidth;  // W1 on the torus; bytes/s per device into the network else
  Formula hop;        // seconds that a hop takes at least
};

// The groups from the fastest to the slowest: torus, switch, network between slices. Axes of size 1
// are left out.
std::vector<AxisGroup> groups_of(const std::vector<AxisId>& axes, const Machine& machine);

// One axis of the torus, with its length as a formula: a ring as long as its symbol where no mesh
// is declared.
struct TorusSpan {
  Formula length;
  bool wraps = true;

  // Hops until everyone has everything: half way around a ring, from end to end of a line.
  Formula hops() const;
};
std::vector<TorusSpan> torus_spans(const AxisGroup& group, const Mesh& mesh);

}  // namespace shard
