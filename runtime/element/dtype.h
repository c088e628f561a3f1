// Element types: sizes, accumulation types, what is computed in which.
//
// In this folder:
//   dtype.h                  element types: sizes, and in which type they are summed
//   number.h, small_float.h  elements in buffers: rounding, saturation; fp16 and fp8
//   element_program.h        what one step does to each element, as a program for a stack
//   combination.h            how the parts of an unreduced array make the whole
#pragma once

#include <optional>

#include "base/dtype.h"
#include "base/rational.h"

namespace shard {

// Bytes of an element; 1/2 for int4.
Rational bytes_of(DType dtype);
// The type of what is computed of both: the type with fractions, if the other one is of integers; the wider of two
// integers. nullopt for two different types with fractions, which have to be declared alike.
std::optional<DType> common_type(DType a, DType b);
// What quotients, means, exp and the like of it are: fp32 of integers, else the type itself.
DType fractional_type(DType dtype);
// What such elements and their products are summed in: fp32 for bf16, fp16, fp8, fp32; fp64 for fp64 and for integers,
// whose sums are exact in it up to 2^53 and saturate only where they are stored (cost model, "Sums and roundings").
DType accumulation_type(DType dtype);
bool is_integer(DType dtype);
// Half the distance between 1 and the next number: 2^-8 for bf16, 2^-24 for fp32; 0 for integers.
double unit_roundoff(DType dtype);

}  // namespace shard
