// Elements picked or put by their place: what indices, `Reshape` and `top` have in common (design: language, "Arrays,
// layouts and copies"). Private to their files.
#pragma once

#include <string_view>
#include <vector>

#include "interpreter/check/operation.h"

namespace shard {

// The operation of a selection whose operands are checked, with what it leaves locally.
checked::Operation selection_of(checked::Selection selection, std::vector<DimensionId> labels,
                                DType dtype, Span span, const Scope& scope);

// Partial results that were written may be put nowhere, and be no index; `what` says so. Reports UnreducedOperand.
bool check_reduced(const checked::Operation& operation, std::string_view what,
                   CheckContext& context);

}  // namespace shard
