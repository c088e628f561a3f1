// What `backward` derives for equal passes of a loop.
#pragma once

#include <cstddef>

#include "interpreter/statements/runner.h"

namespace shard {

// The entries from this one on are those of a `backward`. Where statements follow each other again and again that differ in the
// numbers behind their names and in indices alone, they are reported once, with their number; so are the passes of the loop that
// they go back through. Without such a loop all are reported.
void fold_equal_passes(std::size_t first_entry, RunnerState& state);

}  // namespace shard
