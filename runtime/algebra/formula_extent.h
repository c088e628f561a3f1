// How large a formula is.
#pragma once

#include <cstdint>

#include "runtime/algebra/formula.h"

namespace shard {

// Whether it has more than `most` operations and terms of amounts, each counted as often as it would be printed:
// formulas share their arguments, so one that is quick to build may be endless to read. Takes time at most proportional
// to `most`.
// REQUIRES: a nesting depth of at most some hundreds, as it recurses.
bool is_longer_than(const Formula& formula, std::int64_t most);
// Whether operations are nested deeper than `most`. REQUIRES: as above.
bool is_higher_than(const Formula& formula, int most);

}  // namespace shard
