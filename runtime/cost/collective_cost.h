// The building blocks of collective costs.
#pragma once

#include <vector>

#include "runtime/cost/cost.h"
#include "runtime/network/axis_group.h"

namespace shard {

// One torus axis, its length being a formula: without a declared mesh, a ring as long as its symbol.
struct TorusSpan {
  Formula length;
  bool wraps = true;
  Rational slowness = 1;  // of its slowest link

  // Hops until everyone has everything: half way around a ring, or from end to end of a line.
  Formula hops() const;
};
// The torus axes of a group.
std::vector<TorusSpan> torus_spans(const AxisGroup& group, const Mesh& mesh);

// The cost with the chip's T_launch, a latency, unless nothing moves.
Cost with_launch(Cost cost, const Chip& chip);

}  // namespace shard
