// Views whose array is changed in place while they are still needed, which are then copies.
#pragma once

#include <cstddef>

#include "interpreter/program/program.h"

namespace shard {

// Of the steps from `first_step` on, the last of the program: which views they make, read and write over. A view that is read
// after its array was changed, or that nothing has read by then, is kept apart: its step gets memory and a price of its own. A view
// that was read before, and is not read again, stays one.
void keep_changed_views(Program& program, std::size_t first_step);

}  // namespace shard
