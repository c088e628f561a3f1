// The line that gives a chip the figures that are missing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/ir/symbols.h"

namespace shard {

// "hardware My 4x4 {W_dcn: 6.250 GB/s}", with the figures that are named and that the chip does not state, as another chip has
// them; without a chip "hardware TPUv5p" and the slice.
std::string hardware_line(const std::vector<std::string>& figures, const Scope& scope,
                          std::string_view slice = " 4x4x4");

}  // namespace shard
