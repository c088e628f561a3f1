// The machine as JSON (docs/report-schema.md, "machine"). Private to the report.
#pragma once

#include <nlohmann/json.hpp>

#include "runtime/machine/machine.h"

namespace shard {

nlohmann::ordered_json json_of(const Machine& machine);

}  // namespace shard
