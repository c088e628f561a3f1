// Where what does not fit was declared.
#pragma once

#include <string>
#include <vector>

#include "interpreter/check/operation.h"

namespace shard {

// "`J` is 256 from here on", for each of the dimensions that the script gave a length.
std::vector<Note> length_notes(const std::vector<DimensionId>& dimensions, const Scope& scope);

// "`x` is fp32 from here on", for each operand that is an array.
std::vector<Note> type_notes(const std::vector<const checked::Operation*>& operands,
                             const Scope& scope);
// How their declarations would agree: "declare both with one element type: x: bf16[B_X, D], or W: fp32[D, F]".
std::string one_type_help(const checked::Operation& a, const checked::Operation& b,
                          const Scope& scope);

}  // namespace shard
