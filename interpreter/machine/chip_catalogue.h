// The chips of the standard library.
#pragma once

#include "interpreter/check/brackets.h"

namespace shard {

// Reads stdlib/hardware.shard into the scope's chips, unless that has been done. Chips that the script declared stay.
// `scalars` evaluates their figures.
void load_catalogue(Scope& scope, const ScalarSource& scalars);

}  // namespace shard
