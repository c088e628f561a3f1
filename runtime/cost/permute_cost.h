// The cost of moving whole blocks between devices; the formulas are at `cost_of_collective`.
#pragma once

#include <vector>

#include "runtime/cost/cost.h"
#include "runtime/machine/machine.h"

namespace shard {

// The blocks move from where `operand` has them to where `result` needs them.
Cost cost_of_reordering(const Copy& operand, const Layout& result, const Machine& machine);

// A collective that makes another array: each block goes to another place along the axes (network/block_moves.h).
Cost cost_of_moved_blocks(CollectiveKind kind, const std::vector<AxisId>& axes, int step,
                          const Copy& operand, const Machine& machine);

// What the operand's place on the axes holds is sent to every device along them.
Cost cost_of_broadcast(const std::vector<AxisId>& axes, const Copy& operand,
                       const Machine& machine);

}  // namespace shard
