// What moving whole blocks between devices costs; the formulas stand above `cost_of_collective`.
#pragma once

#include <vector>

#include "runtime/cost/cost.h"
#include "runtime/machine/machine.h"

namespace shard {

// The blocks move from where `operand` has them to where `result` wants them.
Cost cost_of_reordering(const Copy& operand, const Layout& result, const Machine& machine);

// Every block moves `shift` devices up the axes, taken as one axis with the first as the major one,
// and around its end.
Cost cost_of_shift(const std::vector<AxisId>& axes, int shift, const Copy& operand,
                   const Machine& machine);

// What the operand's place of the axes holds comes to every device along them.
Cost cost_of_broadcast(const std::vector<AxisId>& axes, const Copy& operand,
                       const Machine& machine);

}  // namespace shard
