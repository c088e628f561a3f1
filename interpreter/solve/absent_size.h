// A size that nothing depends on, and names that stay open.
#pragma once

#include <string>
#include <vector>

#include "interpreter/solve/open_size.h"

namespace shard {

// Reports NoOpenSize, with the size that was probably meant. `which`: "neither side depends".
void report_absent(const AskedSize& size, const std::vector<Formula>& asked,
                   const std::string& which, CheckContext& context);

// Whether one of these open names has no value because a mistake was reported where it was to get one: it is not missed again.
bool lacks_what_was_reported(const std::vector<std::string>& open, const Scope& scope);

// "give the sizes before: I = 128, J = 128", and the hardware where figures of the chip are among them.
std::string values_help(const std::vector<std::string>& missing, const Scope& scope);

}  // namespace shard
