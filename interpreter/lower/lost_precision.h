// What is lost where numbers flow into a narrower type.
#pragma once

#include <string>

#include "interpreter/ir/checked.h"
#include "interpreter/ir/symbols.h"

namespace shard {

// "rounded from fp32 to bf16", "clamped from int32 to int8": of a target, or of the part of one that is written, that does not hold
// every number of what flows into it. "" if it does, or where the numbers stand in the script.
std::string rounding_remark(const checked::Flow& flow, const Scope& scope);

}  // namespace shard
