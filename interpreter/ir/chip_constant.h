// Figures of a chip as scalars: `C`, `C_int8`, `W_hbm`, `chip.HBM`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/ir/value.h"
#include "runtime/machine/chip.h"

namespace shard {

// A figure of runtime/machine/chip_figure.h; a symbol while no chip is declared, nullopt for other names and for figures that the
// chip does not have.
std::optional<Quantity> chip_constant(const std::string& name, const Chip& chip);

// The figures that `chip.NAME` reads, for completion and suggestions.
std::vector<std::string> chip_constants();

// The one that is called by another word, `memory` or `bandwidth`, or misspelt; nullopt if none is near.
std::optional<std::string> meant_chip_constant(std::string_view word);

}  // namespace shard
