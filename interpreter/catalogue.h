// The library's chips.
#pragma once

#include "interpreter/scope.h"

namespace shard {

// Reads stdlib/hardware.shard into the scope's chips, unless that was done; chips that the script declared stay.
void load_catalogue(Scope& scope);

}  // namespace shard
