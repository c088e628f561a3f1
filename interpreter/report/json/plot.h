// What is asked about sizes as JSON: curves of `plot`, and the sizes at which `why` finds another way.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

#include "interpreter/statements/entries.h"

namespace shard {

// docs/report-schema.md documents it. `index`: that of the entry.
nlohmann::ordered_json json_of(const PlotEntry& plot, std::size_t index);

nlohmann::ordered_json flips(const std::vector<WayFlip>& flips);

}  // namespace shard
