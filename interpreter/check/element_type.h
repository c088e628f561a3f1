// The element type of what is computed element by element (docs: language, "Elements").
#pragma once

#include <optional>

#include "interpreter/check/array.h"

namespace shard {

// What an element type came from: an operand, or a cast of what was computed of it.
struct TypedOperand {
  const checked::Operation* operand = nullptr;  // null: an index along a dimension
  DType dtype = DType::Bf16;
  bool cast = false;
};

// The type of a program's result by those of its operands. Types with fractions that have no type in common are reported:
// DtypeMismatch.
std::optional<DType> type_of_elements(const checked::Elementwise& elements, CheckContext& context);

// The type of both (`common_type`). Reports DtypeMismatch if there is none, and WiderType if it is a third one with fractions.
std::optional<DType> meet(const TypedOperand& first, const TypedOperand& second,
                          CheckContext& context);

}  // namespace shard
