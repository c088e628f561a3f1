// The element type of what is computed element by element (docs: language, "Elements").
#pragma once

#include <optional>

#include "interpreter/check/array.h"

namespace shard {

// The type of a program's result by those of its operands. Types with fractions that differ are reported:
// DtypeMismatch.
std::optional<DType> type_of_elements(const checked::Elementwise& elements, CheckContext& context);

}  // namespace shard
