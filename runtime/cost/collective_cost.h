// The parts that the costs of collectives are put together from.
#pragma once

#include <vector>

#include "runtime/cost/cost.h"
#include "runtime/network/axis_group.h"

namespace shard {

// One axis of the torus, with its length as a formula: a ring as long as its symbol where no mesh
// is declared.
struct TorusSpan {
  Formula length;
  bool wraps = true;
  Rational slowness = 1;  // of its slowest link

  // Hops until everyone has everything: half way around a ring, from end to end of a line.
  Formula hops() const;
};
// Those of a group on the torus.
std::vector<TorusSpan> torus_spans(const AxisGroup& group, const Mesh& mesh);

}  // namespace shard
