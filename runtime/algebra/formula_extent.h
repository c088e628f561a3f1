// How large a formula is.
#pragma once

#include <cstdint>

#include "runtime/algebra/formula.h"

namespace shard {

// Whether it has more operations, and terms of amounts, than that, each counted as often as it is written: formulas share
// their arguments, so one that is quickly made may be endless to read. Takes time in proportion to `most` at the most.
// REQUIRES: what is inside of it is not higher than some hundreds.
bool is_longer_than(const Formula& formula, std::int64_t most);
// Whether operations stand inside each other deeper than that.
// REQUIRES: the same.
bool is_higher_than(const Formula& formula, int most);

}  // namespace shard
