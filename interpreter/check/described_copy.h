// An array in a layout that is asked about, as in `bytes(A[I_X, J])`: no copy needs to have it.
#pragma once

#include <optional>

#include "interpreter/check/array.h"

namespace shard {

// The array in the layout of the brackets, which may be any; a bare name is its newest copy. nullopt after a report.
std::optional<Copy> described_copy(const ast::ArrayRef& array, CheckContext& context);

}  // namespace shard
