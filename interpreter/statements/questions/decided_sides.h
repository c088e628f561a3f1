// Layouts for the sides of branches that are not taken.
#pragma once

#include <set>
#include <vector>

#include "interpreter/holes/open_block.h"
#include "interpreter/statements/run_context.h"

namespace shard {

// The body with a layout in every hole: those that are left open stand in sides that are not taken, and get the layouts with which
// the block takes the least if these sides are. `limit`: bytes of a device; `seconds`: of --plan-time. Throws Cancelled.
std::vector<ast::Statement> with_decided_sides(std::vector<ast::Statement> body,
                                               const std::vector<OpenAxis>& axes, double limit,
                                               double seconds, RunContext& context);

}  // namespace shard
