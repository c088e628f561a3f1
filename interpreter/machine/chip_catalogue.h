// The library's chips.
#pragma once

#include "interpreter/check/brackets.h"

namespace shard {

// Reads stdlib/hardware.shard into the scope's chips, unless that was done; chips that the script declared stay. `scalars`
// give its figures their values.
void load_catalogue(Scope& scope, const ScalarSource& scalars);

}  // namespace shard
