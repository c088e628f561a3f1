// Parts of arrays whose dimensions are only as long as what they are combined with.
#pragma once

#include <vector>

#include "interpreter/check/operation.h"

namespace shard {

// Warns of `a[B, D] + w[0:64, 0:128]` where |B| is 64: a cut dimension is called by its length, and is another one than B, so that
// the result has both. Not where the target names the length.
void warn_of_equal_lengths(const std::vector<checked::Operation>& operands,
                           const TargetHint& target, CheckContext& context);

// Results of a function that were cut to two lengths, both of which it calls P, do not meet: an array has a name once. False after a
// report.
bool check_own_lengths(const std::vector<checked::Operation>& operands, CheckContext& context);

}  // namespace shard
