// In what layout a cost block ends, where no statement says it.
#pragma once

#include "interpreter/check/array.h"
#include "interpreter/program/program.h"

namespace shard {

// Reports the note OpenEnd if the last result is split or unreduced where no target asked for it: what the block began with
// has the same dimensions in another layout, or a ReduceScatter was found for it. `block`: where that is reported.
void note_open_end(const Program& program, Span block, CheckContext& context);

}  // namespace shard
