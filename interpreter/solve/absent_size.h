// A size that nothing depends on.
#pragma once

#include <string>
#include <vector>

#include "interpreter/solve/open_size.h"

namespace shard {

// Reports NoOpenSize, with the size that was probably meant. `which`: "neither side depends".
void report_absent(const AskedSize& size, const std::vector<Formula>& asked,
                   const std::string& which, CheckContext& context);

}  // namespace shard
