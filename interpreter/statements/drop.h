// `drop A`, `drop A[I_X]`.
#pragma once

#include "interpreter/statements/context.h"

namespace shard {

// `drop A`, `drop A[I_X]`: the name, or one copy. The devices forget what nothing else holds. With its last copy
// the name goes. Reports UnknownName, DroppedArray, NotArray, NoSuchCopy.
void run_drop(const ast::Drop& drop, Span span, const StatementRunner& runner);

}  // namespace shard
